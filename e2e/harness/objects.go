package harness

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
)

// Objects reads a stream of YAML documents. Empty ones are left out.
func Objects(t *testing.T, text []byte) []*unstructured.Unstructured {
	t.Helper()
	var all []*unstructured.Unstructured
	for decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096); ; {
		object := &unstructured.Unstructured{}
		err := decoder.Decode(&object.Object)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("reading objects: %v", err)
		}
		if len(object.Object) > 0 {
			all = append(all, object)
		}
	}
}

// Server is a cluster's API for objects of every kind that it serves.
type Server struct {
	client dynamic.Interface
	mapper meta.RESTMapper
}

// NewServer asks the API server what it serves.
func NewServer(t *testing.T, config *rest.Config) *Server {
	t.Helper()
	found, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	groups, err := restmapper.GetAPIGroupResources(found)
	if err != nil {
		t.Fatal(err)
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return &Server{client: client, mapper: restmapper.NewDiscoveryRESTMapper(groups)}
}

// Of gives where objects of this one's kind and namespace are. It is an error that meta.IsNoMatchError knows when the server
// does not serve the kind.
func (s *Server) Of(object *unstructured.Unstructured) (dynamic.ResourceInterface, error) {
	kind := object.GroupVersionKind()
	mapping, err := s.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return nil, err
	}
	resource := s.client.Resource(mapping.Resource)
	if mapping.Scope.Name() == meta.RESTScopeNameRoot {
		return resource, nil
	}
	if object.GetNamespace() == "" {
		return nil, fmt.Errorf("%s %s has no namespace", kind.Kind, object.GetName())
	}
	return resource.Namespace(object.GetNamespace()), nil
}
