package examples_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-dev/berth/internal/golden"
)

const defaultDeny = "default-deny"

// render is what the function makes of the example under the real kustomize.
func render(t *testing.T) string {
	t.Helper()
	return command(t, defaultDeny, kustomize(t), "build", "--enable-alpha-plugins", "--enable-exec", ".")
}

func TestDefaultDenyUnderKustomize(t *testing.T) {
	golden.Check(t, "../testdata/default-deny/kustomize.yaml", render(t))
}

func TestDefaultDenyWithoutAPluginIsTheSameToTheByte(t *testing.T) {
	plain := command(t, defaultDeny, kustomize(t), "build", "plain")
	if diff := cmp.Diff(render(t), plain); diff != "" {
		t.Errorf("-function +component:\n%s", diff)
	}
}

// Flux adds spec.components to the kustomization of spec.path and builds that (fluxcd/pkg, kustomize_generator.go).
func TestDefaultDenyAsFluxBuildsItIsTheSame(t *testing.T) {
	dir := copyOf(t, defaultDeny)
	path := filepath.Join(dir, "base", "kustomization.yaml")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, "components:\n  - ../generated/component\n"...)
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	built := command(t, dir, kustomize(t), "build", "base") + "---\n" + command(t, dir, kustomize(t), "build", "generated/record")
	if diff := cmp.Diff(objects(t, render(t)), objects(t, built)); diff != "" {
		t.Errorf("-function +flux:\n%s", diff)
	}
}

func TestDefaultDenyUnderKptIsTheSame(t *testing.T) {
	kpt, err := exec.LookPath("kpt")
	if err != nil {
		t.Skip("SKIPPED: kpt is not on this machine")
	}
	dir := copyOf(t, defaultDeny)
	out := command(t, dir, kpt, "fn", "render", ".", "--allow-exec", "-o", "stdout")
	if diff := cmp.Diff(objects(t, render(t)), objects(t, out)); diff != "" {
		t.Errorf("-kustomize +kpt:\n%s", diff)
	}
	eval := command(t, dir, kpt, "fn", "eval", ".", "--exec", filepath.Join(tools, "berth"), "--fn-config", "taints.yaml", "-o", "stdout")
	if diff := cmp.Diff(objects(t, out), objects(t, eval)); diff != "" {
		t.Errorf("-fn render +fn eval:\n%s", diff)
	}
}

func TestDefaultDenyRenderedInPlaceByKptTwiceChangesNothingTheSecondTime(t *testing.T) {
	kpt, err := exec.LookPath("kpt")
	if err != nil {
		t.Skip("SKIPPED: kpt is not on this machine")
	}
	dir := copyOf(t, defaultDeny)
	command(t, dir, kpt, "fn", "render", ".", "--allow-exec")
	first := command(t, dir, "find", ".", "-type", "f", "-exec", "cksum", "{}", "+")
	command(t, dir, kpt, "fn", "render", ".", "--allow-exec")
	if diff := cmp.Diff(first, command(t, dir, "find", ".", "-type", "f", "-exec", "cksum", "{}", "+")); diff != "" {
		t.Error(diff)
	}
}

func TestDefaultDenyIsWhatGenerateWritesToday(t *testing.T) {
	command(t, defaultDeny, filepath.Join(tools, "berth"), "generate", "taints.yaml", "--from", "base", "-o", "generated", "--check")
}

func TestTheDemoShowsTheMainJob(t *testing.T) {
	kustomize := kustomize(t)
	out := command(t, defaultDeny, "sh", "-c", "PATH="+tools+":"+filepath.Dir(kustomize)+":$PATH ./demo.sh")
	for _, want := range []string{`+        key: berth.dev/wsl`, "kubernetes.io/hostname", "taint-suffices", `"berth.dev/wsl=flaky:NoSchedule"`} {
		if !strings.Contains(out, want) {
			t.Errorf("the demo does not show %q:\n%s", want, out)
		}
	}
}

// copyOf copies an example to a temporary folder.
func copyOf(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.CopyFS(dir, os.DirFS(name)); err != nil {
		t.Fatal(err)
	}
	return dir
}
