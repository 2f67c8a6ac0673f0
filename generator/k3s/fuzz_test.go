package k3s

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
)

// FuzzLoad reads any two files as base and drop-in: it must not panic, must say the same twice, and must name only places
// that exist.
func FuzzLoad(f *testing.F) {
	for _, seed := range []string{
		"node-taint: [\"a=b:NoSchedule\"]\n", "node-taint+:\n- a=b: NoSchedule\n", "node-taint:\n\t- x\n", "- a\n", "x",
		"\ufeffnode-taint: a:NoExecute-\r\n", "a: &a [x]\nnode-taint: *a\n", "? [a]\n: b\n<<: {c: d}\n", "node-taint: [[a, b], ~, 0644]\n---\n[",
		"kubelet-arg: [register-with-taints=a]\n", "\xff\xfea\x00:\x00", "%YAML 1.1\n---\na: !!binary aGk=\n", "node_taint: 1\n1: 2\n~: 3\n",
	} {
		f.Add([]byte(seed), []byte("node-taint+: [\"c=d:NoSchedule\"]\n"))
	}
	f.Fuzz(func(t *testing.T, base, dropIn []byte) {
		tree := fstest.MapFS{"config.yaml": {Data: base}, "config.yaml.d/50.yaml": {Data: dropIn}}
		in := Input{FS: tree, Site: Site{Base: "config.yaml"}, Distribution: v1alpha1.K3s}
		first, err := Effective(in)
		if err != nil {
			t.Fatal(err)
		}
		second, err := Effective(in)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first, second); diff != "" {
			t.Errorf("two runs differ:\n%s", diff)
		}
		for _, taint := range first.Taints {
			place(t, tree, taint.File, taint.Line)
		}
		for _, finding := range first.Findings {
			place(t, tree, finding.File, finding.Line)
		}
	})
}

func place(t *testing.T, tree fstest.MapFS, file string, line int) {
	t.Helper()
	content := tree[file]
	if content == nil {
		t.Errorf("there is no file %q", file)
		return
	}
	// yaml counts CR, NEL and the Unicode separators as line ends too, and UTF-16 holds a zero byte beside each.
	breaks := strings.Count(string(content.Data), "\n") + strings.Count(string(content.Data), "\r") +
		strings.Count(string(content.Data), "\u0085") + strings.Count(string(content.Data), "\u2028") + strings.Count(string(content.Data), "\u2029")
	if line < 0 || line > breaks+2 && !strings.Contains(string(content.Data), "\x00") {
		t.Errorf("%s has no line %d: %q", file, line, content.Data)
	}
}

// FuzzReadStart reads anything as a unit: it must not panic, and lines must exist.
func FuzzReadStart(f *testing.F) {
	f.Add([]byte("[Service]\nExecStart=/k3s agent \\\n '--node-taint' \"a=b:NoSchedule\" $X ${Y} $$ %% \\x41\n"))
	f.Add([]byte("[Service]\nEnvironment=\"A=b c\" D=e\nExecStart=sh -c 'k3s agent $A'\n"))
	f.Fuzz(func(t *testing.T, unit []byte) {
		unit = append([]byte("[Service]\n"), unit...)
		start, err := ReadStart(fstest.MapFS{"x.service": {Data: unit}}, "x.service", "x.service", v1alpha1.K3s)
		if err != nil {
			return // a command line that is no shell
		}
		for _, v := range start.Invocations {
			for _, value := range v.flag(nodeTaint) {
				if lines := strings.Count(string(unit), "\n") + 1; value.Line < 1 || value.Line > lines*2 {
					t.Errorf("line %d of %d: %q", value.Line, lines, unit)
				}
			}
		}
	})
}
