package flux

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// kustomization is a file that declares one.
func kustomization(name, path, more string) string {
	return fmt.Sprintf(`
-- dev/%[1]s.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: %[1]s, namespace: flux-system}
spec:
  path: %[2]s
  sourceRef: {kind: GitRepository, name: flux-system}
%[3]s`, name, path, more)
}

func TestKustomizationsAreFoundInTheBuildsOfOthers(t *testing.T) {
	c := openText(t, kustomization("apps", "./apps", `  patches:
  - target: {kind: Kustomization}
    patch: |-
      apiVersion: kustomize.toolkit.fluxcd.io/v1
      kind: Kustomization
      metadata: {name: _}
      spec: {targetNamespace: patched}
  postBuild: {substitute: {FOLDER: web}}
`)+`
-- apps/web.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: web, namespace: flux-system}
spec: {path: "./${FOLDER}", sourceRef: {kind: GitRepository, name: flux-system}}
-- web/config.yaml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: web}}
`)
	e := readEnv(t, c, Options{Path: "dev"})
	o := e.Object("", "ConfigMap", "patched", "web")
	if o == nil {
		t.Fatalf("got %v", e.Kustomizations)
	}
	if parent := o.Kustomization.Parent; parent == nil || parent.Name != "apps" || !parent.Parent.IsEntry() {
		t.Errorf("the way to the entrypoint is lost: %v", parent)
	}
}

// A variable of one Kustomization stands in a ConfigMap that another one, later in the alphabet, makes with a variable of its
// own.
func TestConfigMapsAreBuiltBeforeThoseThatUseThem(t *testing.T) {
	c := openText(t, kustomization("a", "./a", "  postBuild: {substituteFrom: [{kind: ConfigMap, name: made, optional: true}]}\n")+
		kustomization("b", "./b", "  postBuild: {substituteFrom: [{kind: ConfigMap, name: vars}]}\n")+`
-- dev/vars.yaml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: vars, namespace: flux-system}, data: {X: deep}}
-- a/config.yaml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {value: "${Y}"}}
-- b/config.yaml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: made, namespace: flux-system}, data: {Y: "${X}"}}
`)
	e := readEnv(t, c, Options{Path: "dev"})
	o := e.Object("", "ConfigMap", "", "a")
	if got := dataOf(o)["value"]; got != "deep" {
		t.Errorf("got %q; problems %v", got, o.Kustomization.Problems)
	}
	if from := o.Kustomization.Substitution.Variables["Y"]; from.From.Name != "made" || from.Object.Kustomization.Name != "b" {
		t.Errorf("got %v", from)
	}
}

