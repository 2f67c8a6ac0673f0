package flux

import (
	"fmt"
	"testing"
)

func TestHelmValuesAreMergedAsHelmControllerDoesIt(t *testing.T) {
	c := openText(t, `
-- dev/release.yaml --
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: r, namespace: apps}
spec:
  interval: 1h
  chartRef: {kind: OCIRepository, name: chart}
  valuesFrom:
  - {kind: ConfigMap, name: first}
  - {kind: ConfigMap, name: second, valuesKey: more.yaml}
  - {kind: Secret, name: plain}
  - {kind: Secret, name: hidden}
  - {kind: ConfigMap, name: first, valuesKey: gone}
  - {kind: ConfigMap, name: first, valuesKey: gone, optional: true}
  - {kind: ConfigMap, name: nowhere, optional: true}
  - {kind: ConfigMap, name: nowhere}
  - {kind: ConfigMap, name: first, valuesKey: scalar, targetPath: image.tag}
  - {kind: ConfigMap, name: first, valuesKey: list}
  values:
    map: {c: inline}
    list: [3]
  postRenderers: [{kustomize: {patches: [{target: {kind: DaemonSet}, patch: "[]"}]}}]
-- dev/first.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: first, namespace: apps}
data:
  values.yaml: "{map: {a: first, b: first, c: first}, list: [1, 2], only: first}"
  scalar: v1
  list: "[1]"
-- dev/second.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: second, namespace: apps}
data: {more.yaml: "{map: {b: second}}"}
-- dev/plain.yaml --
apiVersion: v1
kind: Secret
metadata: {name: plain, namespace: apps}
stringData: {values.yaml: "{secret: yes}"}
`)
	e := readEnv(t, c, Options{Path: "dev"})
	h := e.HelmReleases[0]
	if got := fmt.Sprint(h.Values); got != "map[list:[3] map:map[a:first b:second c:inline] only:first secret:true]" {
		t.Errorf("got %s", got)
	}
	want := []string{
		"Secret apps/hidden is not in the repository",
		"ConfigMap apps/first has no key gone",
		"ConfigMap apps/nowhere is made by nothing in this environment",
		"ConfigMap apps/first goes to image.tag, which is not followed",
		"ConfigMap apps/first key list is no YAML mapping",
	}
	for i, ref := range h.Unseen {
		if i >= len(want) || len(ref.Reason) < len(want[i]) || ref.Reason[:len(want[i])] != want[i] {
			t.Errorf("got %q", ref.Reason)
		}
	}
	if len(h.Unseen) != len(want) || len(h.Spec.PostRenderers) != 1 || h.Err != nil {
		t.Errorf("got %v, %v", h.Unseen, h.Err)
	}
	kinds := map[UnseenKind]int{}
	for _, u := range e.Unseen {
		kinds[u.Kind]++
	}
	if kinds[UnseenChart] != 1 || kinds[UnseenValues] != len(want) {
		t.Errorf("got %v", kinds)
	}
}

func TestAHelmReleaseThatIsNoneSaysSo(t *testing.T) {
	c := openText(t, `
-- dev/release.yaml --
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: r, namespace: apps}
spec: {interval: 1h, valuesFrom: nothing}
`)
	if h := readEnv(t, c, Options{Path: "dev"}).HelmReleases[0]; h.Err == nil {
		t.Error("it was decoded")
	}
}
