package live

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
)

// Cluster is the connection to one cluster.
type Cluster struct {
	// Server is the address, for messages.
	Server string
	// Retry says how long a write is tried again. The zero value stands for DefaultRetry.
	Retry Retry

	client dynamic.Interface
}

// NewCluster returns the cluster behind a client.
func NewCluster(client dynamic.Interface, server string) *Cluster {
	return &Cluster{Server: server, Retry: DefaultRetry, client: client}
}

// The resources that are read.
var (
	nodes        = schema.GroupVersionResource{Version: "v1", Resource: "nodes"}
	pods         = schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	volumes      = schema.GroupVersionResource{Version: "v1", Resource: "persistentvolumes"}
	deployments  = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	statefulSets = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "statefulsets"}
	daemonSets   = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "daemonsets"}
	replicaSets  = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "replicasets"}
	cronJobs     = schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "cronjobs"}
	jobs         = schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "jobs"}
)

// pageSize is how many objects one request asks for, as kubectl does (kubectl get --chunk-size).
const pageSize = 500

// list reads all objects of a resource, in all namespaces, in the server's order.
func list[T any](ctx context.Context, c *Cluster, of schema.GroupVersionResource) ([]T, error) {
	var all []T
	options := metav1.ListOptions{Limit: pageSize}
	for {
		page, err := c.client.Resource(of).List(ctx, options)
		if err != nil {
			return nil, c.fault("reading "+of.Resource, right{"list", of}, err)
		}
		for i := range page.Items {
			object, err := convert[T](&page.Items[i])
			if err != nil {
				return nil, err
			}
			all = append(all, object)
		}
		if options.Continue = page.GetContinue(); options.Continue == "" {
			return all, nil
		}
	}
}

func convert[T any](from *unstructured.Unstructured) (T, error) {
	var object T
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(from.Object, &object); err != nil {
		return object, fmt.Errorf("%s %s/%s: the server sent what Berth does not understand: %w", from.GetKind(), from.GetNamespace(), from.GetName(), err)
	}
	return object, nil
}