func TestWhatCannotBeBuiltIsDataAndStopsNothingElse(t *testing.T) {
	c := openText(t, kustomization("missing", "./nowhere", "")+kustomization("broken", "./broken", "")+
		kustomization("refers", "./refers", "")+kustomization("plugin", "./plugin", "")+
		kustomization("wrong-type", "[a]", "")+kustomization("good", "./good", "")+`
-- dev/other.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: other, namespace: flux-system}
spec: {path: ./good, sourceRef: {kind: OCIRepository, name: elsewhere}}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata: {name: elsewhere, namespace: flux-system}
spec: {url: "oci://example.org/manifests"}
-- broken/a.yaml --
a: [
-- refers/kustomization.yaml --
resources: [gone.yaml]
-- plugin/kustomization.yaml --
transformers: [function.yaml]
-- plugin/function.yaml --
apiVersion: example.org/v1
kind: Function
metadata:
  name: f
  annotations: {config.kubernetes.io/function: "exec: {path: ./f}"}
-- good/config.yaml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: good}}
`)
	e := readEnv(t, c, Options{Path: "dev"})
	for name, want := range map[string]string{
		"missing":    "path-not-found: spec.path ./nowhere: no such folder in GitRepository flux-system/flux-system",
		"broken":     "build-failed: failed to decode Kubernetes YAML from broken/a.yaml",
		"refers":     "build-failed: accumulating resources: accumulation err='accumulating resources from 'gone.yaml'",
		"plugin":     "build-failed: external plugins disabled; unable to load external plugin 'Function'",
		"wrong-type": "not-decodable: Kustomization flux-system/wrong-type: json: cannot unmarshal array",
		"other":      "source-not-available: OCIRepository flux-system/elsewhere: an OCI artifact, oci://example.org/manifests",
	} {
		k := e.Kustomization(ID{"flux-system", name})
		if k.Built || len(k.Problems) != 1 {
			t.Errorf("%s: built %v, problems %v", name, k.Built, k.Problems)
			continue
		}
		if got := k.Problems[0].String(); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if e.Object("", "ConfigMap", "", "good") == nil {
		t.Error("the good one was not built")
	}
}

func TestTheEntrypointTakesTheSpecOfItsOwnKustomization(t *testing.T) {
	c := openText(t, `
-- dev/flux-system/sync.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: root, namespace: flux}
spec:
  path: ./dev
  sourceRef: {kind: GitRepository, name: home}
  postBuild: {substitute: {NAME: replaced}}
  patches:
  - target: {kind: ConfigMap}
    patch: |-
      - {op: add, path: /data/patched, value: "yes"}
-- dev/config.yaml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {value: "${NAME}"}}
-- dev/app.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: app, namespace: flux}
spec: {path: ./app, sourceRef: {kind: GitRepository, name: home}}
-- app/config.yaml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: app}}
`)
	e := readEnv(t, c, Options{Path: "dev"})
	if data := dataOf(e.Object("", "ConfigMap", "", "c")); data["value"] != "replaced" || data["patched"] != "yes" {
		t.Errorf("got %v", data)
	}
	entry := e.Kustomizations[0]
	if entry.ID != (ID{"flux", "root"}) || entry.Object == nil || len(entry.Duplicates) > 0 || len(e.Kustomizations) != 2 {
		t.Errorf("got %v of %v", entry.ID, e.Kustomizations)
	}
	if app := e.Kustomization(ID{"flux", "app"}); !app.Built || app.Source.Why != "the entrypoint's own source" {
		t.Errorf("got %v", app.Source)
	}
}

func TestASecondObjectOfTheSameNameIsADuplicate(t *testing.T) {
	c := openText(t, kustomization("app", "./a", "")+kustomization("more", "./more", "")+`
-- more/app.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: app, namespace: flux-system}
spec: {path: ./b, sourceRef: {kind: GitRepository, name: flux-system}}
-- a/config.yaml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
`)
	k := readEnv(t, c, Options{Path: "dev"}).Kustomization(ID{"flux-system", "app"})
	if k.Path != "a" || len(k.Duplicates) != 1 || k.Duplicates[0].Origin.File != "more/app.yaml" {
		t.Errorf("got %s with %v", k.Path, k.Duplicates)
	}
}

func TestRemoteBasesAreNamedAndTheRestIsBuilt(t *testing.T) {
	c := openText(t, kustomization("app", "./app", "")+`
-- app/kustomization.yaml --
resources:
  - config.yaml
  - https://example.org/manifest.yaml
  - github.com/example/repository//deploy?ref=v1
  - ../base
-- app/config.yaml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: app}}
-- base/kustomization.yaml --
resources: ["git@example.org:a/b.git"]
-- only/kustomization.yaml --
configMapGenerator: [{name: a, files: ["https://example.org/file"]}]
`)
	e := readEnv(t, c, Options{Path: "dev"})
	k := e.Kustomization(ID{"flux-system", "app"})
	var got []string
	for _, p := range k.Problems {
		got = append(got, string(p.Reason)+" "+p.Source.String())
	}
	want := "remote-base app/kustomization.yaml:3 remote-base app/kustomization.yaml:4 remote-base base/kustomization.yaml:1"
	if strings.Join(got, " ") != want || !k.Built || len(k.Objects) != 1 {
		t.Errorf("got %v, built %v with %v", got, k.Built, k.Objects)
	}
	if len(e.Unseen) != 3 || e.Unseen[0].Subject != "git@example.org:a/b.git" {
		t.Errorf("got %v", e.Unseen)
	}
	without := readEnv(t, c, Options{Path: "only"})
	only := without.Kustomizations[0]
	if only.Built || only.Problems[0].Reason != RemoteFile || !strings.Contains(only.Problems[0].Message, "since https://example.org/file is fetched") {
		t.Errorf("got %v", only.Problems)
	}
	if len(without.Unseen) != 1 || without.Unseen[0].Kind != UnseenRemoteBase || without.Unseen[0].Subject != "only" {
		t.Errorf("got %v", without.Unseen)
	}
}

func TestResourceSetsAreListedAsNotEvaluated(t *testing.T) {
	c := openText(t, `
-- dev/set.yaml --
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: apps, namespace: flux-system}
spec: {inputs: [], resources: []}
`)
	e := readEnv(t, c, Options{Path: "dev"})
	if len(e.Unseen) != 1 || e.Unseen[0].Kind != UnseenResourceSet || e.Unseen[0].String() != "dev/set.yaml:1" {
		t.Errorf("got %v", e.Unseen)
	}
}

func TestReadStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Read(ctx, openText(t, kustomization("a", "./a", "")), Options{Path: "dev"})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestCommonMetadataIsSetAfterTheReplacement(t *testing.T) {
	c := openText(t, kustomization("app", "./app", `  commonMetadata: {labels: {a: "${X}", z: new}, annotations: {n: "1"}}
  postBuild: {substitute: {X: replaced}}
`)+`
-- app/config.yaml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: c, labels: {a: old, b: kept}}}
`)
	meta := readEnv(t, c, Options{Path: "dev"}).Object("", "ConfigMap", "", "c").Item().Meta
	if got := fmt.Sprint(meta.Labels, meta.Annotations); got != "map[a:${X} b:kept z:new] map[n:1]" {
		t.Errorf("got %s", got)
	}
}
