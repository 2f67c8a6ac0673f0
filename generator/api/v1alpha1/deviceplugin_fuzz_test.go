package v1alpha1

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/berth-dev/berth/generator/api/strict"
)

// Whatever the file holds, the answer is objects or problems with a message, and never both.
func FuzzReadDevicePlugins(f *testing.F) {
	for _, name := range []string{"valid-everything", "valid-generic", "valid-upstream", "generic-with-faulty-members"} {
		f.Add(string(mustRead("testdata/deviceplugin/" + name + "/plugin.yaml")))
	}
	f.Fuzz(func(t *testing.T, text string) {
		plugins, err := ReadDevicePlugins("p.yaml", []byte(text))
		for _, problem := range strict.AsProblems(err) {
			if problem.Message == "" {
				t.Errorf("a problem without a message: %+v", problem)
			}
		}
		if err != nil && plugins != nil {
			t.Error("objects came back beside an error")
		}
		for _, plugin := range plugins {
			if len(plugin.Claims()) == 0 || plugin.ImageDigest() == "" && !plugin.Spec.AllowTagOnly {
				t.Errorf("claims %v, digest %q", plugin.Claims(), plugin.ImageDigest())
			}
			before, _ := json.Marshal(plugin)
			plugin.Default()
			if after, _ := json.Marshal(plugin); string(before) != string(after) || plugin.Validate() != nil {
				t.Errorf("not the same when its defaults are filled in again: %s", after)
			}
		}
	})
}

func mustRead(name string) []byte {
	data, err := os.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return data
}
