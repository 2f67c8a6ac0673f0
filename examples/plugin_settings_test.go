package examples_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// The DaemonSets of every golden case start the plugin's own binary with settings that it takes: its flags, and the
// file in the ConfigMap. Intel's image is left out.
func TestTheDevicePluginTakesTheSettingsInItsManifests(t *testing.T) {
	if _, err := os.Stat("../deviceplugin/main.go"); errors.Is(err, fs.ErrNotExist) {
		t.Skip("SKIPPED: the device plugin is not in this tree")
	}
	binary := filepath.Join(t.TempDir(), "berth-device-plugin")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "../deviceplugin").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	archives, err := filepath.Glob("../generator/daemonset/testdata/*/files.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, name := range archives {
		t.Run(filepath.Base(filepath.Dir(name)), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range archive.Files {
				if path.Base(file.Name) == "daemonset.yaml" {
					takes(t, binary, archive, file)
				}
			}
		})
	}
}

func takes(t *testing.T, binary string, archive *txtar.Archive, file txtar.File) {
	var daemonSet appsv1.DaemonSet
	if err := yaml.UnmarshalStrict(file.Data, &daemonSet); err != nil {
		t.Fatal(err)
	}
	container := daemonSet.Spec.Template.Spec.Containers[0]
	if strings.Contains(container.Image, "intel/intel-gpu-plugin") {
		return
	}
	dir := t.TempDir()
	args := []string{"-print-config"}
	for _, arg := range container.Args {
		args = append(args, strings.Replace(arg, "/etc/berth-device-plugin", dir, 1))
	}
	for _, other := range archive.Files {
		if other.Name != path.Join(path.Dir(file.Name), "config.yaml") {
			continue
		}
		var config corev1.ConfigMap
		if err := yaml.UnmarshalStrict(other.Data, &config); err != nil {
			t.Fatal(err)
		}
		for key, text := range config.Data {
			if err := os.WriteFile(filepath.Join(dir, key), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if out, err := exec.CommandContext(t.Context(), binary, args...).CombinedOutput(); err != nil {
		t.Errorf("%v: %v\n%s", args, err, out)
	}
}
