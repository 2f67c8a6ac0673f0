package v1alpha1

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/berth-dev/berth/internal/golden"
)

// otherFolders are those of testdata that hold no cases of intents.
var otherFolders = []string{"fuzz", "deviceplugin", "deviceevidence", "rendercheck"}

// caseFolders lists the folders below testdata whose name begins, or does not begin, with one of the prefixes.
func caseFolders(t *testing.T, wanted bool, prefixes ...string) []string {
	t.Helper()
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	var folders []string
	for _, entry := range entries {
		if slices.Contains(otherFolders, entry.Name()) {
			continue
		}
		begins := false
		for _, prefix := range prefixes {
			begins = begins || strings.HasPrefix(entry.Name(), prefix)
		}
		if begins == wanted {
			folders = append(folders, entry.Name())
		}
	}
	if len(folders) == 0 {
		t.Fatal("no cases")
	}
	return folders
}

func readCase(t *testing.T, folder, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", folder, file))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestAFaultyIntentIsRefusedWithALineAndAnAdvice(t *testing.T) {
	for _, folder := range caseFolders(t, false, "valid-", "together-") {
		t.Run(folder, func(t *testing.T) {
			intents, err := ReadTaintIntents("intent.yaml", readCase(t, folder, "intent.yaml"))
			if err == nil {
				t.Fatalf("it was read as %+v", intents)
			}
			if intents != nil {
				t.Error("objects came back beside an error")
			}
			golden.Check(t, filepath.Join("testdata", folder, "error.txt"), err.Error()+"\n")
		})
	}
}

func TestAValidIntentComesBackWithItsDefaults(t *testing.T) {
	for _, folder := range caseFolders(t, true, "valid-") {
		t.Run(folder, func(t *testing.T) {
			intents, err := ReadTaintIntents("intent.yaml", readCase(t, folder, "intent.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			data, err := json.MarshalIndent(intents, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			golden.Check(t, filepath.Join("testdata", folder, "intents.json"), string(data)+"\n")
		})
	}
}

func TestIntentsThatClashAreRefusedTogether(t *testing.T) {
	for _, folder := range caseFolders(t, true, "together-") {
		t.Run(folder, func(t *testing.T) {
			var intents []*TaintIntent
			files, err := filepath.Glob(filepath.Join("testdata", folder, "*.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range files {
				name := filepath.Base(file)
				read, err := ReadTaintIntents(name, readCase(t, folder, name))
				if err != nil {
					t.Fatalf("each must be valid by itself: %v", err)
				}
				intents = append(intents, read...)
			}
			message := "valid\n"
			if err := CheckTogether(intents); err != nil {
				message = err.Error() + "\n"
			}
			golden.Check(t, filepath.Join("testdata", folder, "error.txt"), message)
		})
	}
}
