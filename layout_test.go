package berth_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/berth-dev/berth/"

// goPackage is the part of `go list -json` that the rules are about.
type goPackage struct {
	ImportPath   string
	Dir          string
	GoFiles      []string
	Imports      []string
	TestImports  []string
	XTestImports []string
}

// mayNotImport holds the arrows of the layout: a package below the first prefix imports nothing below the second.
var mayNotImport = []struct{ from, to, why string }{
	{"generator/", "functions/", "the domain does not know who calls it"},
	{"generator/", "deviceplugin", "the node's binary and the generator stay apart"},
	{"deviceplugin", "generator/", "the node's binary stays small"},
	{"deviceplugin", "functions/", "the node's binary stays small"},
	{"deviceplugin/kubelet", "deviceplugin/drm", "serving knows nothing of GPUs"},
	{"generator/api/", "generator/stream", "the kinds stand below everything"},
	{"generator/api/", "generator/podspec", "the kinds stand below everything"},
	{"generator/api/", "generator/toleration", "the kinds stand below everything"},
	{"generator/api/", "generator/k3s", "the kinds stand below everything"},
	{"generator/tree", "generator/", "trees stand below everything"},
	{"generator/stream", "generator/api", "a stream knows no kind"},
	{"generator/stream", "generator/podspec", "a stream knows no kind"},
	{"generator/stream", "generator/toleration", "a stream knows no kind"},
	{"generator/podspec", "generator/toleration", "carriers stand below the edits"},
	{"generator/podspec", "generator/edit", "carriers stand below the edits"},
	{"generator/edit", "generator/toleration", "what is changed is for the packages above"},
	{"generator/edit", "generator/daemonset", "what is changed is for the packages above"},
	{"generator/toleration", "generator/daemonset", "taints know no device"},
	{"generator/daemonset", "generator/toleration", "devices know the intent, not its edits"},
	{"generator/podspec", "generator/k3s", "carriers know no distribution"},
	{"generator/k3s", "generator/podspec", "drop-ins know no workload"},
	{"generator/k3s", "generator/toleration", "drop-ins know no workload"},
	{"generator/toleration", "generator/k3s", "tolerations know no distribution"},
	{"generator/finding", "generator/", "findings stand below everything"},
	{"generator/header", "generator/", "headers stand below everything"},
	{"generator/toleration", "generator/bundle", "edits do not know in which files they end"},
	{"generator/inprocess", "generator/toleration", "a build knows no function"},
	{"generator/inprocess", "generator/api", "a build knows no kind"},
	{"generator/bundle", "generator/outdir", "a bundle does not know where it is written"},
	{"generator/check", "generator/report", "report stands on check"},
	{"generator/check", "generator/live", "live stands on check"},
}

func TestPackagesImportOnlyWhatStandsBelowThem(t *testing.T) {
	for _, p := range listPackages(t) {
		from := strings.TrimPrefix(p.ImportPath, module)
		for _, imported := range p.Imports {
			to, ours := strings.CutPrefix(imported, module)
			if !ours {
				continue
			}
			for _, rule := range mayNotImport {
				if strings.HasPrefix(from, rule.from) && strings.HasPrefix(to, rule.to) && !strings.HasPrefix(to, rule.from) {
					t.Errorf("%s imports %s: %s", from, to, rule.why)
				}
			}
		}
	}
}

// Package golden adds a flag to every program that it is built into.
func TestOnlyTestsImportTheGoldenFiles(t *testing.T) {
	for _, p := range listPackages(t) {
		if slices.Contains(p.Imports, module+"internal/golden") {
			t.Errorf("%s imports internal/golden outside its tests", p.ImportPath)
		}
	}
}

// A package of the domain must not print, exit or read a flag: the caller decides what a person sees.
func TestTheDomainNeitherPrintsNorExitsNorReadsFlags(t *testing.T) {
	for _, p := range listPackages(t) {
		if !strings.HasPrefix(p.ImportPath, module+"generator/") {
			continue
		}
		for _, imported := range p.Imports {
			if imported == "flag" || imported == "log" || strings.HasPrefix(imported, "github.com/spf13/") {
				t.Errorf("%s imports %s", p.ImportPath, imported)
			}
		}
		for _, name := range p.GoFiles {
			src, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				t.Fatal(err)
			}
			for _, call := range []string{"os.Exit(", "fmt.Print", "os.Stdout", "os.Stderr", "os.Args"} {
				if bytes.Contains(src, []byte(call)) {
					t.Errorf("%s/%s uses %s", p.ImportPath, name, call)
				}
			}
		}
	}
}

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	for _, p := range listPackages(t) {
		if len(p.GoFiles) == 0 {
			continue
		}
		if _, err := os.Stat(filepath.Join(p.Dir, "doc.go")); err != nil {
			t.Errorf("%s has no doc.go", p.ImportPath)
		}
	}
}

func listPackages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-json", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []goPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}
