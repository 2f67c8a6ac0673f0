package live

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAPodThatWouldNotComeBackForAnotherReasonIsNoneOfTheTaints(t *testing.T) {
	label := strings.Replace(home, `reason: flaky}`, `label: example.com/is=wsl, reason: flaky}`, 1)
	cases := map[string]struct {
		intent, spec, want string
	}{
		"the taint alone":                        {home, "", "warning pod-not-allowed-back"},
		"a selector too":                         {home, "nodeSelector: {disk: ssd}", "info pod-would-not-return"},
		"an affinity too":                        {home, "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: Exists}]}]}}}", "info pod-would-not-return"},
		"a device too":                           {home, "containers: [{name: c, resources: {limits: {example.com/gpu: 1}}}]", "info pod-would-not-return"},
		"more than the node has":                 {home, "containers: [{name: c, resources: {requests: {cpu: 5}}}]", "info pod-would-not-return"},
		"as much as the node has":                {home, "containers: [{name: c, resources: {requests: {cpu: 4}}}]", "warning pod-not-allowed-back"},
		"a label that the intent gives":          {label, "nodeSelector: {example.com/is: wsl}", "warning pod-not-allowed-back"},
		"only a selector":                        {home, "tolerations: [{operator: Exists}], nodeSelector: {disk: ssd}", ""},
		"a taint that evicts it, and a selector": {strings.Replace(home, "NoSchedule", "NoExecute", 1), "nodeSelector: {disk: ssd}", "warning pod-not-allowed-back"},
		"a taint that evicts it later": {strings.Replace(home, "NoSchedule", "NoExecute", 1),
			"tolerations: [{key: berth.dev/wsl, operator: Exists, effect: NoExecute, tolerationSeconds: 60}]", "warning pod-evicted-later"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			nodes := strings.ReplaceAll(homeNodes, "}\n", "}\nstatus: {allocatable: {cpu: 4}}\n")
			_, cluster := serve(t, nodes+fmt.Sprintf("---\napiVersion: v1\nkind: Pod\nmetadata: {namespace: shop, name: web}\nspec: {nodeName: kai-desktop-tower%s}\n", prefixed(", ", c.spec)))
			snapshot, err := cluster.Read(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range Compare(snapshot, readIntentsOf(t, c.intent)).Findings {
				if f.Object != nil && f.Object.Kind == "Pod" {
					got = append(got, fmt.Sprintf("%s %s", f.Severity, f.Code))
				}
			}
			if diff := cmp.Diff(c.want, strings.Join(got, ", ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}
