package toleration

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/podspec"
	"github.com/berth-dev/berth/generator/tree"
)

// patchPod carries an entry out on a pod that something else renders, by a patch in the object that does. Nobody sees
// the pod here: the intent says which tolerations it has, and the patch tests that it does.
func (r *run) patchPod(t target, e carrierOf, root *yaml.Node, found podspec.Slot) error {
	list, err := readPatches(root, found, r.intent.Metadata.Name)
	if err != nil {
		return err
	}
	p, err := r.podOf(e, found.Pod, list)
	if err != nil {
		return err
	}
	operations, did, err := r.operations(e, p)
	if err != nil {
		return fmt.Errorf("%s: %w", found.Pod, err)
	}
	if len(operations) == 0 {
		r.add(t.Find(finding.Info, "pod-unpatched", found.Tolerations, nil, fmt.Sprintf("%s needs no patch: %s", found.Pod, did)))
		return nil
	}
	value, changed, err := list.with(patchFor(found.Pod, operations, r.intent.Metadata.Name))
	if err != nil {
		return err
	}
	if !changed {
		r.add(t.Find(finding.Info, "pod-patched", found.Tolerations, nil, fmt.Sprintf("patches %s already: %s", found.Pod, did)))
		return nil
	}
	if err := r.write(t, found.Tolerations, value); err != nil {
		return err
	}
	f := t.Find(finding.Info, "patch-added", found.Tolerations, nil, fmt.Sprintf("now patches %s: %s", found.Pod, did))
	f.Action = "check that it is rendered under that name, since a patch that matches nothing is silent"
	r.add(f)
	return nil
}

// pod is what is known of a pod before it is patched.
type pod struct {
	v1alpha1.Pod
	template podspec.Slot
	root     *yaml.Node // a tree with the fields that are known
	list     *yaml.Node // nil when it has no tolerations
	entries  []entry
}

// podOf puts together what the intent says of a pod and what the patches before ours make of it.
func (r *run) podOf(e carrierOf, named v1alpha1.Pod, list *patchList) (pod, error) {
	template, found := podspec.TemplateOf(named.Kind)
	if !found {
		return pod{}, fmt.Errorf("%s: %s is not a kind with a pod template", e.place, named.Kind)
	}
	p := pod{Pod: named, template: template, root: &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}}
	if err := tree.Set(p.root, template.Tolerations[:len(template.Tolerations)-1], &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}); err != nil {
		return pod{}, err
	}
	if len(named.Tolerations) > 0 {
		if err := tree.Set(p.root, template.Tolerations, tolerations(named.Tolerations)); err != nil {
			return pod{}, err
		}
	}
	list.applyEarlier(named, p.root)
	if found := tree.Lookup(p.root, template.Tolerations...); !tree.IsNull(found) {
		p.list = found
	}
	var err error
	p.entries, err = readList(p.list)
	return p, err
}

func tolerations(all []v1alpha1.Toleration) *yaml.Node {
	list := tree.List()
	for _, t := range all {
		node := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}
		for _, field := range [][2]string{{"key", t.Key}, {"operator", t.Operator}, {"value", t.Value}, {"effect", string(t.Effect)}} {
			if field[1] != "" {
				node.Content = append(node.Content, tree.Text(field[0]), tree.Text(field[1]))
			}
		}
		if t.TolerationSeconds != nil {
			number := &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagInt, Value: fmt.Sprint(*t.TolerationSeconds)}
			node.Content = append(node.Content, tree.Text("tolerationSeconds"), number)
		}
		list.Content = append(list.Content, node)
	}
	return list
}

// operations are those of the patch, and what they do in words.
func (r *run) operations(e carrierOf, p pod) ([]*yaml.Node, string, error) {
	if e.denied {
		return r.denials(p)
	}
	var operations []*yaml.Node
	add, present := missing(p.entries, e.taints)
	did := "already tolerates " + names(present)
	if len(add) > 0 {
		operations = append(operations, p.change(p.template.Tolerations, p.list, merged(p.list, add), p.Replace)...)
		did = "tolerates " + names(add)
	}
	if e.strength == "" {
		return operations, did, nil
	}
	path, value, err := attracting(p.root, p.template.NodeAffinity, e)
	if err != nil || value == nil {
		return operations, did, err
	}
	return append(operations, p.changeAffinity(path, value)...), did + ", " + attracted(e), nil
}

func (r *run) denials(p pod) ([]*yaml.Node, string, error) {
	open := openNodes(r.intent, p.entries, false)
	if len(open) == 0 {
		return nil, "tolerates no tainted node completely", nil
	}
	path, value, err := excluding(p.root, p.template.NodeAffinity, open)
	if err != nil || value == nil {
		return nil, "is kept off already", err
	}
	return p.changeAffinity(path, value), "is kept off " + strings.Join(open, ", "), nil
}

// changeAffinity writes a value inside the affinity. What is not known to be there is taken not to be there, and tested.
func (p pod) changeAffinity(path tree.Path, value *yaml.Node) []*yaml.Node {
	reached, err := tree.Reach(p.root, path)
	if err != nil || reached == len(path) {
		return p.change(path, tree.Lookup(p.root, path...), value, false)
	}
	return p.change(path[:reached+1], nil, tree.Wrap(path[reached+1:], value), false)
}

// change makes the operations that put a value in the place of another, which is tested first. add replaces what is there
// (RFC 6902), so that without a test it works either way.
func (p pod) change(path tree.Path, before, after *yaml.Node, blind bool) []*yaml.Node {
	at := tree.Text(path.Pointer())
	add := tree.Map("op", tree.Text("add"), "path", at, "value", after)
	if blind {
		return []*yaml.Node{add}
	}
	if before == nil {
		before = &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagNull, Value: "null"}
	} else {
		add = tree.Map("op", tree.Text("replace"), "path", at, "value", after)
	}
	return []*yaml.Node{tree.Map("op", tree.Text("test"), "path", at, "value", before), add}
}
