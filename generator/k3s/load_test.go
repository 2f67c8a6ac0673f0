package k3s

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
)

func effectiveOf(t *testing.T, dir string) *Report {
	t.Helper()
	r, err := Effective(Input{FS: os.DirFS(dir), Site: Site{Base: "config.yaml", Rooted: true}, Distribution: v1alpha1.K3s})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func utf16le(text string) string {
	b := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(text)) {
		b = append(b, byte(unit), byte(unit>>8))
	}
	return string(b)
}

// WSL2 nodes get their files from Windows editors and PowerShell.
func TestFilesFromWindowsAreReadAsK3sReadsThem(t *testing.T) {
	text := "token: x\nnode-taint:\n  - \"a=b:NoSchedule\"\n"
	for name, content := range map[string]string{
		"unix":                text,
		"CRLF":                strings.ReplaceAll(text, "\n", "\r\n"),
		"UTF-8 with a BOM":    "\ufeff" + text,
		"UTF-16 with a BOM":   utf16le(text),
		"no newline at end":   strings.TrimSuffix(text, "\n"),
		"document start line": "---\n" + strings.TrimPrefix(text, "token: x\n"),
	} {
		entries, err := parseFile([]byte(content))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		e := entries[len(entries)-1]
		if e.key != nodeTaint || e.lineOf(0) != 3 || e.line != 2 || argText(e.value) != "a=b:NoSchedule" {
			t.Errorf("%s: got %+v", name, e)
		}
	}
}

func TestValuesBecomeTheTextThatK3sPasses(t *testing.T) {
	for yaml, want := range map[string][]string{
		"k: [yes, n, 0644, 1e3, 2020-01-01, 1.50]": {"true", "false", "420", "1000", "2020-01-01", "1.5"},
		"k: \" a \"":            {"a"},
		"k: ~":                  {""},
		"k: \"\"":               {""},
		"k: []":                 {},
		"k: [[x, y], [], ~]":    {"x", "", ""},
		"k: [{a: b, c: d}]":     {"[{a b} {c d}]"},
		"k: ~\nk+: [x]":         {"x"},
		"k: \"\"\nk+: [x]":      {"", "x"},
		"k: 1\nk+: 2":           {"1", "2"},
		"k+: x":                 {"x"},
		"k: [x]\nk+: ~":         {"x"},
		"k: [x]\nk+: {a: b}":    {"x", "[{a b}]"},
		"k: [x]\nk+: []\nk+: z": {"x", "z"},
		"k: [x]\nk: [z]":        {"z"},
	} {
		entries, err := parseFile([]byte(yaml))
		if err != nil {
			t.Fatalf("%q: %v", yaml, err)
		}
		var m merged
		for _, e := range entries {
			m.add("f", e)
		}
		got := []string{}
		for _, v := range m.flags("k") {
			got = append(got, v.Text)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", yaml, diff)
		}
	}
}

func TestLinksInTheDropInFolder(t *testing.T) {
	content := []byte("node-taint: [\"a=b:NoSchedule\"]\n")
	for name, tc := range map[string]struct {
		link, target string
		code         string
		starts       bool
		taints       int
	}{
		"to a file":                       {"50.yaml", "../taints.txt", "", true, 1},
		"to a file, from the root":        {"50.yaml", "/taints.txt", "", true, 1},
		"to a folder stops the agent":     {"50.yaml", "../folder", "config-unreadable", false, 1},
		"to nowhere hides all the files":  {"50.yaml", "missing", "config-ignored", true, 0},
		"with another ending are skipped": {"50.bak", "../folder", "", true, 1},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			mustWrite(t, filepath.Join(dir, "taints.txt"), content)
			mustWrite(t, filepath.Join(dir, "folder/x.yaml"), content)
			mustWrite(t, filepath.Join(dir, "config.yaml.d/10.yaml"), content)
			if err := os.Symlink(tc.target, filepath.Join(dir, "config.yaml.d", tc.link)); err != nil {
				t.Fatal(err)
			}
			r := effectiveOf(t, dir)
			if r.Starts != tc.starts || len(r.Taints) != tc.taints || !hasCode(r, tc.code) {
				t.Errorf("got starts %v, %d taints, %v", r.Starts, len(r.Taints), r.Findings)
			}
		})
	}
}

