package live

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
)

func TestNodeArgsAreReadAsK3sWritesThem(t *testing.T) {
	cases := map[string]struct {
		args       string
		taints     string
		labels     map[string]string
		unreadable string
	}{
		"joined with =":        {args: `["agent","--node-taint=a=b:NoSchedule"]`, taints: "a=b:NoSchedule"},
		"as the next argument": {args: `["agent","--node-taint","a=b:NoSchedule","--server","https://x"]`, taints: "a=b:NoSchedule"},
		"with one dash":        {args: `["agent","-node-taint","a:NoExecute"]`, taints: "a:NoExecute"},
		"several of them":      {args: `["agent","--node-taint","a:NoExecute","--node-taint=b:NoSchedule"]`, taints: "a:NoExecute b:NoSchedule"},
		"at the very end":      {args: `["agent","--node-taint"]`},
		"none":                 {args: `["server"]`},
		"labels too":           {args: `["agent","--node-label","x=y","--node-label=z"]`, labels: map[string]string{"x": "y", "z": ""}},
		"another flag that begins alike": {
			args: `["agent","--node-taints=a:NoExecute","--node-taint-x","b:NoExecute"]`},
		"something that is no taint": {args: `["agent","--node-taint=","--node-taint=a"]`, unreadable: ",a"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			node := &corev1.Node{}
			node.Annotations = map[string]string{"k3s.io/node-args": c.args}
			got, err := readNodeArgs(node, v1alpha1.K3s)
			if err != nil {
				t.Fatal(err)
			}
			if c.labels == nil {
				c.labels = map[string]string{}
			}
			for _, diff := range []string{
				cmp.Diff(c.taints, strings.Join(texts(got.taints), " ")), cmp.Diff(c.labels, got.labels), cmp.Diff(c.unreadable, strings.Join(got.unreadable, ",")),
			} {
				if diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

func TestEachDistributionHasAnAnnotationOfItsOwn(t *testing.T) {
	node := &corev1.Node{}
	node.Annotations = map[string]string{"rke2.io/node-args": `["agent","--node-taint=a:NoExecute"]`}
	if got, err := readNodeArgs(node, v1alpha1.K3s); got != nil || err != nil {
		t.Errorf("k3s: got %v, %v", got, err)
	}
	if got, err := readNodeArgs(node, v1alpha1.RKE2); err != nil || len(got.taints) != 1 {
		t.Errorf("rke2: got %v, %v", got, err)
	}
}

func TestNodeArgsThatAreNoListAreAnError(t *testing.T) {
	node := &corev1.Node{}
	node.Annotations = map[string]string{"k3s.io/node-args": `agent --node-taint`}
	if _, err := readNodeArgs(node, v1alpha1.K3s); err == nil || !strings.Contains(err.Error(), "k3s.io/node-args is no JSON list") {
		t.Errorf("got %v", err)
	}
}
