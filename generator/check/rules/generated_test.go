package rules

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/bundle"
	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/render"
)

// consuming is a repository whose plugin is at stage consume: the evidence stands in a file that spec.intents names before the
// plugin's, and spec.generated names the plugin alone.
func consuming(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "evidence-missing", "good.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range archive.Files {
		plugin, evidence, both := strings.Cut(string(file.Data), "---\napiVersion: berth.dev")
		if file.Name != "gpu.yaml" || !both {
			workload, _, _ := strings.Cut(string(file.Data), "---\n") // the plugin's objects are what is generated
			write(t, dir, file.Name, []byte(workload))
			continue
		}
		write(t, dir, "gpu.yaml", []byte(strings.Replace(plugin, "  stage: consume\n",
			"  stage: consume\n  evidence: evidence.yaml\n  flux: {file: clusters/dev/gpu.yaml, path: ./plugin, name: gpu}\n", 1)))
		write(t, dir, "evidence.yaml", []byte("apiVersion: berth.dev"+evidence))
	}
	write(t, dir, "apps/kustomization.yaml", []byte("resources: [app.yaml]\n"))
	change(t, filepath.Join(dir, "apps", "app.yaml"), "          resources: {limits: {gpu.intel.com/i915: 1}}\n",
		"          volumeMounts: [{name: dri, mountPath: /dev/dri}]\n      volumes: [{name: dri, hostPath: {path: /dev/dri}}]\n")
	write(t, dir, check.FileName, []byte(`apiVersion: berth.dev/v1alpha1
kind: RenderCheck
metadata: {name: test}
spec:
  environments: [{name: dev, path: clusters/dev}]
  intents: [evidence.yaml, gpu.yaml]
  generated: [{path: ., from: [apps], intents: [gpu.yaml]}]
`))
	return dir
}

// stale runs the rule and returns what it says.
func stale(t *testing.T, dir string) string {
	t.Helper()
	var all []string
	for _, f := range findings(t, dir) {
		if f.Code == generatedStale.Code {
			all = append(all, line(f))
		}
	}
	return strings.Join(all, "\n")
}

func TestWhatIsComparedIsWhatTheCommandWouldWrite(t *testing.T) {
	dir := consuming(t)
	read := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	plugins, err := v1alpha1.ReadDevicePlugins("gpu.yaml", read("gpu.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	evidence, err := v1alpha1.ReadDeviceEvidence("evidence.yaml", read("evidence.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	from := filepath.Join(dir, "apps")
	items, err := render.Build(from)
	if err != nil {
		t.Fatal(err)
	}
	files, found, err := bundle.All(bundle.Input{Plugins: plugins, Evidence: evidence, Output: dir}, []bundle.Render{bundle.ReadRender(from, items)})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal(found)
	}
	for _, file := range files {
		write(t, dir, file.Path, file.Content)
	}
	if got := stale(t, dir); got != "" {
		t.Errorf("as the command left it:\n%s", got)
	}
	// A file beside the Flux Kustomization takes its name: the command refuses, and so does the rule.
	write(t, dir, "clusters/dev/other.yaml", []byte(`apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: gpu, namespace: flux-system}
spec: {interval: 10m, path: ./other, prune: true, sourceRef: {kind: GitRepository, name: flux-system}}
`))
	if got := stale(t, dir); !strings.Contains(got, "there is a Flux Kustomization flux-system/gpu (clusters/dev/other.yaml:1) already") {
		t.Errorf("with a name that is taken:\n%s", got)
	}
}
