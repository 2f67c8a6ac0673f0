package admission_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/berth-dev/berth/e2e/harness"
)

const root = "../.."

// TestTheServerAcceptsEverything sends what the folders' kustomizations build, functions and generated files included, and what Berth
// writes in each case of the generator's own tests.
func TestTheServerAcceptsEverything(t *testing.T) {
	j := newJudge(t)
	t.Run("what it does not accept is seen", j.refuses)
	tools := harness.FindTools(t)
	for _, folder := range kustomizations(t, "examples", "clusters/platform-gpu") {
		t.Run(folder, func(t *testing.T) {
			r := tools.RunBerth(t, "", nil, "build", filepath.Join(root, folder))
			if r.Code != 0 {
				t.Fatalf("berth build: exit %d: %s", r.Code, r.Errors)
			}
			j.accepts(t, []byte(r.Out))
		})
	}
	cases, err := filepath.Glob(root + "/generator/daemonset/testdata/*/files.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	for _, file := range cases {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			written, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			j.accepts(t, wholeObjects(written))
		})
	}
	for _, kind := range []string{"DaemonSet", "Pod of DaemonSet", "Namespace", "Deployment", "Job", "CronJob", "Pod of CronJob", "ClusterRole", "ConfigMap"} {
		if j.judged[kind] == 0 {
			t.Errorf("no %s was among them", kind)
		}
	}
	t.Logf("accepted: %v", j.judged)
	t.Logf("not judged, because their CRDs are not here: %v", j.unknown)
}

func (j *judge) accepts(t *testing.T, text []byte) {
	t.Helper()
	for _, said := range j.about(t, harness.Objects(t, text)) {
		t.Error(said)
	}
}

// kustomizations finds the folders that build by themselves. A Component does not, nor does what only edits the resources of
// others: they are built where they are used.
func kustomizations(t *testing.T, below ...string) []string {
	t.Helper()
	var folders []string
	for _, dir := range below {
		err := filepath.WalkDir(filepath.Join(root, dir), func(file string, e fs.DirEntry, err error) error {
			if err != nil || e.Name() != "kustomization.yaml" {
				return err
			}
			text, err := os.ReadFile(file)
			if err != nil || bytes.Contains(text, []byte("kind: Component")) || !bytes.Contains(text, []byte("resources:")) {
				return err
			}
			folder, err := filepath.Rel(root, filepath.Dir(file))
			folders = append(folders, folder)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return folders
}

// wholeObjects gives the manifests among the files that Berth wrote: not the patches, which stand in the folders of Components.
func wholeObjects(written *txtar.Archive) []byte {
	components := map[string]bool{}
	for _, f := range written.Files {
		if bytes.Contains(f.Data, []byte("kind: Component")) {
			components[filepath.Dir(f.Name)] = true
		}
	}
	var text []byte
	for _, f := range written.Files {
		if strings.HasSuffix(f.Name, ".yaml") && filepath.Base(f.Name) != "kustomization.yaml" && !components[filepath.Dir(f.Name)] {
			text = append(append(text, "---\n"...), f.Data...)
		}
	}
	return text
}
