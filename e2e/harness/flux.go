package harness

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/yaml"
)

// FluxNamespace is where Flux's own objects are.
const FluxNamespace = "flux-system"

// Kustomizations are the objects that kustomize-controller reconciles.
var Kustomizations = schema.GroupVersionResource{Group: "kustomize.toolkit.fluxcd.io", Version: "v1", Resource: "kustomizations"}

// Flux is kustomize-controller, with Sources in the place of source-controller.
type Flux struct {
	*Sources
	Client     dynamic.Interface
	Controller *Process
}

// StartFlux brings Flux's CRDs and starts kustomize-controller with a kubeconfig, and with flags besides those that fit it into a test.
// HelmReleases are nobody's: no released helm-controller can be built from the module proxy.
func StartFlux(t *testing.T, c *Cluster, kubeconfig string, flags ...string) *Flux {
	t.Helper()
	client, err := dynamic.NewForConfig(c.Config)
	if err != nil {
		t.Fatal(err)
	}
	c.WaitReady(t)
	c.namespace(t, FluxNamespace)
	for name, text := range ReadFiles(t, c.tools.CRDs) {
		if filepath.Dir(name) == "flux" {
			Apply(t, client, text)
		}
	}
	f := &Flux{Client: client}
	Eventually(t, time.Minute, func() error { // the API serves a CRD a moment after it is created
		for _, resource := range []schema.GroupVersionResource{Kustomizations, gitRepositories, helmRepositories} {
			if _, err := client.Resource(resource).List(t.Context(), metav1.ListOptions{}); err != nil {
				return err
			}
		}
		return nil
	})
	f.Sources = newSources(t, client)
	f.startController(t, c, kubeconfig, flags)
	return f
}

// startController gives the controller a temporary folder of its own, since it empties that of what it finds.
func (f *Flux) startController(t *testing.T, c *Cluster, kubeconfig string, flags []string) {
	t.Helper()
	dir := filepath.Join(c.Dir, "flux")
	if err := os.MkdirAll(dir, 0o750); err != nil {
		t.Fatal(err)
	}
	argv := append([]string{
		"/usr/bin/env", "KUBECONFIG=" + kubeconfig, "TMPDIR=" + dir, "RUNTIME_NAMESPACE=" + FluxNamespace,
		c.tools.KustomizeController, "--metrics-addr=0", "--health-addr=0", "--requeue-dependency=500ms", "--concurrent=20",
		"--kube-api-qps=200", "--kube-api-burst=400",
	}, flags...)
	f.Controller = Start(t, c.Dir, "kustomize-controller", argv...)
}

func (c *Cluster) namespace(t *testing.T, name string) {
	t.Helper()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if _, err := c.Core.Namespaces().Create(t.Context(), namespace, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		t.Fatal(err)
	}
}

// Kustomization returns a Kustomization as it is now.
func (f *Flux) Kustomization(ctx context.Context, namespace, name string) (*unstructured.Unstructured, error) {
	return f.Client.Resource(Kustomizations).Namespace(namespace).Get(ctx, name, metav1.GetOptions{})
}

// Decode reads one object of YAML.
func Decode(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	o := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &o.Object); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return o
}
