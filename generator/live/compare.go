package live

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
)

// The type of what `berth diff -o json` prints.
const (
	GroupVersion = "live.berth.dev/v1alpha1"
	KindDiff     = "ClusterDiff"
)

// Diff is a cluster held against intents.
type Diff struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Server is the address of the cluster.
	Server string `json:"server"`
	// Intents are the names of the intents.
	Intents []string `json:"intents"`
	// Drift says that the cluster is not what the intents ask for: one of the findings is an error.
	Drift bool `json:"drift"`
	// Nodes are those of the cluster and of the intents, sorted by name.
	Nodes []NodeDiff `json:"nodes"`
	// Findings are sorted, worst first. An error is drift; a warning is something to decide or to know before a change.
	Findings []finding.Finding `json:"findings"`
}

// Compare holds a cluster against intents.
func Compare(s *Snapshot, intents []*v1alpha1.TaintIntent) *Diff {
	c := &comparison{view: newView(s, intents)}
	diff := &Diff{APIVersion: GroupVersion, Kind: KindDiff, Server: s.Server, Findings: []finding.Finding{}}
	for _, intent := range intents {
		diff.Intents = append(diff.Intents, intent.Metadata.Name)
	}
	for _, name := range c.names() {
		f := c.facts(name)
		node := f.diff()
		diff.Nodes = append(diff.Nodes, node)
		c.checkNode(f, node)
		c.checkPods(f)
	}
	c.checkVolumes()
	c.checkHome()
	c.checkAllowed()
	c.checkUnlisted()
	finding.Sort(c.found)
	diff.Findings = append(diff.Findings, c.found...)
	diff.Drift = finding.HasErrors(c.found)
	return diff
}

type comparison struct {
	*view
	found []finding.Finding
}

func (c *comparison) add(about *finding.Object, severity finding.Severity, code, message, action string) {
	c.found = append(c.found, finding.Finding{Code: code, Severity: severity, Object: about, Message: message, Action: action})
}

func nodeObject(name string) *finding.Object {
	return &finding.Object{APIVersion: "v1", Kind: "Node", Name: name}
}

// facts collects a node's layers; what cannot be read is a finding.
func (c *comparison) facts(name string) *facts {
	f := &facts{want: c.wants[name], node: c.node(name), own: ownership{}}
	if f.node == nil {
		return f
	}
	own, err := readOwnership(name, f.node.Annotations)
	if err != nil {
		c.add(nodeObject(name), finding.Error, "ownership-unreadable", err.Error(), "")
	} else {
		f.own = own
	}
	if f.args, err = readNodeArgs(f.node, c.distribution(name)); err != nil {
		c.add(nodeObject(name), finding.Warning, "node-args-unreadable", err.Error(), "restart k3s on the node: it writes the annotation at every start")
	}
	return f
}

// distribution is that of the intent that lists the node, or of the first.
func (c *comparison) distribution(node string) v1alpha1.Distribution {
	for _, intent := range c.intents {
		if slices.Contains(intent.NodeNames(), node) {
			return intent.Spec.Distribution
		}
	}
	return c.intents[0].Spec.Distribution
}

// some lists a few names and says how many more there are.
func some(names []string) string {
	const few = 3
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:few], ", ") + " and " + plural(len(names)-few, "other")
}
