package k3s

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/header"
)

// DropInFile is the configuration of one node.
type DropInFile struct {
	// Node is the registered name of the node.
	Node string
	// Path is relative to the folder that holds config.yaml, with slashes: config.yaml.d/90-berth-taints.yaml.
	Path string
	// Content is the whole file.
	Content []byte
}

// DropIns returns one file for every node of the intent, sorted by node, untainted nodes included: a node that lost its
// last taint must lose the old file's content too. In append mode such a node gets an empty node-taint+, which adds
// nothing to what other files say; in own mode an empty node-taint, which clears what earlier files say.
func DropIns(intent *v1alpha1.TaintIntent) []DropInFile {
	nodes := slices.Sorted(slices.Values(intent.NodeNames()))
	files := make([]DropInFile, 0, len(nodes))
	for _, node := range nodes {
		files = append(files, DropInFile{
			Node:    node,
			Path:    "config.yaml.d/" + intent.Spec.DropIn.FileName,
			Content: dropIn(intent, node),
		})
	}
	return files
}

func dropIn(intent *v1alpha1.TaintIntent, node string) []byte {
	taints := slices.Clone(intent.NodeTaints(node))
	slices.SortFunc(taints, func(a, b v1alpha1.Taint) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Effect, b.Effect), cmp.Compare(a.Value, b.Value))
	})
	var b strings.Builder
	b.WriteString(head(intent, node))
	b.WriteString(nodeTaint)
	if intent.Spec.DropIn.Mode != v1alpha1.Own {
		b.WriteString("+")
	}
	if len(taints) == 0 {
		b.WriteString(": []\n")
	} else {
		b.WriteString(":\n")
	}
	for _, taint := range taints {
		fmt.Fprintf(&b, "  - %s\n", strconv.Quote(taint.String()))
	}
	writeLabels(&b, intent.NodeLabels(node))
	return []byte(b.String())
}

// writeLabels adds the labels that a kubelet may set on its own node, whatever the mode: a drop-in owns the taints of a
// node, and never its labels, some of which others set. A kubelet that is told to set one that it may not does not start.
func writeLabels(b *strings.Builder, labels []v1alpha1.Label) {
	begun := false
	for _, label := range labels {
		if !v1alpha1.KubeletMaySet(label.Key) {
			continue
		}
		if !begun {
			b.WriteString(nodeLabel + "+:\n")
			begun = true
		}
		fmt.Fprintf(b, "  - %s\n", strconv.Quote(label.String()))
	}
}

func head(intent *v1alpha1.TaintIntent, node string) string {
	return header.ForNode("the taints of a node, from a TaintIntent", intent.Metadata.Name, node,
		"",
		programName(intent.Spec.Distribution)+" applies node-taint only when the node registers: a restart changes nothing",
		"on a node that exists already. For such a node run `berth apply`, or by hand",
		"`kubectl taint nodes <node> <key>=<value>:<effect>`.") + "---\n"
}

func programName(d v1alpha1.Distribution) string {
	if d == v1alpha1.RKE2 {
		return "RKE2"
	}
	return "k3s"
}
