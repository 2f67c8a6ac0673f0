package k3s

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/header"
	"github.com/berth-dev/berth/internal/golden"
)

// Each folder of testdata/dropins holds an intent and, below want, the files that must come of it.
func TestDropInsOfAnIntent(t *testing.T) {
	dirs, err := filepath.Glob("testdata/dropins/*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			got := map[string]string{}
			for _, f := range DropIns(readIntent(t, filepath.Join(dir, "intent.yaml"))) {
				got[f.Node+"/"+f.Path] = string(f.Content)
			}
			golden.CheckTree(t, filepath.Join(dir, "want"), got)
		})
	}
}

// What we write must be read back as what was meant, beside a base file that has taints of its own.
func TestDropInsAreReadBackAsTheyWereMeant(t *testing.T) {
	intent := readIntent(t, "testdata/dropins/append/intent.yaml")
	base := "node-taint: [\"example.com/hand=made:NoExecute\"]\n"
	for _, tc := range []struct {
		mode v1alpha1.DropInMode
		node string
		want []string
	}{
		{v1alpha1.Append, "kai-server", []string{"example.com/hand=made:NoExecute"}},
		{v1alpha1.Append, "kai-desktop-tower", []string{"example.com/hand=made:NoExecute", "berth.dev/wsl=flaky:NoExecute", "berth.dev/wsl=flaky:NoSchedule"}},
		{v1alpha1.Own, "kai-server", []string{}},
		{v1alpha1.Own, "kai-desktop-tower", []string{"berth.dev/wsl=flaky:NoExecute", "berth.dev/wsl=flaky:NoSchedule"}},
	} {
		intent.Spec.DropIn.Mode = tc.mode
		tree := fstest.MapFS{"config.yaml": {Data: []byte(base)}}
		for _, f := range DropIns(intent) {
			if f.Node == tc.node {
				tree[f.Path] = &fstest.MapFile{Data: f.Content}
			}
		}
		report, err := Effective(Input{FS: tree, Site: Site{Base: "config.yaml"}, Distribution: v1alpha1.K3s})
		if err != nil {
			t.Fatal(err)
		}
		if report.Failed() {
			t.Errorf("%s, %s: %v", tc.mode, tc.node, report.Findings)
		}
		got := []string{}
		for _, taint := range report.Taints {
			got = append(got, taint.Taint.String())
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s, %s (-want +got):\n%s", tc.mode, tc.node, diff)
		}
	}
}

func TestDropInsCarryTheHeaderAndTheirIntent(t *testing.T) {
	for _, f := range DropIns(readIntent(t, "testdata/dropins/own/intent.yaml")) {
		if got := header.Intents(f.Content); !header.IsOurs(f.Content) || !slices.Equal(got, []string{"home"}) {
			t.Errorf("%s: intents %v in\n%s", f.Node, got, f.Content)
		}
	}
}

func TestDropInsFitATerminalAndYamllint(t *testing.T) {
	for _, f := range DropIns(readIntent(t, "testdata/dropins/append/intent.yaml")) {
		for i, line := range strings.Split(string(f.Content), "\n") {
			if len(line) > 80 || strings.TrimRight(line, " \t") != line {
				t.Errorf("%s:%d: %q is too long or ends in a space", f.Path, i+1, line)
			}
		}
	}
}

func readIntent(t *testing.T, file string) *v1alpha1.TaintIntent {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	intents, err := v1alpha1.ReadTaintIntents(file, content)
	if err != nil {
		t.Fatal(err)
	}
	return intents[0]
}
