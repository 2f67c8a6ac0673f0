package v1alpha1

import "slices"

// NodeNames returns the names of all nodes, sorted.
func (i *TaintIntent) NodeNames() []string {
	var names []string
	for _, group := range i.Spec.Nodes {
		names = append(names, group.Names...)
	}
	slices.Sort(names)
	return names
}

// TaintedNodes returns the names of the nodes with at least one taint, sorted.
func (i *TaintIntent) TaintedNodes() []string {
	return slices.DeleteFunc(i.NodeNames(), func(node string) bool { return len(i.NodeTaints(node)) == 0 })
}

// NodeTaints returns a node's taints in the order in which its group lists them, and nothing for an unknown node.
func (i *TaintIntent) NodeTaints(node string) []Taint {
	for _, group := range i.Spec.Nodes {
		if slices.Contains(group.Names, node) {
			return i.TaintsByName(group.Taints)
		}
	}
	return nil
}

// TaintsByName returns the taints with these names of spec.taints, in the order of the names. In an object that passed
// validation every name is known; an unknown one is left out.
func (i *TaintIntent) TaintsByName(names []string) []Taint {
	var taints []Taint
	for _, name := range names {
		for _, named := range i.Spec.Taints {
			if named.Name != name {
				continue
			}
			if taint, err := named.Resolve(); err == nil {
				taints = append(taints, taint)
			}
		}
	}
	return taints
}
