package flux

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestACheckoutIsWhatSourceControllerArchives(t *testing.T) {
	c := openText(t, `
-- .git/config --
[core]
-- .github/workflows/ci.yaml --
x: y
-- .sourceignore --
/docs
!/docs/keep.yaml
-- app/config.yaml --
x: y
-- app/logo.png --
png
-- app/.sourceignore --
secret.yaml
-- app/secret.yaml --
x: y
-- docs/a.yaml --
x: y
-- other/secret.yaml --
x: y
`)
	want := []string{".sourceignore", "app/.sourceignore", "app/config.yaml", "other/secret.yaml"}
	if got := c.Files(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if _, err := c.ReadFile("app/logo.png"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not archived was read: %v", err)
	}
}

func TestNothingOutsideOfTheCheckoutIsRead(t *testing.T) {
	outside := t.TempDir()
	write(t, filepath.Join(outside, "config.yaml"), "{apiVersion: v1, kind: ConfigMap, metadata: {name: outside}}\n")
	dir := t.TempDir()
	write(t, filepath.Join(dir, "linked/kustomization.yaml"), "resources: [config.yaml]\n")
	write(t, filepath.Join(dir, "climbing/kustomization.yaml"), "resources: [../../"+filepath.Base(outside)+"/config.yaml]\n")
	write(t, filepath.Join(dir, "absolute/kustomization.yaml"), "resources: ["+outside+"/config.yaml]\n")
	write(t, filepath.Join(dir, "generator/kustomization.yaml"), "configMapGenerator: [{name: x, files: [../../../../../../../../etc/hostname]}]\n")
	for link, target := range map[string]string{"linked/config.yaml": filepath.Join(outside, "config.yaml"), "folder": outside} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	c := openDir(t, dir)
	for _, folder := range []string{"linked", "climbing", "absolute", "generator"} {
		k := readEnv(t, c, Options{Path: folder}).Kustomizations[0]
		if k.Built || !hasReason(k, BuildFailed) {
			t.Errorf("%s was built: %v", folder, k.Objects)
		}
		for _, p := range k.Problems {
			if strings.Contains(p.Message, dir) {
				t.Errorf("%s: the message tells where the checkout is: %s", folder, p.Message)
			}
		}
	}
	if _, err := Read(t.Context(), c, Options{Path: "folder"}); err == nil {
		t.Error("a link to a folder outside was read")
	}
	if _, err := c.ReadFile("../" + filepath.Base(outside) + "/config.yaml"); err == nil {
		t.Error("a file outside was read")
	}
}

func TestAPathThatClimbsStaysInsideAsTheControllerDoesIt(t *testing.T) {
	for path, want := range map[string]string{"": ".", "./": ".", "/": ".", "./a//b/": "a/b", "../../a": "a", "a/../../b": "b"} {
		if got := cleanPath(path); got != want {
			t.Errorf("%q: got %q, want %q", path, got, want)
		}
	}
}

func TestTheCheckoutIsNotWrittenTo(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "dev/app.yaml"), `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: app, namespace: flux-system}
spec: {path: ./app, targetNamespace: app, sourceRef: {kind: GitRepository, name: flux-system}}
`)
	write(t, filepath.Join(dir, "app/config.yaml"), "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n")
	before := listing(t, dir)
	for _, name := range []string{"dev", "app", "."} {
		if err := os.Chmod(filepath.Join(dir, name), 0o555); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, name), 0o755) })
	}
	e := readEnv(t, openDir(t, dir), Options{Path: "dev"})
	if o := e.Object("", "ConfigMap", "app", "a"); o == nil {
		t.Error("the object was not built")
	}
	if after := listing(t, dir); !slices.Equal(before, after) {
		t.Errorf("got %v, want %v", after, before)
	}
}

func TestSpecIgnoreOfTheSourceHidesFiles(t *testing.T) {
	c := openText(t, `
-- dev/source.yaml --
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: flux-system, namespace: flux-system}
spec: {url: "https://example.org/a", ignore: "/app/b.yaml"}
-- dev/app.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: app, namespace: flux-system}
spec: {path: ./app, sourceRef: {kind: GitRepository, name: flux-system}}
-- app/a.yaml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
-- app/b.yaml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: b}}
`)
	e := readEnv(t, c, Options{Path: "dev"})
	if e.Object("", "ConfigMap", "", "a") == nil || e.Object("", "ConfigMap", "", "b") != nil {
		t.Errorf("got %v", e.Kustomization(ID{"flux-system", "app"}).Objects)
	}
}

func listing(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error {
		all = append(all, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func write(t testing.TB, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
