package v1alpha1

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const labelled = `apiVersion: berth.dev/v1alpha1
kind: TaintIntent
metadata:
  name: home
spec:
  taints:
    - {name: wsl, taint: "berth.dev/wsl=flaky:NoSchedule", label: berth.dev/wsl=flaky}
    - {name: gone, taint: "berth.dev/wsl=flaky:NoExecute", label: berth.dev/wsl=flaky}
    - {name: gpu, taint: "example.com/gpu:NoExecute"}
  nodes:
    - names: [a]
      taints: [wsl, gone, gpu]
      labels: {zone: z, berth.dev/wsl: flaky, app: x}
    - names: [b]
`

func TestANodeHasTheLabelsOfItsGroupAndOfItsTaints(t *testing.T) {
	intent := readOne(t, labelled)
	want := []Label{{"app", "x"}, {"berth.dev/wsl", "flaky"}, {"zone", "z"}}
	if diff := cmp.Diff(want, intent.NodeLabels("a")); diff != "" {
		t.Error(diff)
	}
	if labels := append(intent.NodeLabels("b"), intent.NodeLabels("nobody")...); len(labels) != 0 {
		t.Errorf("%v", labels)
	}
	if diff := cmp.Diff(want[1:2], intent.LabelsByName([]string{"gpu", "gone", "wsl"})); diff != "" {
		t.Error(diff)
	}
}

// The kubelet's own rule: what is refused here stops a kubelet from starting.
func TestAKubeletMaySetLabelsOfItsOwnDomainsAndThoseOutsideOfKubernetes(t *testing.T) {
	for key, want := range map[string]bool{
		"disk": true, "example.com/disk": true, "notkubernetes.io/x": true,
		"kubernetes.io/hostname": true, "topology.kubernetes.io/zone": true,
		"node.kubernetes.io/pool": true, "my.node.kubernetes.io/pool": true, "kubelet.kubernetes.io/x": true,
		"node-role.kubernetes.io/worker": false, "kubernetes.io/role": false, "k8s.io/x": false, "sub.k8s.io/x": false,
		"node-restriction.kubernetes.io/x": false, "app.kubernetes.io/name": false,
	} {
		if got := KubeletMaySet(key); got != want {
			t.Errorf("%s: %t", key, got)
		}
	}
}
