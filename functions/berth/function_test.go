package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-dev/berth/internal/golden"
)

// Each case of testdata/function holds an input.yaml as a host sends it, and what comes out: output.yaml, stderr.txt
// with the exit code in its first line.
func TestTheFunctionDoesWhatItsCasesSay(t *testing.T) {
	inputs, err := filepath.Glob("testdata/function/*/input.yaml")
	if err != nil || len(inputs) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range inputs {
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			in, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			out, stderr, code := call(string(in))
			golden.Check(t, filepath.Join(dir, "output.yaml"), out)
			golden.Check(t, filepath.Join(dir, "stderr.txt"), "exit "+strconv.Itoa(code)+"\n"+stderr)
			if code != exitClean {
				return
			}
			again, _, code := call(out)
			if code != exitClean {
				t.Errorf("the second run ends with %d", code)
			}
			if diff := cmp.Diff(withoutResults(out), withoutResults(again)); diff != "" {
				t.Errorf("the second run changed something:\n%s", diff)
			}
			third, _, _ := call(again)
			if again != third {
				t.Error("the third run differs from the second to the byte")
			}
		})
	}
}

// call runs the function as a host does, through the command line.
func call(in string) (out, stderr string, code int) {
	var o, e bytes.Buffer
	code = run(nil, streams{in: strings.NewReader(in), out: &o, err: &e})
	return o.String(), e.String(), code
}

// withoutResults cuts the results off: the first run says "now tolerates", the second "already tolerates".
func withoutResults(list string) string {
	before, _, _ := strings.Cut(list, "\nresults:\n")
	return before
}

func TestNothingButAResourceListWithAConfigurationIsAccepted(t *testing.T) {
	list := "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- kind: ConfigMap\n  metadata: {name: a}\n"
	cases := map[string]struct{ in, want string }{
		"empty":                       {"", "standard input is empty: a ResourceList was expected"},
		"not yaml":                    {"a: [\n", "this is not YAML"},
		"another kind":                {"kind: Deployment\napiVersion: apps/v1\n", "is not a ResourceList but Deployment"},
		"no configuration":            {list, "the ResourceList has no functionConfig"},
		"a ConfigMap as fn eval does": {list + "functionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n  data: {a: b}\n", "name the TaintIntent file with configPath: (or --fn-config) instead"},
		"a key twice in an item":      {list + "  metadata: {name: b}\n", `line 6: key "metadata" stands twice`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			out, stderr, code := call(c.in)
			if code == exitClean || !strings.Contains(stderr, c.want) {
				t.Errorf("exit %d, %q, want %q", code, stderr, c.want)
			}
			if code == exitUsage && out != "" {
				t.Errorf("standard output holds %q", out)
			}
		})
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error)  { return 0, errors.New("pipe broke") }
func (failing) Write([]byte) (int, error) { return 0, errors.New("pipe broke") }

func TestABrokenPipeIsAnError(t *testing.T) {
	in, err := os.ReadFile("testdata/function/kustomize/input.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	if code := run(nil, streams{in: failing{}, out: &stderr, err: &stderr}); code != exitUsage {
		t.Errorf("reading: exit %d", code)
	}
	if code := run(nil, streams{in: bytes.NewReader(in), out: failing{}, err: &stderr}); code != exitUsage {
		t.Errorf("writing: exit %d", code)
	}
	if got := stderr.String(); strings.Count(got, "pipe broke") != 2 {
		t.Errorf("said %q", got)
	}
}
