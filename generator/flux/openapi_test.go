package flux

import (
	"bytes"
	"path/filepath"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/openapi"
)

// A schema of one's own changes how a strategic merge treats lists: with it, the containers of the custom kind merge by
// name; without it, the list is replaced. Kubernetes kinds are listed as well, since a schema that forgets them loses their
// merge keys, and a build after it would lose containers (fluxcd/pkg#1237).
const schemas = `
-- custom/kustomization.yaml --
resources: [workload.yaml]
openapi: {path: schema.json}
patches: [{path: patch.yaml}]
-- custom/schema.json --
{"definitions": {"org.example.v1.Workload": {"type": "object", "x-kubernetes-group-version-kind": [{"group": "example.org", "version": "v1", "kind": "Workload"}], "properties": {"spec": {"type": "object", "properties": {"containers": {"type": "array", "items": {"type": "object"}, "x-kubernetes-patch-merge-key": "name", "x-kubernetes-patch-strategy": "merge"}}}}}}}
-- custom/workload.yaml --
apiVersion: example.org/v1
kind: Workload
metadata: {name: w}
spec: {containers: [{name: a, image: one}, {name: b, image: two}]}
-- custom/patch.yaml --
apiVersion: example.org/v1
kind: Workload
metadata: {name: w}
spec: {containers: [{name: b, image: three}]}
-- plain/kustomization.yaml --
resources: [../custom/workload.yaml, pod.yaml]
patches: [{path: ../custom/patch.yaml}, {path: patch.yaml}]
-- plain/pod.yaml --
apiVersion: v1
kind: Pod
metadata: {name: p}
spec: {containers: [{name: a, image: one}, {name: b, image: two}]}
-- plain/patch.yaml --
apiVersion: v1
kind: Pod
metadata: {name: p}
spec: {containers: [{name: b, image: three}]}
-- overlay/kustomization.yaml --
resources: [../custom, ../plain/pod.yaml]
patches: [{path: ../plain/patch.yaml}]
-- version/kustomization.yaml --
resources: [../plain]
openapi: {version: v1.21.2}
-- fails-late/kustomization.yaml --
resources: [../custom, missing.yaml]
`

