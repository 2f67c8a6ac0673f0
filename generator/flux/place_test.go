package flux

import (
	"testing"

	"github.com/berth-dev/berth/generator/tree"
)

const places = `
-- dev/kustomization.yaml --
resources:
  - ../base
namePrefix: dev-
configMapGenerator:
  - name: other
    literals: [a=b]
  - name: settings
    literals: [a=b]
patches:
  - path: replicas.yaml
  - target:
      kind: Deployment
    patch: |-
      # a comment
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: web
      spec:
        paused: true
-- dev/replicas.yaml --
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
-- base/kustomization.yaml --
resources: [all.yaml, list.yaml, twins.yaml]
-- base/all.yaml --
# A comment above the first document.
---
apiVersion: v1
kind: Service
metadata:
  name: web
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  template:
    spec:
      containers:
        - name: web
          image: example.org/web
-- base/list.yaml --
apiVersion: v1
kind: List
items:
  - apiVersion: v1
    kind: Secret
    metadata: {name: first}
  - apiVersion: v1
    kind: Secret
    metadata: {name: second}
-- base/twins.yaml --
apiVersion: v1
kind: LimitRange
metadata: {name: twin, namespace: a}
---
apiVersion: v1
kind: LimitRange
metadata: {name: twin, namespace: b}
`

func TestObjectsKnowTheFileAndLineThatTheyCameFrom(t *testing.T) {
	e := readEnv(t, openText(t, places), Options{Path: "dev"})
	want := map[string]string{
		"Service dev-web":       "base/all.yaml:3",
		"Deployment dev-web":    "base/all.yaml:8",
		"Secret dev-first":      "base/list.yaml:4",
		"Secret dev-second":     "base/list.yaml:7",
		"LimitRange a/dev-twin": "base/twins.yaml:1",
		"LimitRange b/dev-twin": "base/twins.yaml:5",
	}
	for o := range e.Objects() {
		if o.Kind == "ConfigMap" {
			continue // its name ends in a hash
		}
		if got := o.Source().String(); got != want[o.String()] {
			t.Errorf("%s: got %s, want %s", o, got, want[o.String()])
		}
	}
	for o := range e.Objects() {
		if o.Kind == "ConfigMap" && o.Name[:12] == "dev-settings" {
			if got := o.Source().String(); got != "dev/kustomization.yaml:7" || o.Origin.Generator != "ConfigMapGenerator" {
				t.Errorf("%s: got %s by %s", o, got, o.Origin.Generator)
			}
		}
	}
}

func TestAPlaceInAnObjectIsFoundThroughPatches(t *testing.T) {
	e := readEnv(t, openText(t, places), Options{Path: "dev"})
	o := e.Object("apps", "Deployment", "", "dev-web")
	for path, want := range map[string]string{
		"spec.template.spec.containers[0].image": "base/all.yaml:17",
		"spec.template.spec.tolerations":         "base/all.yaml:14", // not there: the deepest part that is
		"spec.replicas":                          "dev/replicas.yaml:6",
		"spec.paused":                            "dev/kustomization.yaml:20",
		"metadata.labels":                        "base/all.yaml:10",
	} {
		parsed, err := tree.Parse(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := o.SourceOf(parsed).String(); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}

func TestAKustomizationIsPlacedWhereItIsDeclared(t *testing.T) {
	c := openText(t, `
-- dev/all.yaml --
apiVersion: v1
kind: Namespace
metadata: {name: a}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: app, namespace: flux-system}
spec: {path: ./gone, sourceRef: {kind: GitRepository, name: flux-system}}
`)
	k := readEnv(t, c, Options{Path: "dev"}).Kustomization(ID{"flux-system", "app"})
	if got := k.Problems[0].Source.String(); got != "dev/all.yaml:5" {
		t.Errorf("got %s", got)
	}
}
