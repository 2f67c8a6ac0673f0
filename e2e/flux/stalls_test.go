package flux_test

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/berth-dev/berth/e2e/harness"
	"github.com/berth-dev/berth/e2e/world"
)

// refused is an object that kustomize builds and the API server does not take.
const refused = `apiVersion: v1
kind: ConfigMap
metadata: {name: Not_A_Name, namespace: default}
`

// unhealthy says how a Kustomization is broken so that everything is applied and something never becomes ready: a text of a file in
// clusters/, and what stands there instead.
var unhealthy = map[string]struct{ file, text, instead string }{
	"platform":         {"platform/cert-manager.yaml", "chart: cert-manager", "chart: " + world.NeverReady},
	"apps-wave-0":      {"apps/wave-0/plex.yaml", "docker.io/plexinc/pms-docker:1.42.1.10060-4e8b05daf", world.NeverReady},
	"intel-gpu-plugin": {"platform-gpu/daemonset.yaml", "ghcr.io/berth-dev/berth-device-plugin:", world.NeverReady + " # "},
}

// breakEach breaks every Kustomization in turn. A revision that breaks one mends the one before, which has to become ready with it; the
// last revision mends the last.
func (s *site) breakEach(t *testing.T, g graph, checkout string) {
	for _, k := range g.Kustomizations {
		t.Run(k.Name+" is refused", func(t *testing.T) {
			if k.String() == gatewayAPIs {
				s.publish(t, gatewayAPIs, s.gatewayAPI(t).With(harness.Files{"config/crd/standard/refused.yaml": refused}))
				s.waitFor(t, gatewayAPIs, func(st state) bool { return st.attempted && !st.ready && st.reason != "Progressing" })
				s.stalls(t, g, checkout, k.id, s.files)
				s.publish(t, gatewayAPIs, s.gatewayAPI(t))
				s.waitFor(t, gatewayAPIs, func(st state) bool { return st.ready })
				return
			}
			s.stalls(t, g, checkout, k.id, s.withObject(t, k.Path, refused))
		})
		if u, ok := unhealthy[k.Name]; ok {
			t.Run(k.Name+" is never healthy", func(t *testing.T) {
				file := "clusters/" + u.file
				broken := strings.Replace(s.files[file], u.text, u.instead, 1)
				if broken == s.files[file] {
					t.Fatalf("%s does not hold %q", file, u.text)
				}
				s.stalls(t, g, checkout, k.id, s.files.With(harness.Files{file: broken}))
			})
		}
	}
	t.Run("mended", func(t *testing.T) {
		s.publish(t, repository, s.files)
		if stuck := s.settle(t, "", len(g.Kustomizations)); len(stuck) > 0 {
			t.Fatalf("not ready: %v", stuck)
		}
	})
}

// withObject adds an object to a folder with a kustomization.yaml.
func (s *site) withObject(t *testing.T, folder, text string) harness.Files {
	t.Helper()
	file := path.Join(folder, "kustomization.yaml")
	changed := strings.Replace(s.files[file], "resources:\n", "resources:\n  - added-by-the-test.yaml\n", 1)
	if changed == s.files[file] {
		t.Fatalf("%s lists no resources", file)
	}
	return s.files.With(harness.Files{file: changed, path.Join(folder, "added-by-the-test.yaml"): text})
}

// stalls publishes a broken revision and compares what is not ready, once nothing moves, with what berth graph says.
func (s *site) stalls(t *testing.T, g graph, checkout string, broken id, files harness.Files) {
	t.Helper()
	var stall graph
	s.berth(t, &stall, "graph", checkout, "--env", "dev", "--stalls", broken.String(), "-o", "json")
	want := append(behind(stall), broken.String())
	slices.Sort(want)
	began := time.Now()
	s.publish(t, repository, files)
	if got := s.settle(t, broken.String(), len(g.Kustomizations)); !slices.Equal(got, want) {
		t.Errorf("not ready are\n%v\nberth graph --stalls says\n%v", got, want)
	}
	t.Logf("%v after %v", want, time.Since(began).Round(time.Millisecond))
}

// behind lists what berth graph says is held or not ready, on a cluster in which everything is declared already: what is held only
// because the broken one declares it, or behind such a one, is held on a cold start alone.
func behind(g graph) []string {
	fresh := map[id]bool{}
	var all []string
	for _, one := range append(slices.Clone(g.Stall.Held), g.Stall.NotReady...) {
		if one.Because == "inside" || fresh[one.Behind] {
			fresh[one.ID] = true
			continue
		}
		all = append(all, one.ID.String())
	}
	return all
}

// waitFor waits for the state of one Kustomization.
func (s *site) waitFor(t *testing.T, name string, ok func(state) bool) {
	t.Helper()
	harness.Eventually(t, time.Minute, func() error {
		all, err := s.states(t.Context())
		if err == nil && !ok(all[name]) {
			err = fmt.Errorf("%s: %+v", name, all[name])
		}
		return err
	})
}
