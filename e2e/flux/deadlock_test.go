package flux_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/berth-dev/berth/e2e/harness"
)

// TestTheDeadlockThatCheckReports moves the StorageProfile into the tier whose CDI object makes the kind come to be. On a cold start
// the controller waits for it forever, and berth check says so beforehand.
func TestTheDeadlockThatCheckReports(t *testing.T) {
	s := newSite(t)
	file := "clusters/platform-config/kustomization.yaml"
	files := s.files.With(harness.Files{
		file: strings.Replace(s.files[file], "resources:\n", "resources:\n  - storage-profile.yaml\n", 1),
		"clusters/platform-config/storage-profile.yaml":   s.files["clusters/platform-config-cdi/storage-profile.yaml"],
		"clusters/platform-config-cdi/kustomization.yaml": "resources: []\n",
	})
	delete(files, "clusters/platform-config-cdi/storage-profile.yaml")
	checkReports(t, s, files.Write(t))

	s.publish(t, repository, s.withObject(t, "clusters/dev", refused))
	s.bootstrap(t, "./clusters/dev")
	s.declaresNothing(t)
	s.publish(t, repository, files)
	const tier, cause = "flux-system/platform-config", "no matches for kind \"StorageProfile\""
	s.waitFor(t, "flux-system/platform", func(st state) bool { return st.ready })
	s.stays(t, tier, cause)
	// Tried again it is the same: the CDI object, which would end it, is never applied.
	s.publish(t, repository, files)
	s.stays(t, tier, cause)
	for _, a := range s.recorder.Applied("kustomize-controller") {
		if strings.HasSuffix(a.Path, "/cdis/cdi") && !a.DryRun {
			t.Error("the CDI object was applied")
		}
	}
}

// declaresNothing waits until the entrypoint was refused on a cold start: none of the Kustomizations in it is there, which is what berth
// graph says.
func (s *site) declaresNothing(t *testing.T) {
	t.Helper()
	s.stays(t, repository, "Not_A_Name")
	all, err := s.states(t.Context())
	if err != nil || len(all) != 1 {
		t.Errorf("%v, and there are %v", err, all)
	}
	var g graph
	s.berth(t, &g, "graph", s.files.Write(t), "--env", "dev", "--stalls", repository, "-o", "json")
	if len(g.Stall.Held) != len(g.Kustomizations)-1 {
		t.Errorf("berth graph holds %v", g.Stall.Held)
	}
}

// checkReports demands that berth check finds the deadlock, and nothing else that is an error.
func checkReports(t *testing.T, s *site, checkout string) {
	t.Helper()
	var report struct {
		Findings []struct{ Code, Severity, Message string }
	}
	r := s.tools.RunBerth(t, "", nil, "check", checkout, "--path", "clusters/dev", "-o", "json", "--only", "crd-deadlock,crd-order")
	if err := json.Unmarshal([]byte(r.Out), &report); err != nil {
		t.Fatalf("berth check: exit %d, %v\n%s", r.Code, err, r.Errors)
	}
	if r.Code != 1 || len(report.Findings) != 1 || report.Findings[0].Code != "crd-deadlock" || !strings.Contains(r.Out, "StorageProfile") {
		t.Errorf("berth check: exit %d\n%s", r.Code, r.Out)
	}
}

// stays waits until the newest revision of a Kustomization was refused for a cause.
func (s *site) stays(t *testing.T, name, cause string) {
	t.Helper()
	harness.Eventually(t, 2*time.Minute, func() error {
		all, err := s.states(t.Context())
		if err != nil {
			return err
		}
		st := all[name]
		if st.ready {
			return harness.Fatal{Err: fmt.Errorf("%s is ready", name)}
		}
		if !st.attempted || st.reason != "ReconciliationFailed" || !strings.Contains(st.message, cause) {
			return fmt.Errorf("%s: %+v", name, st)
		}
		return nil
	})
}
