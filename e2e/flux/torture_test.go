package flux_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/berth-dev/berth/e2e/harness"
)

// values are what the variables hold: whatever YAML might take for something else.
var values = map[string]string{
	"WORD": "word", "EMPTY": "", "SPACES": "  a  b  ", "DOUBLE": `say "hi"`, "SINGLE": "it's", "BOTH": `"it's"`,
	"NUMBER": "42", "OCTAL": "0o17", "ZEROS": "0042", "FLOAT": "1e3", "BIG": "12345678901234567890", "INF": ".inf",
	"TRUTH": "true", "AYE": "yes", "SWITCH": "off", "NIL": "null", "TILDE": "~", "DATE": "2026-01-02", "CLOCK": "12:30:45",
	"HASH": "a#b", "LINES": "one\ntwo\n", "FLOW": "{a: b}", "LIST": "[a, b]", "DASH": "-", "QUOTED": `"42"`, "TICKED": "'true'",
	"PATH": "a/b/c.tar.gz", "UNICODE": "Häuser ✓", "DOLLAR": "$HOME", "NESTED": "${WORD}", "BACKSLASH": `a\nb\\c`, "COLON": "a:b",
	"MIXED": "aAbBaA", "GLOB": "a*b?c[d]",
}

// forms are the expressions that the controller's library knows, with V for the variable, and what only looks like one.
var forms = []string{
	"${V}", "${V}${V}", "x${V}y", "$V", "$$V", "$${V}", "$$${V}", "$${V:-d}", "${#V}", "${V^}", "${V^^}", "${V,}", "${V,,}",
	"${V:1}", "${V:1:2}", "${V:0:0}", "${V#a}", "${V##*/}", "${V#*/}", "${V%.*}", "${V%%.*}", "${V%gz}",
	"${V:-d}", "${V=d}", "${V:=d}", "${V:-}", "${V:=d e f}", `${V:-"d"}`, "${V:-${WORD}}", "${V:=a-b_c.d}",
	"${V/a/b}", "${V//a/b}", "${V/#a/b}", "${V/%a/b}", "${V/a/}", "${UNSET_V:-d}", "${UNSET_V:=d}", "${UNSET_V:-}", "${UNSET_V=}",
	"'${V}'", `"${V}"`, "$", "$$", "100$", "$(V)", "$1", "{V}", "\\${V}",
}

// typed are values of plain fields, whose type YAML decides after the replacement.
var typed = []string{
	"WORD", "EMPTY", "NUMBER", "OCTAL", "ZEROS", "FLOAT", "BIG", "TRUTH", "AYE", "SWITCH", "NIL", "TILDE", "DATE", "CLOCK", "HASH", "LINES",
	"FLOW", "LIST", "QUOTED", "TICKED", "PATH", "UNICODE", "DOLLAR", "NESTED", "BACKSLASH", "COLON", "MIXED", "SINGLE", "SPACES",
}

// torture applies a repository of its own with every form of substitution, and compares the controller's result with what berth render
// prints.
func (s *site) torture(t *testing.T) {
	files := tortured(t)
	checkout := files.Write(t)
	s.publish(t, "flux-system/torture", files)
	for _, text := range []string{files["entry/source.yaml"], files["entry/entry.yaml"]} {
		harness.Apply(t, s.Client, text)
	}
	var all []rendered
	r := s.tools.RunBerth(t, "", nil, "render", checkout, "--path", "entry", "-o", "json")
	if err := json.Unmarshal([]byte(r.Out), &all); err != nil || r.Code != 1 {
		t.Fatalf("berth render: exit %d, %v\n%s", r.Code, err, r.Errors)
	}
	for _, k := range all {
		if strings.HasPrefix(k.Name, "refused-") {
			t.Run(k.Name, func(t *testing.T) { s.bothRefuse(t, k.id, r.Errors) })
			continue
		}
		t.Run(k.Name, func(t *testing.T) {
			s.waitFor(t, k.String(), func(st state) bool { return st.ready })
			if k.Name != "common-metadata" { // which is added after the build
				s.sameBytes(t, k.id, checkout, "--path", "entry")
			}
			if n := s.sameObjects(t, k); n == 0 {
				t.Error("nothing was compared")
			}
		})
	}
	s.remove(t, "torture")
}

