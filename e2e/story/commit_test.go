package story_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/berth-dev/berth/e2e/harness"
)

const repository = "flux-system/flux-system"

// bootstrap is the Kustomization that flux bootstrap makes, besides the GitRepository.
const bootstrap = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: flux-system, namespace: flux-system}
spec:
  interval: 10m
  retryInterval: 5s
  path: ./clusters/dev
  prune: true
  sourceRef: {kind: GitRepository, name: flux-system}
`

// add copies what somebody writes into the repository.
func (s *site) add(t *testing.T, folder string) {
	t.Helper()
	for name, text := range harness.ReadFiles(t, filepath.Join("testdata", folder)) {
		s.write(t, name, text)
	}
}

// edit replaces a text that stands in the device plugin's file.
func (s *site) edit(t *testing.T, before, after string) {
	t.Helper()
	const name = "intel-gpu.yaml"
	text := harness.ReadFiles(t, s.repo)[name]
	if !strings.Contains(text, before) {
		t.Fatalf("%s does not contain %q", name, before)
	}
	s.write(t, name, strings.ReplaceAll(text, before, after))
}

func (s *site) write(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join(s.repo, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// push publishes the repository to Flux, and waits until Kustomizations are ready with it.
func (s *site) push(t *testing.T, kustomizations ...string) {
	t.Helper()
	s.revision = s.Publish(t, repository, harness.ReadFiles(t, s.repo))
	s.areReady(t, append([]string{"flux-system"}, kustomizations...)...)
}

// areReady waits until Kustomizations are ready with what was pushed last.
func (s *site) areReady(t *testing.T, kustomizations ...string) {
	t.Helper()
	for _, name := range kustomizations {
		took := harness.Eventually(t, 3*time.Minute, func() error { return s.applied(t, name) })
		t.Logf("Kustomization %s is ready after %v", name, took.Round(time.Millisecond))
	}
}

func (s *site) applied(t *testing.T, name string) error {
	t.Helper()
	o, err := s.Kustomization(t.Context(), harness.FluxNamespace, name)
	if err != nil {
		return err
	}
	if got, _, _ := unstructured.NestedString(o.Object, "status", "lastAppliedRevision"); got != s.revision || !harness.IsReady(o) {
		return fmt.Errorf("Kustomization %s has %s, want %s: %v", name, got, s.revision, harness.Condition(o, "Ready")["message"])
	}
	return nil
}

// berth runs a command in the repository as the administrator of the cluster, and demands an exit code.
func (s *site) berth(t *testing.T, code int, line string) harness.Result {
	t.Helper()
	r := s.tools.RunBerthIn(t, s.repo, s.admin, nil, strings.Fields(line)...)
	if r.Code != code {
		t.Fatalf("berth %s: exit %d, want %d\n%s%s", line, r.Code, code, r.Out, r.Errors)
	}
	return r
}

// says is berth, whose output has to contain something.
func (s *site) says(t *testing.T, code int, line string, wants ...string) {
	t.Helper()
	r := s.berth(t, code, line)
	for _, want := range wants {
		if !strings.Contains(r.Out+r.Errors, want) {
			t.Errorf("berth %s does not say %q:\n%s%s", line, want, r.Out, r.Errors)
		}
	}
}

// evidence is how much of the GPU the evidence in the repository says of each node.
func (s *site) evidence(t *testing.T) map[string]int64 {
	t.Helper()
	var evidence struct {
		Spec struct {
			Nodes []struct {
				Name        string
				Allocatable map[string]int64
			}
		}
	}
	if err := yaml.Unmarshal([]byte(harness.ReadFiles(t, s.repo)["intel-gpu.evidence.yaml"]), &evidence); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int64{}
	for _, node := range evidence.Spec.Nodes {
		seen[node.Name] = node.Allocatable[i915]
	}
	return seen
}
