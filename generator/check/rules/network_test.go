package rules

import (
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/render"
)

// listen counts who connects. Each connection is closed at once.
func listen(t *testing.T) (address string, calls *atomic.Int32) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	calls = &atomic.Int32{}
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			calls.Add(1)
			_ = connection.Close()
		}
	}()
	return listener.Addr().String(), calls
}

const fetching = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec: {interval: 10m, path: ./apps, prune: true, sourceRef: {kind: GitRepository, name: flux-system}%s}
`

const fetchingCheck = `apiVersion: berth.dev/v1alpha1
kind: RenderCheck
metadata: {name: test}
spec:
  environments: [{name: dev, path: clusters/dev}]
  generated: [{path: generated, from: [apps], intents: [taints.yaml]}]
`

const fetchingIntent = `apiVersion: berth.dev/v1alpha1
kind: TaintIntent
metadata: {name: test}
spec: {taints: [], nodes: [{names: [a]}]}
`

// Whatever a kustomization.yaml would make kustomize fetch, a check does not, neither in the build of Flux nor to tell what
// berth generate would write; it says so instead.
func TestACheckNeverTouchesTheNetwork(t *testing.T) {
	for name, c := range map[string]struct {
		kustomization string
		plugin        string // of kustomize's own, in a file
		flux          string // further fields of the Flux Kustomization
		unseen        string // another code than remote-base: what kustomize refuses by itself
	}{
		"resources":                       {kustomization: "resources: [app.yaml, 'http://ADDRESS/x.yaml']"},
		"a repository under resources":    {kustomization: "resources: [app.yaml, 'http://ADDRESS/a/b.git']"},
		"a repository with a marker":      {kustomization: "resources: [app.yaml, 'git::http://ADDRESS/a/b']"},
		"an address in capitals":          {kustomization: "resources: [app.yaml, 'HTTP://ADDRESS/x.yaml']"},
		"an address that is escaped":      {kustomization: `resources: [app.yaml, "http:\u002f\u002fADDRESS/x.yaml"]`},
		"components":                      {kustomization: "resources: [app.yaml]\ncomponents: ['http://ADDRESS/a/b.git']"},
		"bases":                           {kustomization: "bases: ['http://ADDRESS/a/b.git']\nresources: [app.yaml]"},
		"components of Flux":              {kustomization: "resources: [app.yaml]", flux: ", components: ['http://ADDRESS/a/b.git']", unseen: "build-failed"},
		"crds":                            {kustomization: "resources: [app.yaml]\ncrds: ['http://ADDRESS/x.json']"},
		"configurations":                  {kustomization: "resources: [app.yaml]\nconfigurations: ['http://ADDRESS/x.yaml']"},
		"openapi":                         {kustomization: "resources: [app.yaml]\nopenapi: {path: 'http://ADDRESS/x.json'}"},
		"generators":                      {kustomization: "resources: [app.yaml]\ngenerators: ['http://ADDRESS/x.yaml']"},
		"a repository under generators":   {kustomization: "resources: [app.yaml]\ngenerators: ['http://ADDRESS/a/b.git']"},
		"transformers":                    {kustomization: "resources: [app.yaml]\ntransformers: ['http://ADDRESS/x.yaml']"},
		"a repository under transformers": {kustomization: "resources: [app.yaml]\ntransformers: ['git::http://ADDRESS/a/b']"},
		"validators":                      {kustomization: "resources: [app.yaml]\nvalidators: ['http://ADDRESS/x.yaml']"},
		"patches":                         {kustomization: "resources: [app.yaml]\npatches: [{path: 'http://ADDRESS/x.yaml'}]"},
		"patches in the old notation":     {kustomization: "resources: [app.yaml]\npatches: ['http://ADDRESS/x.yaml']", unseen: "build-failed"},
		"patchesStrategicMerge":           {kustomization: "resources: [app.yaml]\npatchesStrategicMerge: ['http://ADDRESS/x.yaml']"},
		"patchesJson6902":                 {kustomization: "resources: [app.yaml]\npatchesJson6902: [{target: {version: v1, kind: ConfigMap, name: app}, path: 'http://ADDRESS/x.yaml'}]"},
		"replacements":                    {kustomization: "resources: [app.yaml]\nreplacements: [{path: 'http://ADDRESS/x.yaml'}]"},
		"files of a configMapGenerator":   {kustomization: "resources: [app.yaml]\nconfigMapGenerator: [{name: a, files: ['k=http://ADDRESS/x']}]"},
		"envs of a configMapGenerator":    {kustomization: "resources: [app.yaml]\nconfigMapGenerator: [{name: a, envs: ['http://ADDRESS/x']}]"},
		"env of a secretGenerator":        {kustomization: "resources: [app.yaml]\nsecretGenerator: [{name: a, env: 'http://ADDRESS/x'}]"},
		"a plugin of kustomize in place":  {kustomization: "resources: [app.yaml]\ntransformers:\n- |\n  apiVersion: builtin\n  kind: PatchTransformer\n  metadata: {name: a}\n  path: http://ADDRESS/x.yaml"},
		"a plugin of kustomize in a file": {kustomization: "resources: [app.yaml]\ntransformers: [plugin.yaml]", plugin: "apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: a}\npath: http://ADDRESS/x.yaml\n"},
		"a generator in a file":           {kustomization: "resources: [app.yaml]\ngenerators: [plugin.yaml]", plugin: "apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: a}\nfiles: [http://ADDRESS/x.yaml]\n"},
		"helmCharts":                      {kustomization: "resources: [app.yaml]\nhelmCharts: [{name: a, repo: 'http://ADDRESS/charts', version: 1.0.0, releaseName: a}]", unseen: "build-failed"},
		"values of helmCharts":            {kustomization: "resources: [app.yaml]\nhelmCharts: [{name: a, valuesFile: 'http://ADDRESS/x.yaml'}]", unseen: "build-failed"},
	} {
		t.Run(name, func(t *testing.T) {
			address, calls := listen(t)
			dir := t.TempDir()
			put := func(file, text string) { write(t, dir, file, []byte(strings.ReplaceAll(text, "ADDRESS", address))) }
			put("clusters/dev/apps.yaml", fmt.Sprintf(fetching, c.flux))
			put("apps/kustomization.yaml", c.kustomization+"\n")
			put("apps/app.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: app, namespace: default}\n")
			put("taints.yaml", fetchingIntent)
			put(check.FileName, fetchingCheck)
			if c.plugin != "" {
				put("apps/plugin.yaml", c.plugin)
			}
			result := checked(t, dir)
			if n := calls.Load(); n > 0 {
				t.Fatalf("%d connections", n)
			}
			want := "remote-base"
			if c.unseen != "" {
				want = c.unseen
			}
			var got []string
			for _, f := range result.Findings {
				got = append(got, line(f))
				if f.Code == want && (strings.Contains(f.Message, address) || c.unseen != "") {
					want = ""
				}
			}
			if want != "" {
				t.Errorf("no %s, but\n%s", want, strings.Join(got, "\n"))
			}
			if c.unseen == "" && len(result.Unseen) != 1 {
				t.Errorf("%d parts unseen: %v", len(result.Unseen), result.Unseen)
			}
		})
	}
}

// What the test above relies on: kustomize does connect when nothing keeps it from doing so.
func TestKustomizeAloneConnects(t *testing.T) {
	address, calls := listen(t)
	dir := t.TempDir()
	write(t, dir, "kustomization.yaml", []byte("configMapGenerator: [{name: a, files: ['k=http://"+address+"/x']}]\n"))
	if _, err := render.Build(dir); err == nil || calls.Load() == 0 {
		t.Errorf("%d connections, %v", calls.Load(), err)
	}
	if _, err := render.ReadOffline(dir); err == nil || !strings.Contains(err.Error(), filepath.Join(dir, "kustomization.yaml")+" refers to http://"+address) {
		t.Errorf("%v", err)
	}
}
