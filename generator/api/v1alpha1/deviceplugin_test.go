package v1alpha1

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/berth-dev/berth/internal/golden"
)

// readers reads the file of a case by the folder of its kind.
var readers = map[string]struct {
	file string
	read func(file string, data []byte) (any, error)
}{
	"deviceplugin": {"plugin.yaml", func(file string, data []byte) (any, error) {
		all, err := ReadDevicePlugins(file, data)
		return all, err
	}},
	"deviceevidence": {"evidence.yaml", func(file string, data []byte) (any, error) {
		all, err := ReadDeviceEvidence(file, data)
		return all, err
	}},
	"rendercheck": {"berth.yaml", func(file string, data []byte) (any, error) {
		all, err := ReadRenderChecks(file, data)
		return all, err
	}},
}

// Each case below testdata/deviceplugin and testdata/deviceevidence is valid, by its name, and comes back with its
// defaults, or is refused with a line and an advice.
func TestCasesOfTheDeviceKinds(t *testing.T) {
	for kind, r := range readers {
		for _, name := range casesOf(t, kind) {
			t.Run(kind+"/"+name, func(t *testing.T) {
				folder := kind + "/" + name
				all, err := r.read(r.file, readCase(t, folder, r.file))
				if !strings.HasPrefix(name, "valid-") {
					if err == nil {
						t.Fatalf("it was read as %+v", all)
					}
					golden.Check(t, filepath.Join("testdata", folder, "error.txt"), err.Error()+"\n")
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				data, err := json.MarshalIndent(all, "", "  ")
				if err != nil {
					t.Fatal(err)
				}
				golden.Check(t, filepath.Join("testdata", folder, "read.json"), string(data)+"\n")
			})
		}
	}
}

func casesOf(t *testing.T, kind string) []string {
	t.Helper()
	entries, err := os.ReadDir("testdata/" + kind)
	if err != nil || len(entries) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = entry.Name()
	}
	return names
}

func TestAKindIsReadFromAmongOthersInAFile(t *testing.T) {
	plugin := readCase(t, "deviceplugin/valid-smallest", "plugin.yaml")
	evidence := readCase(t, "deviceevidence/valid-by-hand", "evidence.yaml")
	both := []byte(string(plugin) + "---\n" + string(evidence) + "---\n" + home)
	plugins, err := ReadDevicePlugins("all.yaml", both)
	if err != nil || len(plugins) != 1 {
		t.Errorf("%d plugins, %v", len(plugins), err)
	}
	seen, err := ReadDeviceEvidence("all.yaml", both)
	if err != nil || len(seen) != 1 {
		t.Errorf("%d of evidence, %v", len(seen), err)
	}
	intents, err := ReadTaintIntents("all.yaml", both)
	if err != nil || len(intents) != 1 {
		t.Errorf("%d intents, %v", len(intents), err)
	}
	if got := seen[0].Position("spec.nodes[1].name").String(); got != "all.yaml:21" {
		t.Errorf("the second node stands at %s", got)
	}
	if got := plugins[0].Position("spec.image").String(); got != "all.yaml:6" {
		t.Errorf("the image stands at %s", got)
	}
}

func TestThePluginClaimsWhatItMayOffer(t *testing.T) {
	for name, c := range map[string]struct {
		spec DevicePluginSpec
		want string
	}{
		"by driver":      {DevicePluginSpec{Preset: IntelGPU}, "gpu.intel.com/i915 gpu.intel.com/xe"},
		"of one driver":  {DevicePluginSpec{Preset: IntelGPU, Select: &GPUSelector{Drivers: []string{"xe"}}}, "gpu.intel.com/xe"},
		"monitoring":     {DevicePluginSpec{Preset: IntelGPUUpstream, Monitoring: true}, "gpu.intel.com/i915 gpu.intel.com/monitoring gpu.intel.com/xe"},
		"a neutral name": {DevicePluginSpec{Preset: IntelGPU, Resource: "example.com/gpu"}, "example.com/gpu"},
		"listed": {DevicePluginSpec{Preset: GenericDevices, Devices: []DeviceResource{{Resource: "b.c/d"}, {Resource: "a.b/c"}}},
			"a.b/c b.c/d"},
	} {
		plugin := &DevicePlugin{Spec: c.spec}
		if got := strings.Join(plugin.Claims(), " "); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
