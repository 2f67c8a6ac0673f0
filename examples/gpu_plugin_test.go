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

const gpuPlugin = "gpu-plugin"

// stages are the two commits of the example's repository.
var stages = []string{"advertise", "consume"}

func eachStage(t *testing.T, do func(t *testing.T, dir string)) {
	for _, stage := range stages {
		t.Run(stage, func(t *testing.T) { do(t, gpuPlugin+"/"+stage) })
	}
}

func TestGPUPluginUnderKustomize(t *testing.T) {
	eachStage(t, func(t *testing.T, dir string) {
		out := command(t, dir, kustomize(t), "build", "--enable-alpha-plugins", "--enable-exec", ".")
		golden.Check(t, "../testdata/gpu-plugin/"+filepath.Base(dir)+".yaml", out)
		plain := command(t, dir, kustomize(t), "build", "plain")
		if diff := cmp.Diff(out, plain); diff != "" {
			t.Errorf("-function +files of berth generate:\n%s", diff)
		}
	})
}

func TestGPUPluginAsAGeneratorMakesTheObjectsThatGenerateWrites(t *testing.T) {
	eachStage(t, func(t *testing.T, dir string) {
		made := command(t, dir, kustomize(t), "build", "--load-restrictor", "LoadRestrictionsNone", "--enable-alpha-plugins", "--enable-exec", "generator")
		if diff := cmp.Diff(command(t, dir, kustomize(t), "build", "platform-gpu"), made); diff != "" {
			t.Errorf("-platform-gpu +generators:\n%s", diff)
		}
	})
}

func TestGPUPluginIsWhatGenerateWritesToday(t *testing.T) {
	eachStage(t, func(t *testing.T, dir string) {
		command(t, dir, filepath.Join(tools, "berth"), "generate", "intel-gpu.yaml", "--from", "apps", "-o", ".", "--check")
	})
}

func TestGPUPluginUnderKptIsTheSameAndTheSecondTimeNothingChanges(t *testing.T) {
	kpt, err := exec.LookPath("kpt")
	if err != nil {
		t.Skip("SKIPPED: kpt is not on this machine")
	}
	eachStage(t, func(t *testing.T, example string) {
		dir := copyOf(t, example)
		// The cluster's own files are not part of what kustomize builds here.
		if err := os.RemoveAll(filepath.Join(dir, "platform-gpu")); err != nil {
			t.Fatal(err)
		}
		command(t, dir, kpt, "fn", "render", ".", "--allow-exec")
		for _, file := range []string{"namespace.yaml", "daemonset.yaml"} {
			if _, err := os.Stat(filepath.Join(dir, "platform-gpu", file)); err != nil {
				t.Error(err)
			}
		}
		all := objects(t, command(t, dir, "sh", "-c", "for f in apps/plex.yaml platform-gpu/*.yaml; do echo ---; cat $f; done"))
		if diff := cmp.Diff(objects(t, command(t, example, kustomize(t), "build", "plain")), all); diff != "" {
			t.Errorf("-kustomize +kpt:\n%s", diff)
		}
		const sums = "find . -type f | sort | xargs cksum"
		first := command(t, dir, "sh", "-c", sums)
		command(t, dir, kpt, "fn", "render", ".", "--allow-exec")
		if diff := cmp.Diff(first, command(t, dir, "sh", "-c", sums)); diff != "" {
			t.Error(diff)
		}
	})
}

func TestGPUPluginSwitchesNobodyWithoutEvidence(t *testing.T) {
	dir := copyOf(t, gpuPlugin+"/consume")
	if err := os.Remove(filepath.Join(dir, "intel-gpu.evidence.yaml")); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(tools, "berth"), "generate", "intel-gpu.yaml", "--from", "apps", "-o", ".", "--check")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "[evidence-missing]") {
		t.Errorf("%v\n%s", err, out)
	}
}
