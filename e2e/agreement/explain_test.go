package agreement_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/berth-dev/berth/e2e/harness"
)

// verdict is what berth says of a pair.
type verdict struct {
	New     string `json:"new"`
	Running string `json:"running"`
	Seconds int64  `json:"seconds"`
	Reasons []struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"reasons"`
}

// refused says that the API server would not take the workload.
func (v verdict) refused() bool {
	return slices.ContainsFunc(v.Reasons, func(r struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}) bool {
		return r.Code == "unreadable"
	})
}

func (v verdict) String() string {
	if v.refused() {
		return "the API server refuses it"
	}
	text := fmt.Sprintf("a new pod: %s, one that runs: %s", v.New, v.Running)
	if v.Seconds > 0 {
		text += fmt.Sprintf(" after %d s", v.Seconds)
	}
	return text
}

// pair is a workload by its name, on a node.
type pair struct{ workload, node string }

// explain asks the program, which reads the nodes of the running cluster. It exits with 1, as there are workloads in the
// render that the API server refuses.
func (c *cluster) explain(t *testing.T, render string) map[pair]verdict {
	t.Helper()
	file := harness.WriteFile(t, "render.yaml", render)
	r := c.tools.RunBerth(t, c.Admin(t), nil, "explain", "--live", file, "-o", "json", "--quiet")
	if r.Code != 1 {
		t.Fatalf("berth explain: exit %d, want 1\n%s", r.Code, r.Errors)
	}
	var report struct {
		Columns []struct {
			Nodes []struct{ Name string }
		}
		Workloads []struct {
			Name string
			Then []int
		}
		Verdicts []verdict
	}
	if err := json.Unmarshal([]byte(r.Out), &report); err != nil {
		t.Fatal(err)
	}
	all := map[pair]verdict{}
	for _, w := range report.Workloads {
		for i, column := range report.Columns {
			for _, node := range column.Nodes {
				all[pair{w.Name, node.Name}] = report.Verdicts[w.Then[i]]
			}
		}
	}
	return all
}

func toJSON(object any) string {
	text, err := json.Marshal(object)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
