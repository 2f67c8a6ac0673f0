package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/berth-dev/berth/generator/placement/report"
)

// On whole repositories nothing is lost, nothing fails, and a second run writes the same bytes.
func TestExplainOnWholeRepositories(t *testing.T) {
	for _, dir := range corpus(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			items := repository(t, dir)
			scratch := t.TempDir()
			intent, render := filepath.Join(scratch, "taints.yaml"), filepath.Join(scratch, "render.yaml")
			var all strings.Builder
			for _, item := range items {
				all.WriteString("---\n" + text(t, item))
			}
			for file, content := range map[string]string{intent: intentFor(t, items, nil), render: all.String()} {
				if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for _, format := range []string{"text", "html", "json"} {
				out, stderr, code := explained(intent, render, format)
				again, _, _ := explained(intent, render, format)
				if out != again {
					t.Errorf("%s: the second run writes something else", format)
				}
				if code == exitUsage || out == "" {
					t.Fatalf("%s: exit %d: %s", format, code, stderr)
				}
				if format == "json" {
					count(t, out, stderr)
				}
			}
		})
	}
}

func explained(intent, render, format string) (out, stderr string, code int) {
	var o, e bytes.Buffer
	code = run([]string{"explain", "--intent", intent, render, "-o", format}, streams{in: strings.NewReader(""), out: &o, err: &e})
	return o.String(), e.String(), code
}

// count says how much was seen, so that a person can hold it against the repository.
func count(t *testing.T, out, stderr string) {
	t.Helper()
	var read report.Placement
	if err := json.Unmarshal([]byte(out), &read); err != nil {
		t.Fatal(err)
	}
	states := map[string]int{}
	for _, v := range read.Verdicts {
		states[v.State]++
	}
	t.Logf("%d workloads, %d unseen, %d edits, %d verdicts %v\n%s", len(read.Workloads), len(read.Unseen), read.Edits, len(read.Verdicts), states, stderr)
	if len(read.Workloads)+len(read.Unseen) == 0 {
		t.Error("nothing was seen")
	}
}
