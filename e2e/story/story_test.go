package story_test

import (
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/berth-dev/berth/e2e/harness"
)

// What the engineer runs after an edit.
const (
	generateTaints = "generate taints.yaml --from platform --from apps -o generated --quiet"
	generatePlugin = "generate intel-gpu.yaml --intent taints.yaml --from apps -o . --quiet"
)

// chapter is a part of the story. What follows makes no sense without it.
func chapter(t *testing.T, name string, tell func(*testing.T)) {
	t.Helper()
	if !t.Run(name, tell) {
		t.FailNow()
	}
}

func TestTheWholeStory(t *testing.T) {
	s := newSite(t)
	chapter(t, "before: the operator lands on a flaky node, and Plex cannot open its GPU", s.before)
	chapter(t, "render: berth writes what follows from the intent, and the repository is clean", s.renders)
	chapter(t, "apply with Flux: tolerations and affinities roll out, and no node changes", s.appliesWithFlux)
	chapter(t, "diff and apply: the nodes are tainted, and only what is listed comes back there", s.appliesToNodes)
	chapter(t, "a node that is deleted and registers again has its taint, and no cordon", s.rejoins)
	chapter(t, "consume is refused before anybody has seen the device", s.refusesToConsume)
	chapter(t, "advertise and confirm: Flux rolls the plugin out, and the kubelet's numbers become the evidence", s.advertisesAndConfirms)
	chapter(t, "consume: Plex asks for the device, and opens it", s.consumes)
	chapter(t, "a second run of everything changes nothing", s.changesNothingMore)
}

func (s *site) before(t *testing.T) {
	// On the day on which the operator arrives kai-server is being maintained, and the other flaky node was cordoned by hand.
	s.PatchNode(t, server, `{"spec":{"unschedulable":true}}`)
	s.PatchNode(t, wsl, `{"spec":{"unschedulable":true}}`)
	source := harness.ReadFiles(t, s.repo)["clusters/base/flux-system.yaml"]
	harness.Apply(t, s.Client, source)
	harness.Apply(t, s.Client, bootstrap)
	s.push(t, "platform", "apps")
	s.PatchNode(t, server, `{"spec":{"unschedulable":null}}`)

	s.runsOn(t, "signoz", "clickhouse-operator", tower)
	s.runsOn(t, "observability", "log-shipper", server, tower, wsl)
	s.plexSays(t, "operation not permitted")
}

func (s *site) renders(t *testing.T) {
	s.add(t, "default-deny")
	s.berth(t, 0, generateTaints)
	s.says(t, 0, "check", "[device-hostpath]") // what is wrong with Plex, as a warning
	s.berth(t, 0, generateTaints+" --check")
}

func (s *site) appliesWithFlux(t *testing.T) {
	s.says(t, 1, "apply taints.yaml --yes", "Deployment plex/plex: does not tolerate berth.dev/wsl=flaky:NoSchedule") // too early
	s.push(t, "platform", "apps", "berth-record")
	s.runsOn(t, "observability", "log-shipper", server) // its affinity keeps it away, since its toleration defeats the taint
	s.runsOn(t, "observability", "node-exporter", server, tower, wsl)
	s.says(t, 1, "diff taints.yaml", "[taint-missing]", "[drop-in-not-deployed]")
	s.deployDropIns(t)
	if s.tainted(t, tower) {
		t.Error("a drop-in tainted a node that exists: the documentation says that it does not")
	}
}

func (s *site) appliesToNodes(t *testing.T) {
	s.says(t, 1, "diff taints.yaml", "[taint-missing]", "Deployment signoz/clickhouse-operator [pod-not-allowed-back]", "[cordoned]")
	s.berth(t, 0, "apply taints.yaml --yes --uncordon")
	for _, node := range []string{tower, wsl} {
		if !s.tainted(t, node) {
			t.Errorf("%s has the taints %v", node, s.node(t, node).Spec.Taints)
		}
	}
	s.says(t, 0, "diff taints.yaml", "no drift", "[pod-not-allowed-back]")

	s.replace(t, "signoz", "clickhouse-operator")
	s.runsOn(t, "signoz", "clickhouse-operator", server)
	s.replace(t, "observability", "node-exporter")
	s.runsOn(t, "observability", "node-exporter", server, tower, wsl)
	s.replace(t, "observability", "log-shipper")
	s.runsOn(t, "observability", "log-shipper", server)
	s.clean(t)
}

func (s *site) rejoins(t *testing.T) {
	s.PatchNode(t, tower, `{"spec":{"unschedulable":true}}`)
	s.says(t, 0, "diff taints.yaml", "[cordoned]")
	s.rejoin(t)
	if !s.tainted(t, tower) {
		t.Errorf("the taint is lost: %v", s.node(t, tower).Spec.Taints)
	}
	if s.node(t, tower).Spec.Unschedulable {
		t.Error("the cordon survived")
	}
	s.clean(t)
	s.berth(t, 0, "apply taints.yaml --yes") // writes down again whose the taint is
}

func (s *site) refusesToConsume(t *testing.T) {
	s.add(t, "device")
	s.edit(t, "sha256:"+strings.Repeat("0", 64), s.digest)
	s.says(t, 1, "confirm intel-gpu.yaml", "[daemonset-missing]", "keep stage: advertise")
	s.edit(t, "stage: advertise", "stage: consume")
	s.says(t, 1, generatePlugin, "nothing shows that the nodes offer what the consumers ask for", "nothing was written")
	s.says(t, 1, "check", "[evidence-missing]")
	s.edit(t, "stage: consume", "stage: advertise")
}

func (s *site) advertisesAndConfirms(t *testing.T) {
	s.berth(t, 0, generatePlugin)
	s.berth(t, 0, "check")
	s.push(t)
	s.says(t, 0, "confirm intel-gpu.yaml --wait 3m --by jane", "wrote intel-gpu.evidence.yaml: 1 nodes")
	s.areReady(t, "intel-gpu-plugin", "apps")
	s.ranPinned(t)
	offered := s.node(t, tower).Status.Allocatable[i915]
	if got := s.evidence(t); got[tower] != offered.Value() || got[tower] != 1 || len(got) != 1 {
		t.Errorf("the evidence says %v, and the kubelet %d", got, offered.Value())
	}
	s.plexSays(t, "operation not permitted") // nobody was switched
}

func (s *site) consumes(t *testing.T) {
	s.edit(t, "stage: advertise", "stage: consume")
	s.berth(t, 0, generatePlugin)
	s.says(t, 0, "check", "nothing found")
	s.push(t, "intel-gpu-plugin", "apps")
	s.plexSays(t, "opened")
}

func (s *site) changesNothingMore(t *testing.T) {
	files, taints := harness.ReadFiles(t, s.repo), s.node(t, tower).Spec.Taints
	s.berth(t, 0, generateTaints)
	s.berth(t, 0, generatePlugin)
	s.says(t, 0, "apply taints.yaml --yes", "nothing to change")
	s.clean(t)
	if !maps.Equal(files, harness.ReadFiles(t, s.repo)) {
		t.Error("berth generate changed files")
	}
	if now := s.node(t, tower).Spec.Taints; !reflect.DeepEqual(taints, now) {
		t.Errorf("berth apply changed the taints from %v to %v", taints, now)
	}
}

// clean demands a diff without an error and without a warning.
func (s *site) clean(t *testing.T) {
	t.Helper()
	r := s.berth(t, 0, "diff taints.yaml")
	if !strings.Contains(r.Out, "no drift") || strings.Contains(r.Out, "warning") {
		t.Errorf("berth diff says:\n%s", r.Out)
	}
}
