package placement

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// group are nodes that no pod can tell apart: they have everything but their names in common, and no pod names one of
// them; or one single node that some pod names.
type group struct {
	nodes     []int
	signature string
	name      string // of the single node; empty otherwise
}

// groupNodes groups nodes, in the order of their first.
func groupNodes(nodes []*Node, pods []*pod) []group {
	named := map[string]bool{}
	picky := false
	for _, p := range pods {
		maps.Copy(named, p.named)
		picky = picky || p.picky
	}
	var groups []group
	index := map[string]int{}
	for i, n := range nodes {
		signature := n.signature()
		if picky || named[n.Name] || named[n.Labels[corev1.LabelHostname]] {
			groups = append(groups, group{nodes: []int{i}, signature: signature, name: n.Name})
			continue
		}
		at, known := index[signature]
		if !known {
			at = len(groups)
			index[signature] = at
			groups = append(groups, group{signature: signature})
		}
		groups[at].nodes = append(groups[at].nodes, i)
	}
	return groups
}

// knows says whether a pod tells this node apart from others by its name, or may do so.
func (p *pod) knows(name string) bool { return name != "" && (p.picky || p.named[name]) }

// signature writes down everything of a node but its name.
func (n *Node) signature() string {
	var b strings.Builder
	for _, t := range n.Taints {
		fmt.Fprintf(&b, "%q %q|", t.String(), t.Name)
	}
	for _, key := range slices.Sorted(maps.Keys(n.Labels)) {
		value := n.Labels[key]
		if key == corev1.LabelHostname && value == n.Name {
			value = "(its name)"
		}
		b.WriteString(strconv.Quote(key) + "=" + strconv.Quote(value) + ",")
	}
	fmt.Fprintf(&b, "|%t %t|%t", n.LabelsComplete, n.Cordoned, n.Allocatable == nil)
	for _, name := range slices.Sorted(maps.Keys(n.Promised)) {
		fmt.Fprintf(&b, "%s?%t,", name, n.Promised[name])
	}
	for _, name := range slices.Sorted(maps.Keys(n.Allocatable)) {
		amount := n.Allocatable[name]
		b.WriteString(string(name) + "=" + amount.String() + ",")
	}
	return b.String()
}

// mergeColumns puts groups together on which every pod has the same verdict.
func mergeColumns(groups []group, cells [][]int) (columns [][]int, merged [][]int) {
	merged = make([][]int, len(cells))
	index := map[string]int{}
	for g := range groups {
		var b strings.Builder
		for _, row := range cells {
			b.WriteString(strconv.Itoa(row[g]) + " ")
		}
		at, known := index[b.String()]
		if !known {
			at = len(columns)
			index[b.String()] = at
			columns = append(columns, nil)
			for r, row := range cells {
				merged[r] = append(merged[r], row[g])
			}
		}
		columns[at] = append(columns[at], groups[g].nodes...)
	}
	for _, column := range columns {
		slices.Sort(column)
	}
	return columns, merged
}
