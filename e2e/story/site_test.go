package story_test

import (
	"path/filepath"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/e2e/harness"
	"github.com/berth-dev/berth/e2e/world"
)

func TestMain(m *testing.M) { harness.Main(m) }

const (
	server = "kai-server"            // the default home
	tower  = "kai-desktop-tower"     // flaky, with a GPU: the node with the kubelet
	wsl    = "kai-desktop-tower-wsl" // flaky

	i915   = "gpu.intel.com/i915"
	render = "/dev/dri/renderD128"

	pluginRepository = "ghcr.io/berth-dev/berth-device-plugin"
)

// ours is the taint of the intent.
var ours = corev1.Taint{Key: "berth.dev/wsl", Value: "flaky", Effect: corev1.TaintEffectNoSchedule}

// standIns are the images of the repository in whose place the probe runs.
var standIns = []string{
	"quay.io/prometheus/node-exporter:v1.10.2", "docker.io/fluent/fluent-bit:4.2.0",
	"docker.io/altinity/clickhouse-operator:0.25.3", "docker.io/plexinc/pms-docker:1.41.6.9685-d301f511a",
}

// site is the home lab: a cluster with Flux and three nodes, and a checkout of its repository.
type site struct {
	*harness.Cluster
	*harness.Flux
	tools    harness.Tools
	admin    string // kubeconfig
	tower    *harness.Node
	repo     string // folder
	revision string // that was pushed last
	digest   string // of the device plugin's image
}

func newSite(t *testing.T) *site {
	t.Helper()
	tools := harness.FindTools(t)
	tools.NeedPodNetwork(t)
	s := &site{Cluster: harness.NewCluster(t, tools), tools: tools}
	s.admin = s.Admin(t)
	s.repo = harness.ReadFiles(t, "testdata/repo").Write(t)
	s.tower = harness.NewNode(t, s.Cluster, tower)
	s.tower.AddGPU(t, harness.GPU{Address: "0000:7e:00.0", Driver: "i915", Card: 0, Render: 128})
	s.tower.ShowSysfs(t)
	s.digest = s.tower.ImportPinned(t, tools.PluginImage, pluginRepository)
	for _, image := range standIns {
		s.tower.TagProbe(t, image)
	}
	s.StartControllers(t)
	s.AddNode(t, server, harness.NodeArgs(t))
	s.AddNode(t, wsl, harness.NodeArgs(t))
	s.AsK3s(t, tower)
	world.Start(t, s.Cluster)
	// A health check that is under way when a new revision comes would else go on until its timeout.
	s.Flux = harness.StartFlux(t, s.Cluster, s.admin, "--feature-gates=CancelHealthCheckOnNewRevision=true")
	return s
}

// deployDropIns does what Ansible does: the drop-ins are copied to the nodes, and the agents restart.
func (s *site) deployDropIns(t *testing.T) {
	t.Helper()
	for _, node := range []string{server, tower, wsl} {
		taints := s.tools.DropInTaints(t, filepath.Join(s.repo, "generated"), node)
		if node == tower {
			s.tower.RegisterWith(taints...)
			s.tower.RestartKubelet(t)
		}
		s.AsK3s(t, node, taints...)
	}
}

// rejoin deletes the Node of the tower, whose agent then registers it anew, with what k3s reads from its drop-in.
func (s *site) rejoin(t *testing.T) {
	t.Helper()
	before := s.node(t, tower)
	s.tower.StopKubelet()
	if err := s.Core.Nodes().Delete(t.Context(), tower, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	taints := s.tools.DropInTaints(t, filepath.Join(s.repo, "generated"), tower)
	s.tower.RegisterWith(taints...)
	s.tower.StartKubelet(t)
	s.AsK3s(t, tower, taints...)
	if s.node(t, tower).UID == before.UID {
		t.Fatal("the node did not register anew")
	}
	harness.Eventually(t, time.Minute, func() error { return s.isReady(t, tower) })
}
