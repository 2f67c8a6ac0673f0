package admission_test

import (
	"strings"
	"testing"

	"github.com/berth-dev/berth/e2e/harness"
)

// refuses shows that the server does refuse and warn, so that its silence on the others means something.
func (j *judge) refuses(t *testing.T) {
	for name, c := range map[string]struct{ object, want string }{
		"a field that is misspelled": {
			`{apiVersion: v1, kind: ConfigMap, metadata: {namespace: a, name: x}, dta: {}}`, `unknown field "dta"`,
		},
		"a value that is not valid": {
			`{apiVersion: v1, kind: ConfigMap, metadata: {namespace: a, name: Not_Valid}}`, `ConfigMap a/Not_Valid is refused`,
		},
		"a pod that its namespace does not admit": {
			`{apiVersion: v1, kind: Namespace, metadata: {name: strict, labels: {` + enforce + `: restricted}}}
---
{apiVersion: batch/v1, kind: Job, metadata: {namespace: strict, name: x},
 spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: x, securityContext: {privileged: true}}]}}}}
`, `Pod of Job strict/x is refused: pods "x" is forbidden: violates PodSecurity "restricted:latest"`,
		},
		"a field that is on its way out": {
			`{apiVersion: v1, kind: Pod, metadata: {namespace: a, name: x}, spec: {serviceAccount: default, nodeName: kai,
 nodeSelector: {beta.kubernetes.io/os: linux}, containers: [{name: c, image: x}]}}`, `warning: spec.nodeSelector[beta.kubernetes.io/os]: deprecated`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			if said := strings.Join(j.about(t, harness.Objects(t, []byte(c.object))), "\n"); !strings.Contains(said, c.want) {
				t.Errorf("said %q, want %q", said, c.want)
			}
		})
	}
}
