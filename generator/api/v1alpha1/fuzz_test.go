package v1alpha1

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/berth-dev/berth/generator/api/strict"
)

// What is read as a taint passes the API server's rules and is printed so that it is read again.
func FuzzParseTaint(f *testing.F) {
	for _, seed := range []string{"a=b:NoSchedule", "a:NoExecute", "a=:PreferNoSchedule", "a/b=c:NoSchedule-", "a,b:NoSchedule", "${A}:NoSchedule", "a:noschedule"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		taint, err := ParseTaint(text)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Errorf("the error has several lines: %q", err)
			}
			return
		}
		if len(validation.IsQualifiedName(taint.Key)) > 0 || len(validation.IsValidLabelValue(taint.Value)) > 0 || !slices.Contains(effects, string(taint.Effect)) {
			t.Errorf("%q was read as %+v", text, taint)
		}
		if again, err := ParseTaint(taint.String()); err != nil || again != taint {
			t.Errorf("%q, printed as %s, is read as %+v, %v", text, taint, again, err)
		}
	})
}

// Whatever a file holds, it is read or refused with its name; what is read keeps the promises that other packages build on.
func FuzzReadTaintIntents(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*.yaml")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		intents, err := ReadTaintIntents("f.yaml", data)
		if err != nil {
			checkProblems(t, err, strings.Count(string(data), "\n")+2)
			return
		}
		for _, intent := range intents {
			checkIntent(t, intent)
		}
		_ = CheckTogether(intents)
	})
}

func checkProblems(t *testing.T, err error, lines int) {
	problems := strict.AsProblems(err)
	if len(problems) == 0 {
		t.Errorf("an error without problems: %v", err)
	}
	for _, p := range problems {
		if p.File != "f.yaml" || p.Message == "" || p.Line < 0 || p.Line > lines {
			t.Errorf("%+v in a file of %d lines", p, lines)
		}
	}
}

func checkIntent(t *testing.T, intent *TaintIntent) {
	if err := intent.Validate(); err != nil {
		t.Errorf("it was read but is not valid: %v", err)
	}
	nodes := intent.NodeNames()
	if len(nodes) == 0 || !slices.IsSorted(nodes) || len(slices.Compact(slices.Clone(nodes))) != len(nodes) {
		t.Errorf("the nodes are %q", nodes)
	}
	for _, named := range intent.Spec.Taints {
		if _, err := named.Resolve(); err != nil {
			t.Errorf("%+v: %v", named, err)
		}
	}
	if first := intent.Digest(); first != intent.Digest() {
		t.Error("the digest changes from call to call")
	}
}
