package live

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// part is what one object adds to a snapshot.
type part func(*Snapshot)

// reading is a resource that is read, and what becomes of its objects.
type reading struct {
	of     schema.GroupVersionResource
	decode func(*unstructured.Unstructured) (part, error)
}

// Scope is which resources of a cluster are looked at.
type Scope []reading

// The scopes.
var (
	// Everything is what Compare, NewPlan and NewDraft look at.
	Everything = Scope{
		readNodes, readPods, as(volumes, func(s *Snapshot, v *corev1.PersistentVolume) { s.Volumes = append(s.Volumes, *v) }),
		making(deployments, ofDeployment), making(statefulSets, ofStatefulSet), readDaemonSets,
		making(replicaSets, ofReplicaSet), making(cronJobs, ofCronJob), making(jobs, ofJob),
	}
	// Plugins is what Sight looks at.
	Plugins = Scope{readNodes, readPods, readDaemonSets}
)

var (
	readNodes      = as(nodes, func(s *Snapshot, n *corev1.Node) { s.Nodes = append(s.Nodes, *n) })
	readPods       = as(pods, func(s *Snapshot, p *corev1.Pod) { s.Pods = append(s.Pods, *p) })
	readDaemonSets = making(daemonSets, ofDaemonSet)
)

// as reads a resource whose objects are kept as they are.
func as[T any](of schema.GroupVersionResource, add func(*Snapshot, *T)) reading {
	return reading{of, func(from *unstructured.Unstructured) (part, error) {
		object, err := convert[T](from)
		return func(s *Snapshot) { add(s, object) }, err
	}}
}

// making reads a resource whose objects make pods.
func making[T any](of schema.GroupVersionResource, turn func(*T) Workload) reading {
	return reading{of, func(from *unstructured.Unstructured) (part, error) {
		object, err := convert[T](from)
		if err != nil {
			return nil, err
		}
		w := turn(object)
		return func(s *Snapshot) { s.Workloads = append(s.Workloads, w) }, nil
	}}
}

// convert decodes an object without what nobody here looks at, and what makes up most of it.
func convert[T any](from *unstructured.Unstructured) (*T, error) {
	for _, field := range [][]string{{"metadata", "managedFields"}, {"metadata", "annotations", corev1.LastAppliedConfigAnnotation}, {"status", "images"}} {
		unstructured.RemoveNestedField(from.Object, field...)
	}
	object := new(T)
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(from.Object, object); err != nil {
		return nil, fmt.Errorf("%s %s/%s: the server sent what Berth does not understand: %w", from.GetKind(), from.GetNamespace(), from.GetName(), err)
	}
	return object, nil
}

// read reads a scope once.
func (c *Cluster) read(ctx context.Context, scope Scope) (*Snapshot, error) {
	s := &Snapshot{Server: c.Server}
	for _, r := range scope {
		parts, err := c.list(ctx, r)
		if err != nil {
			return nil, err
		}
		for _, add := range parts {
			add(s)
		}
	}
	s.sort()
	return s, nil
}

// pageSize is how many objects one request asks for, as kubectl does (kubectl get --chunk-size).
const pageSize = 500

// list reads all objects of a resource, in all namespaces, in the server's order.
func (c *Cluster) list(ctx context.Context, r reading) ([]part, error) {
	var all []part
	options := metav1.ListOptions{Limit: pageSize}
	for {
		page, err := c.page(ctx, r.of, options)
		if apierrors.IsResourceExpired(err) && options.Continue != "" {
			all, options = nil, metav1.ListOptions{} // the pages took so long that the server forgot their version: all at once
			continue
		}
		if err != nil {
			return nil, c.fault("reading "+r.of.Resource, right{"list", r.of}, err)
		}
		for i := range page.Items {
			add, err := r.decode(&page.Items[i])
			if err != nil {
				return nil, err
			}
			all = append(all, add)
		}
		if options.Continue = page.GetContinue(); options.Continue == "" {
			return all, nil
		}
	}
}

// page asks for one page, again as long as the server says that it is busy. A server that is not there at all is no
// reason to wait: it may be the wrong one.
func (c *Cluster) page(ctx context.Context, of schema.GroupVersionResource, options metav1.ListOptions) (page *unstructured.UnstructuredList, err error) {
	err = c.Retry.do(ctx, busy, func(ctx context.Context) error {
		page, err = c.client.Resource(of).List(ctx, options)
		return err
	})
	return page, err
}
