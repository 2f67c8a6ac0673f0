package rules

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/berth-dev/berth/generator/check"
)

// BERTH_CORPUS names a folder with checkouts of strangers' repositories. Each is opened without a berth.yaml; nothing may
// crash, every Kustomization is built or says why not, and with -v the first three findings of each rule are shown, to be
// judged by hand. docs/benchmarks-check.md holds the verdicts.
func TestCorpusFindings(t *testing.T) {
	for _, dir := range corpus(t) {
		setup, err := check.Find(dir, "")
		if err != nil {
			t.Fatal(err)
		}
		repository, err := check.Open(t.Context(), setup, nil)
		if err != nil {
			t.Fatal(err)
		}
		result := check.Run(repository, All())
		t.Logf("%s: %d findings, %d not seen, %+v", filepath.Base(dir), len(result.Findings), len(result.Unseen), result.Environments)
		shown := map[string]int{}
		for _, f := range result.Findings {
			if shown[f.Code]++; shown[f.Code] <= 3 {
				t.Log("  " + line(f))
			}
		}
		for _, e := range repository.Environments {
			for _, k := range e.Kustomizations {
				if !k.Built && len(k.Problems) == 0 {
					t.Errorf("%s: %s is not built, and nothing says why", dir, k.ID)
				}
			}
		}
		again := check.Run(repository, All())
		if !slices.EqualFunc(result.Findings, again.Findings, func(a, b check.Finding) bool { return line(a) == line(b) }) {
			t.Errorf("%s: two runs differ", dir)
		}
		_ = repository.Checkout.Close()
	}
}

func corpus(t testing.TB) []string {
	t.Helper()
	root := os.Getenv("BERTH_CORPUS")
	if root == "" {
		t.Skip("BERTH_CORPUS is not set: point it at a folder that holds checkouts of Flux repositories")
	}
	dirs, err := filepath.Glob(filepath.Join(root, "*"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("BERTH_CORPUS=%s holds no folders (%v)", root, err)
	}
	return dirs
}
