package daemonset

import (
	"fmt"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/tree"
)

// helmRelease switches a HelmRelease, in its values or behind its chart.
func (s *switcher) helmRelease() error {
	h := s.consumer.Helm
	if h == nil {
		return fmt.Errorf("a HelmRelease does not say where its chart keeps containers; name the place in helm")
	}
	before := len(s.edits)
	place := s.values().Join("resources")
	if h.Resources != "" {
		var err error
		if place, err = s.valuesPath(h.Resources); err != nil {
			return err
		}
		if err := s.inValues(place); err != nil {
			return err
		}
	}
	if len(h.Pods) > 0 {
		place = s.Object.At.Join("spec", "postRenderers")
		if err := s.postRender(place); err != nil {
			return err
		}
	}
	s.changed(before, place)
	return nil
}

func (s *switcher) values() tree.Path { return s.Object.At.Join("spec", "values") }

func (s *switcher) valuesPath(text string) (tree.Path, error) {
	path, err := tree.Parse(text)
	return s.values().Join(path...), err
}

// inValues changes the values: the request, the variables, and what mounts the replaced path.
func (s *switcher) inValues(resources tree.Path) error {
	had := s.requested(resources)
	if err := s.request(resources); err != nil {
		return err
	}
	if s.consumer.Helm.Env != "" {
		place, err := s.valuesPath(s.consumer.Helm.Env)
		if err != nil {
			return err
		}
		for _, name := range sorted(s.consumer.Env) {
			if err := s.set(place.Join(name), s.consumer.Env[name]); err != nil {
				return err
			}
		}
	}
	names, err := s.volumeNames()
	if err != nil {
		return err
	}
	before := s.removedBefore()
	for _, text := range s.consumer.Helm.Remove {
		if err := s.removeValue(text, names, had || before); err != nil {
			return err
		}
	}
	return nil
}

// volumeNames are the names of the volumes of the replaced path in the lists that are named.
func (s *switcher) volumeNames() (map[string]bool, error) {
	root, err := s.Item.Node()
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, text := range s.consumer.Helm.Remove {
		path, err := s.valuesPath(text)
		if err != nil {
			return nil, err
		}
		list := tree.Lookup(root.YNode(), path...)
		if list == nil || list.Kind != yaml.SequenceNode {
			continue
		}
		for _, entry := range list.Content {
			if s.mentions(entry) && valueOf(entry, "name") != "" {
				names[valueOf(entry, "name")] = true
			}
		}
	}
	return names, nil
}

// removeValue removes what stands at a path of the values: a map of the mount, or a list's entries for it. gone permits
// that nothing is there, since an earlier run removed it.
func (s *switcher) removeValue(text string, names map[string]bool, gone bool) error {
	root, err := s.Item.Node()
	if err != nil {
		return err
	}
	path, err := s.valuesPath(text)
	if err != nil {
		return err
	}
	found := tree.Lookup(root.YNode(), path...)
	if tree.IsNull(found) {
		s.missingValue(path, fmt.Sprintf("there is no value %s", text), gone)
		return nil
	}
	if found.Kind != yaml.SequenceNode {
		if !s.mentions(found) {
			s.missingValue(path, fmt.Sprintf("the value %s does not mention %s", text, s.consumer.ReplacesHostPath), gone)
			return nil
		}
		return s.remove(path)
	}
	var items []int
	for i, entry := range found.Content {
		if s.mentions(entry) || names[valueOf(entry, "name")] {
			items = append(items, i)
		}
	}
	if len(items) == 0 {
		s.missingValue(path, fmt.Sprintf("no entry of %s is of %s", text, s.consumer.ReplacesHostPath), gone)
		return nil
	}
	return s.removeItems(path, items)
}

func (s *switcher) missingValue(path tree.Path, message string, gone bool) {
	if !gone {
		s.report(finding.Error, "host-path-missing", path, message, "correct helm.remove: each path leads to what mounts it")
	}
}

// mentions tells whether a value names the replaced path on the host, or one below it: anywhere, except as the path
// inside the container.
func (s *switcher) mentions(node *yaml.Node) bool {
	node = tree.Resolve(node)
	switch node.Kind {
	case yaml.ScalarNode:
		return s.stands(node.Value)
	case yaml.SequenceNode:
		for _, child := range node.Content {
			if s.mentions(child) {
				return true
			}
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(node.Content); i += 2 {
			inContainer := strings.EqualFold(node.Content[i].Value, "mountPath") || strings.EqualFold(node.Content[i].Value, "globalMounts")
			if !inContainer && s.mentions(node.Content[i+1]) {
				return true
			}
		}
	}
	return false
}

// at is the path of a list's item.
func itemOf(list tree.Path, i int) tree.Path { return list.Join(strconv.Itoa(i)) }
