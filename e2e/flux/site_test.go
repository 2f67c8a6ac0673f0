package flux_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/e2e/harness"
	"github.com/berth-dev/berth/e2e/world"
)

func TestMain(m *testing.M) { harness.Main(m) }

const (
	root        = "../.." // of this repository
	repository  = "flux-system/flux-system"
	gatewayAPIs = "flux-system/gateway-api"
)

// site is a cluster with Flux in it.
type site struct {
	*harness.Cluster
	*harness.Flux
	recorder *harness.Recorder
	tools    harness.Tools
	files    harness.Files     // of the repository, as it is committed
	newest   map[string]string // revisions by repository
}

func newSite(t *testing.T) *site {
	t.Helper()
	tools := harness.FindTools(t)
	s := &site{Cluster: harness.NewCluster(t, tools), tools: tools, newest: map[string]string{}}
	s.StartControllers(t)
	for _, name := range []string{"k3s-prod-1", "k3s-prod-2", "k3s-prod-3", "desktop-tower-wsl"} {
		s.AddNode(t, name, nil)
	}
	s.recorder = harness.NewRecorder(t, s.Cluster)
	// A health check that is under way when a new revision comes would else go on until its timeout.
	s.Flux = harness.StartFlux(t, s.Cluster, s.recorder.Kubeconfig, "--feature-gates=CancelHealthCheckOnNewRevision=true")
	world.Start(t, s.Cluster)
	s.files = harness.ReadFiles(t, root, "clusters")
	s.files["berth.yaml"] = harness.ReadFiles(t, root, "berth.yaml")["berth.yaml"]
	s.publish(t, gatewayAPIs, s.gatewayAPI(t))
	return s
}

// gatewayAPI is the other repository that clusters/base refers to, at its tag, from the Go module of the same version.
func (s *site) gatewayAPI(t *testing.T) harness.Files {
	t.Helper()
	files := harness.Files{}
	for name, text := range harness.ReadFiles(t, filepath.Join(s.tools.CRDs, "gateway-api")) {
		files["config/crd/standard/"+name] = text
	}
	return files
}

func (s *site) publish(t *testing.T, name string, files harness.Files) {
	t.Helper()
	s.newest[name] = s.Publish(t, name, files)
}

// bootstrap does what `flux bootstrap --path` does.
func (s *site) bootstrap(t *testing.T, path string) {
	t.Helper()
	harness.Apply(t, s.Client, s.files["clusters/base/flux-system.yaml"])
	harness.Apply(t, s.Client, `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: flux-system, namespace: flux-system}
spec:
  interval: 10m
  retryInterval: 1m
  path: `+path+`
  prune: true
  sourceRef: {kind: GitRepository, name: flux-system}
`)
}

// berth runs a command of which JSON is expected, and demands exit code 0.
func (s *site) berth(t *testing.T, into any, args ...string) string {
	t.Helper()
	r := s.tools.RunBerth(t, "", nil, args...)
	if r.Code != 0 {
		t.Fatalf("berth %s: exit %d\n%s%s", strings.Join(args, " "), r.Code, r.Out, r.Errors)
	}
	if into != nil {
		if err := json.Unmarshal([]byte(r.Out), into); err != nil {
			t.Fatalf("berth %s: %v", strings.Join(args, " "), err)
		}
	}
	return r.Out
}

// graph is what berth graph prints.
type graph struct {
	Kustomizations []struct {
		id
		Path   string
		Wave   int
		Source id // of which only the name and namespace are read
	}
	Edges []struct{ From, To id }
	Stall struct{ Held, NotReady []stalled }
}

type id struct{ Namespace, Name string }

func (i id) String() string { return i.Namespace + "/" + i.Name }

type stalled struct {
	ID, Behind id
	Because    string
}

// delete deletes a Kustomization of Flux's namespace; the controller deletes what it applied.
func (s *site) delete(t *testing.T, name string) error {
	t.Helper()
	return s.Client.Resource(harness.Kustomizations).Namespace(harness.FluxNamespace).Delete(t.Context(), name, metav1.DeleteOptions{})
}
