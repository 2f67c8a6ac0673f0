package daemonset

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/tools/txtar"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/yaml"

	"github.com/berth-dev/berth/generator/header"
)

// goldenFiles returns every file of every case, by case and path.
func goldenFiles(t *testing.T) map[string][]byte {
	t.Helper()
	archives, err := filepath.Glob("testdata/*/files.txtar")
	if err != nil || len(archives) < 10 {
		t.Fatalf("%d archives, %v", len(archives), err)
	}
	all := map[string][]byte{}
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			all[path.Join(filepath.Base(filepath.Dir(name)), f.Name)] = f.Data
		}
	}
	return all
}

// The schemas are the projects' own, closed against unknown fields (tools/schemas). kustomizations are held against
// kustomize's types.
func TestEveryObjectIsValidByTheStrictestSchemaOfItsKind(t *testing.T) {
	seen := map[string]bool{}
	for name, text := range goldenFiles(t) {
		var object map[string]any
		if strings.Contains(string(text), "\n- op: ") {
			continue // a JSON6902 patch: another test builds with it
		}
		if err := yaml.UnmarshalStrict(text, &object); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		kind, _ := object["kind"].(string)
		seen[kind] = true
		if strings.HasPrefix(object["apiVersion"].(string), "kustomize.config.k8s.io/") {
			if err := (&types.Kustomization{}).Unmarshal(text); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err := schemaOf(t, kind).Validate(object); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, kind := range []string{"Namespace", "ConfigMap", "DaemonSet", "PodMonitor", "Kustomization", "Component"} {
		if !seen[kind] {
			t.Errorf("no case has a %s", kind)
		}
	}
}

func TestTheSchemasRefuseWhatIsWrong(t *testing.T) {
	files := goldenFiles(t)
	daemonSet := string(files["consume-the-design/platform-gpu/daemonset.yaml"])
	flux := string(files["consume-the-design/clusters/base/intel-gpu-plugin.yaml"])
	for name, c := range map[string]struct{ kind, text, old, new string }{
		"an unknown field":      {"DaemonSet", daemonSet, "enableServiceLinks", "enableServicesLinks"},
		"a field in other case": {"DaemonSet", daemonSet, "readOnlyRootFilesystem", "readOnlyRootFileSystem"},
		"a number as text":      {"DaemonSet", daemonSet, "containerPort: 8080", `containerPort: "8080"`},
		"a required field":      {"DaemonSet", daemonSet, "mountPath: /host/dev", "subPath: x"},
		"a Flux duration":       {"Kustomization", flux, "interval: 5m", "interval: 5 minutes"},
		"a Flux field":          {"Kustomization", flux, "prune:", "purge:"},
	} {
		if !strings.Contains(c.text, c.old) {
			t.Fatalf("%s: nothing to change", name)
		}
		var object any
		if err := yaml.Unmarshal([]byte(strings.Replace(c.text, c.old, c.new, 1)), &object); err != nil {
			t.Fatal(err)
		}
		if schemaOf(t, c.kind).Validate(object) == nil {
			t.Errorf("%s passed", name)
		}
	}
}

func schemaOf(t *testing.T, kind string) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile("testdata/schemas/" + strings.ToLower(kind) + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func TestTheTypesOfTheAPITakeEveryField(t *testing.T) {
	for name, text := range goldenFiles(t) {
		var into any
		switch path.Base(name) {
		case "daemonset.yaml":
			into = &appsv1.DaemonSet{}
		case "namespace.yaml":
			into = &corev1.Namespace{}
		case "config.yaml":
			into = &corev1.ConfigMap{}
		default:
			continue
		}
		if err := yaml.UnmarshalStrict(text, into); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// lintRules is yamllint's default set, without the length of lines and with the weakest rule on sequences that the
// manifests have to keep; --strict makes its warnings errors too.
const lintRules = "{extends: default, rules: {line-length: disable, indentation: {indent-sequences: consistent}}}"

func TestYamllintHasNothingToSay(t *testing.T) {
	yamllint, err := exec.LookPath("yamllint")
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("yamllint is not installed (Debian: apt-get install yamllint), so that the files are not linted here")
	}
	dir := t.TempDir()
	for name, text := range goldenFiles(t) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, rules := range []string{lintRules, strings.Replace(lintRules, "consistent", "true", 1)} {
		out, err := exec.CommandContext(context.Background(), yamllint, "--strict", "-f", "parsable", "-d", rules, dir).CombinedOutput()
		if err != nil || len(out) > 0 {
			t.Errorf("%v\n%s", err, bytes.ReplaceAll(out, []byte(dir), nil))
		}
	}
}

func TestEveryFileSaysThatBerthWroteIt(t *testing.T) {
	for name, text := range goldenFiles(t) {
		if !header.IsOurs(text) || !bytes.Contains(text, []byte("\n---\n")) {
			t.Errorf("%s has no header or no document start", name)
		}
		if got := header.Intents(text); len(got) != 1 || !strings.HasPrefix(got[0], "DevicePlugin ") {
			t.Errorf("%s is of %q", name, got)
		}
	}
}