// Whatever was built before, a build gives the bytes of the plain library, which starts from a schema parsed anew.
func TestASchemaOfOneFolderDoesNotReachTheNext(t *testing.T) {
	c := openText(t, schemas)
	p := plain{dir: copyOf(t, c.dir)}
	want := map[string][]byte{}
	folders := []string{"custom", "plain", "overlay", "version"}
	for _, folder := range folders {
		text, err := p.run(t.Context(), &Kustomization{Path: folder})
		if err != nil {
			t.Fatal(err)
		}
		want[folder] = text
	}
	if bytes.Count(want["custom"], []byte("image")) != 2 || bytes.Count(want["plain"], []byte("image")) != 3 {
		t.Fatalf("the schemas make no difference:\n%s\n%s", want["custom"], want["plain"])
	}
	b := builder{checkout: c}
	for _, first := range append(folders, "fails-late") {
		for _, second := range folders {
			for _, folder := range []string{first, second} {
				built, err := b.run(Kustomization{}.Spec, folder, c.all)
				if folder == "fails-late" {
					if err == nil {
						t.Fatal("the folder with a missing file was built")
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				got, err := built.resources.AsYaml()
				if err != nil || !bytes.Equal(got, want[folder]) {
					t.Errorf("%s after %s (%v): %s", folder, first, err, firstDifference(got, want[folder]))
				}
			}
		}
	}
}

// Other code of the process may have put definitions there before the first build.
func TestDefinitionsOfOthersAreClearedBeforeTheFirstBuild(t *testing.T) {
	c := openText(t, schemas)
	want, err := plain{dir: copyOf(t, c.dir)}.run(t.Context(), &Kustomization{Path: "plain"})
	if err != nil {
		t.Fatal(err)
	}
	text, err := c.ReadFile("custom/schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := openapi.AddSchema(text); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(openapi.ResetOpenAPI)
	b := builder{checkout: c}
	built, err := b.run(Kustomization{}.Spec, "plain", c.all)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := built.resources.AsYaml(); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v: %s", err, firstDifference(got, want))
	}
}

// The pieces that a spec adds come out as the plain library makes them.
func TestEveryFieldOfASpecBuildsToTheBytesOfThePlainLibrary(t *testing.T) {
	c := openText(t, specs)
	e := readEnv(t, c, Options{Path: "dev"})
	values := newValueSources()
	for o := range e.Objects() {
		values.add(o)
	}
	p := plain{dir: copyOf(t, c.dir), client: cluster{objects: values.objects}, strict: true}
	for _, k := range e.Kustomizations {
		want, err := p.at(t, c, k).run(t.Context(), k)
		if err != nil {
			t.Fatalf("%s: %v", k.ID, err)
		}
		got, problems, err := ours(t.Context(), e, values, k)
		if err != nil || len(problems) > 0 {
			t.Fatalf("%s: %v %v", k.ID, err, problems)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: %s", k.ID, firstDifference(got, want))
		}
	}
	if n := len(e.Kustomizations); n != 6 {
		t.Errorf("got %d Kustomizations", n)
	}
}

const specs = `
-- dev/all.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: all, namespace: flux-system}
spec:
  path: ./app
  sourceRef: {kind: GitRepository, name: flux-system}
  targetNamespace: target
  namePrefix: pre-
  nameSuffix: -post
  commonMetadata: {labels: {team: a}, annotations: {owner: b}}
  components: [../component, ../missing]
  ignoreMissingComponents: true
  images: [{name: example.org/app, newTag: "2"}]
  patches:
  - target: {kind: Deployment}
    patch: |-
      - {op: add, path: /spec/replicas, value: 3}
  postBuild: {substitute: {HOST: example.org, N: "7"}}
-- dev/beta.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1beta2
kind: Kustomization
metadata: {name: beta, namespace: flux-system}
spec: {path: ./app, sourceRef: {kind: GitRepository, name: flux-system}, postBuild: {substitute: {HOST: other, N: "1"}}}
-- dev/origins.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: origins, namespace: flux-system}
spec: {path: ./app, sourceRef: {kind: GitRepository, name: flux-system}, buildMetadata: [originAnnotations]}
-- dev/generated.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: generated, namespace: flux-system}
spec: {path: ./generated, sourceRef: {kind: GitRepository, name: flux-system}}
-- dev/empty.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: empty, namespace: flux-system}
spec: {path: ./only-generators, sourceRef: {kind: GitRepository, name: flux-system}}
-- app/kustomization.yaml --
resources: [deployment.yaml]
images: [{name: example.org/app, newName: example.org/renamed, digest: "sha256:0000000000000000000000000000000000000000000000000000000000000000"}]
configMapGenerator: [{name: config, literals: ["host=${HOST}"]}]
-- app/deployment.yaml --
apiVersion: apps/v1
kind: Deployment
metadata: {name: app}
spec:
  template:
    spec:
      containers: [{name: app, image: "example.org/app:1", env: [{name: N, value: "${N:=1}"}]}]
      volumes: [{name: c, configMap: {name: config}}]
-- component/kustomization.yaml --
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
resources: [config.yaml]
-- component/config.yaml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: from-component}, data: {a: 1e3, b: "0644", c: "yes", d: on}}
-- generated/a.yaml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
-- generated/deep/b.yml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: b}}
-- generated/with/kustomization.yaml --
namePrefix: with-
resources: [c.yaml]
-- generated/with/c.yaml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}
-- only-generators/kustomization.yaml --
configMapGenerator: [{name: config, literals: [a=b], options: {disableNameSuffixHash: true}}]
`

func TestFilesOfABuildAreKnown(t *testing.T) {
	e := readEnv(t, openText(t, specs), Options{Path: "dev"})
	want := []string{"app/deployment.yaml", "app/kustomization.yaml", "component/config.yaml", "component/kustomization.yaml"}
	got := e.Kustomization(ID{"flux-system", "all"}).Files
	if len(got) != len(want) || filepath.Join(got...) != filepath.Join(want...) {
		t.Errorf("got %v, want %v", got, want)
	}
}
