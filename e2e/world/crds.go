package world

import (
	"context"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var crds = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// kind is a custom resource that something brings into a cluster.
type kind struct {
	schema.GroupVersionKind
	cluster bool // its objects are in no namespace
}

func namespaced(group, version, name string) kind {
	return kind{GroupVersionKind: schema.GroupVersionKind{Group: group, Version: version, Kind: name}}
}

func clusterWide(group, version, name string) kind {
	k := namespaced(group, version, name)
	k.cluster = true
	return k
}

// resource is the name of the kind in the API.
func (k kind) resource() schema.GroupVersionResource {
	resource, _ := meta.UnsafeGuessKindToResource(k.GroupVersionKind)
	return resource
}

// crd is a CustomResourceDefinition that takes any fields.
func (k kind) crd() *unstructured.Unstructured {
	resource := k.resource()
	scope := "Namespaced"
	if k.cluster {
		scope = "Cluster"
	}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": resource.Resource + "." + k.Group},
		"spec": map[string]any{
			"group": k.Group, "scope": scope,
			"names": map[string]any{"kind": k.Kind, "plural": resource.Resource, "singular": strings.ToLower(k.Kind)},
			"versions": []any{map[string]any{
				"name": k.Version, "served": true, "storage": true, "subresources": map[string]any{"status": map[string]any{}},
				"schema": map[string]any{"openAPIV3Schema": map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true}},
			}},
		},
	}}
}

// bring makes the CRDs that are not there yet.
func (w *World) bring(ctx context.Context, kinds ...kind) error {
	for _, k := range kinds {
		crd := k.crd()
		if w.present[crd.GetName()] {
			continue
		}
		if _, err := w.client.Resource(crds).Create(ctx, crd, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
			return fmt.Errorf("making the CRD %s: %w", crd.GetName(), err)
		}
		w.present[crd.GetName()] = true
	}
	return nil
}

// objects returns the objects of a kind; none where there is no such kind yet.
func (w *World) objects(ctx context.Context, k kind) ([]unstructured.Unstructured, error) {
	list, err := w.client.Resource(k.resource()).List(ctx, metav1.ListOptions{})
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return list.Items, nil
}