func TestTheDropInFolderMayBeALinkAndMustBeAFolder(t *testing.T) {
	content := []byte("node-taint: [\"a=b:NoSchedule\"]\n")
	dir := t.TempDir()
	mustWrite(t, filepath.Join(dir, "opt/conf/10.yaml"), content)
	if err := os.Symlink("/opt/conf", filepath.Join(dir, "config.yaml.d")); err != nil {
		t.Fatal(err)
	}
	if r := effectiveOf(t, dir); len(r.Taints) != 1 || len(r.Findings) != 0 {
		t.Errorf("a link: got %v, %v", r.Taints, r.Findings)
	}
	dir = t.TempDir()
	mustWrite(t, filepath.Join(dir, "config.yaml.d"), content)
	if r := effectiveOf(t, dir); r.Starts || !hasCode(r, "config-unreadable") {
		t.Errorf("a file: got %v", r.Findings)
	}
}

func TestAFileThatWeMayNotReadIsOurErrorAndNoFinding(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may read everything")
	}
	dir := t.TempDir()
	mustWrite(t, filepath.Join(dir, "config.yaml"), []byte("token: x\n"))
	if err := os.Chmod(filepath.Join(dir, "config.yaml"), 0); err != nil {
		t.Fatal(err)
	}
	_, err := Effective(Input{FS: os.DirFS(dir), Site: Site{Base: "config.yaml"}, Distribution: v1alpha1.K3s})
	if err == nil || !strings.Contains(err.Error(), "config.yaml") {
		t.Errorf("got %v", err)
	}
}

func TestDiscoverFindsEveryLayout(t *testing.T) {
	file := &fstest.MapFile{Data: []byte("node-taint: []\n")}
	for name, tc := range map[string]struct {
		tree         fstest.MapFS
		distribution v1alpha1.Distribution
		want         []Site
	}{
		"a machine":                 {fstest.MapFS{"etc/rancher/k3s/config.yaml": file, "config.yaml": file}, v1alpha1.K3s, []Site{{"", "etc/rancher/k3s/config.yaml", true}}},
		"an RKE2 machine":           {fstest.MapFS{"etc/rancher/rke2/config.yaml.d/x.yaml": file}, v1alpha1.RKE2, []Site{{"", "etc/rancher/rke2/config.yaml", true}}},
		"a folder":                  {fstest.MapFS{"config.yaml.d/x.yaml": file}, v1alpha1.K3s, []Site{{"", "config.yaml", false}}},
		"a generated tree":          {fstest.MapFS{"k3s/b/config.yaml.d/x.yaml": file, "k3s/a/config.yaml.d/x.yaml": file, "other/x": file}, v1alpha1.K3s, []Site{{"a", "k3s/a/config.yaml", false}, {"b", "k3s/b/config.yaml", false}}},
		"the nodes of one":          {fstest.MapFS{"a/config.yaml.d/x.yaml": file}, v1alpha1.K3s, []Site{{"a", "a/config.yaml", false}}},
		"the other distribution":    {fstest.MapFS{"etc/rancher/rke2/config.yaml": file}, v1alpha1.K3s, nil},
		"nothing that k3s looks at": {fstest.MapFS{"config.yml": file}, v1alpha1.K3s, nil},
	} {
		got, err := Discover(tc.tree, tc.distribution)
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if (err != nil) != (tc.want == nil) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func hasCode(r *Report, code string) bool {
	if code == "" {
		return len(r.Findings) == 0
	}
	for _, f := range r.Findings {
		if f.Code == code {
			return true
		}
	}
	return false
}

func mustWrite(t *testing.T, file string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, content, 0o644); err != nil {
		t.Fatal(err)
	}
}
