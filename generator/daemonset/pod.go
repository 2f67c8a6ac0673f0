package daemonset

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/strict"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/tree"
)

// containerLists are where a pod keeps its containers. Ephemeral ones can have no resources.
var containerLists = []string{"containers", "initContainers"}

// pod switches the pod whose spec stands at a path.
func (s *switcher) pod(spec tree.Path) error {
	root, err := s.Item.Node()
	if err != nil {
		return err
	}
	container, names := findContainer(root.YNode(), spec, s.consumer.Container)
	if container == nil {
		hint := "the containers are " + strings.Join(names, ", ")
		if near := strict.Nearest(s.consumer.Container, names); near != "" {
			hint = "did you mean " + near + "? " + hint
		}
		s.report(finding.Error, "container-missing", spec, fmt.Sprintf("there is no container %s", s.consumer.Container), hint)
		return nil
	}
	resources := container.Join("resources")
	before := len(s.edits)
	had := s.requested(resources)
	guard, err := s.Guard(container.Join("name"))
	if err != nil {
		return err
	}
	s.edits = append(s.edits, guard)
	if err := s.request(resources); err != nil {
		return err
	}
	if err := s.env(container); err != nil {
		return err
	}
	if len(s.edits) == before+1 {
		s.edits = s.edits[:before] // nothing relies on the guard
	}
	if s.consumer.ReplacesHostPath != "" {
		if err := s.unmount(spec, container, had); err != nil {
			return err
		}
	}
	s.changed(before, resources)
	s.remarks(spec, container)
	return nil
}

// findContainer returns the path of a container by its name, and the names that there are.
func findContainer(root *yaml.Node, spec tree.Path, name string) (tree.Path, []string) {
	var found tree.Path
	var names []string
	each(root, spec, func(container tree.Path, node *yaml.Node) {
		this := valueOf(node, "name")
		names = append(names, this)
		if this == name {
			found = container
		}
	})
	return found, names
}

// each calls do for every container of a pod.
func each(root *yaml.Node, spec tree.Path, do func(tree.Path, *yaml.Node)) {
	for _, list := range containerLists {
		node := tree.Lookup(root, spec.Join(list)...)
		if node == nil || node.Kind != yaml.SequenceNode {
			continue
		}
		for i, container := range node.Content {
			do(spec.Join(list, strconv.Itoa(i)), tree.Resolve(container))
		}
	}
}

func valueOf(node *yaml.Node, path ...string) string {
	if found := tree.Lookup(node, path...); found != nil && found.Kind == yaml.ScalarNode && !tree.IsNull(found) {
		return found.Value
	}
	return ""
}

// env sets the variables of a container.
func (s *switcher) env(container tree.Path) error {
	root, err := s.Item.Node()
	if err != nil {
		return err
	}
	for _, name := range sorted(s.consumer.Env) {
		place := container.Join("env")
		list := tree.Lookup(root.YNode(), place...)
		at := indexByName(list, name)
		if at >= 0 {
			if tree.Lookup(list.Content[at], "valueFrom") != nil {
				return fmt.Errorf("%s: the variable %s takes its value from elsewhere (valueFrom): remove that, or the variable from env", place, name)
			}
			if err := s.set(place.Join(strconv.Itoa(at), "value"), s.consumer.Env[name]); err != nil {
				return err
			}
			continue
		}
		longer := tree.List()
		if !tree.IsNull(list) {
			longer.Content = slices.Clone(list.Content)
		}
		longer.Content = append(longer.Content, tree.Map("name", tree.Text(name), "value", tree.Text(s.consumer.Env[name])))
		e, err := s.Set(place, longer)
		if err != nil {
			return err
		}
		s.edits = append(s.edits, e)
	}
	return nil
}

func indexByName(list *yaml.Node, name string) int {
	if list == nil || list.Kind != yaml.SequenceNode {
		return -1
	}
	return slices.IndexFunc(list.Content, func(n *yaml.Node) bool { return valueOf(n, "name") == name })
}

// sorted returns the keys of a map in order.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
