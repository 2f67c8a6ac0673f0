package live

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// Cluster is the connection to one cluster.
type Cluster struct {
	// Server is the address, for messages.
	Server string
	// Retry says how long a write is tried again. The zero value stands for DefaultRetry.
	Retry Retry
	// Rewatch says how soon a watch that broke is begun anew; its patience does not end.
	Rewatch Retry

	client dynamic.Interface
	// streams is for watches, which have no end that a request could take too long for.
	streams dynamic.Interface
}

// Connect returns the cluster of a configuration, whose timeout is that of one request. Nothing is sent yet.
func Connect(config *rest.Config) (*Cluster, error) {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", config.Host, err)
	}
	endless := rest.CopyConfig(config)
	endless.Timeout = 0
	streams, err := dynamic.NewForConfig(endless)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", config.Host, err)
	}
	return &Cluster{Server: config.Host, Retry: DefaultRetry, Rewatch: DefaultRewatch, client: client, streams: streams}, nil
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