// bothRefuse demands that neither the controller nor Berth builds a Kustomization.
func (s *site) bothRefuse(t *testing.T, k id, errors string) {
	t.Helper()
	s.waitFor(t, k.String(), func(st state) bool { return st.attempted && st.reason == "BuildFailed" })
	if !strings.Contains(errors, "Kustomization "+k.String()+": ") {
		t.Errorf("berth render does not refuse it:\n%s", errors)
	}
}

// remove deletes a Kustomization with all that it applied.
func (s *site) remove(t *testing.T, name string) {
	t.Helper()
	if err := s.delete(t, name); err != nil {
		t.Fatal(err)
	}
	harness.Eventually(t, time.Minute, func() error {
		all, err := s.states(t.Context())
		if err != nil {
			return err
		}
		for other := range all {
			if strings.Contains(other, "refused-") || strings.HasSuffix(other, "/"+name) || strings.HasPrefix(other, "torture/") {
				return fmt.Errorf("%s is still there", other)
			}
		}
		return nil
	})
}

// tortured are the files: forms in block text, in which nothing that a variable holds is YAML; types in plain fields; and what takes
// part in the replacement or does not.
func tortured(t *testing.T) harness.Files {
	t.Helper()
	var vars, block strings.Builder
	for _, name := range sortedKeys(values) {
		fmt.Fprintf(&vars, "  %s: %s\n", name, quote(t, values[name]))
		for i, form := range forms {
			text := strings.ReplaceAll(form, "V", name)
			if strings.Contains(form, "UNSET_V") {
				text = strings.ReplaceAll(form, "UNSET_V", "UNSET_"+name)
			}
			fmt.Fprintf(&block, "  %s.%02d: |\n    begin\n    x %s\n    end\n", name, i, text)
		}
	}
	plain := "    none: 1\n"
	for _, name := range typed {
		plain += fmt.Sprintf("    %s: ${%s}\n    %s_twice: [\"${%s}\", '${%s}']\n    %s_default: ${UNSET:=%s}\n", name, name, name, name, name, name, "${"+name+"}")
	}
	files := harness.Files{
		"entry/vars.yaml":  "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: torture-vars, namespace: torture}\ndata:\n" + vars.String(),
		"forms/forms.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: forms, namespace: torture}\ndata:\n" + block.String(),
		"types/types.yaml": "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: types, namespace: torture}\nspec:\n  chart: {spec: {chart: none}}\n  values:\n" + plain,
	}
	for name, text := range fixed {
		files[name] = text
	}
	from := "    substituteFrom: [{kind: ConfigMap, name: torture-vars}]\n"
	files["entry/forms.yaml"] = kustomization("forms", from)
	files["entry/types.yaml"] = kustomization("types", from)
	for name, text := range refusals {
		files["entry/"+name+".yaml"] = kustomization(name, from)
		files[name+"/object.yaml"] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + ", namespace: torture}\ndata:\n" + text
	}
	return files
}

// refusals are what cannot be replaced, or is no YAML afterwards.
var refusals = map[string]string{
	"refused-undefined": "  a: ${NOBODY_KNOWS}\n",
	"refused-default":   "  a: ${WORD-d}\n", // the library's page knows this form, the library does not
	"refused-replace":   "  a: ${WORD//a}\n",
	"refused-unclosed":  "  a: ${WORD\n",
	"refused-list":      "  a: \"${LIST} x\"\n",
	"refused-dash":      "  a: \"${DASH} x\"\n",
	"refused-infinite":  "  a: ${INF}\n",
	"refused-key":       "  NULL: a\n", // kustomize reads it twice
}

func kustomization(name, post string) string {
	return `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ` + name + `, namespace: torture}
spec:
  interval: 10m
  path: ./` + name + `
  prune: true
  sourceRef: {kind: GitRepository, name: torture, namespace: flux-system}
  postBuild:
` + post
}

func quote(t *testing.T, text string) string {
	t.Helper()
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(quoted)
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
