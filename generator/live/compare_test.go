package live

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/berth-dev/berth/internal/golden"
)

// Each folder of testdata/compare holds an intent, a cluster, and what Compare says of them.
func TestCompareCases(t *testing.T) {
	folders, err := filepath.Glob("testdata/compare/*")
	if err != nil || len(folders) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			_, cluster := serve(t, read(t, folder, "cluster.yaml"))
			snapshot, err := cluster.Read(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			snapshot.Server = "https://127.0.0.1:6443"
			got, err := json.MarshalIndent(Compare(snapshot, readIntentsOf(t, read(t, folder, "taints.yaml"))), "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			golden.Check(t, filepath.Join(folder, "diff.json"), append(got, '\n'))
		})
	}
}

func read(t *testing.T, folder, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
