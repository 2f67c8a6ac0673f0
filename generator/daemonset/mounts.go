package daemonset

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/tree"
)

// unmount removes the volumes of the host's path, and every mount of them. had says that the container asked for the
// devices before, so that volumes that are not there were removed by an earlier run.
func (s *switcher) unmount(spec, container tree.Path, had bool) error {
	root, err := s.Item.Node()
	if err != nil {
		return err
	}
	volumes := tree.Lookup(root.YNode(), spec.Join("volumes")...)
	hosts := hostPaths(volumes)
	var gone []mountPlace
	each(root.YNode(), spec, func(place tree.Path, node *yaml.Node) {
		gone = append(gone, s.mountsOf(place, node, hosts)...)
	})
	drop := s.volumesToDrop(root.YNode(), spec, volumes, hosts, gone)
	before := s.removedBefore()
	if len(gone) == 0 && len(drop) == 0 {
		if !had && !before {
			s.notMounted(spec, hosts)
		}
		return nil
	}
	for _, m := range gone {
		if err := s.removeItems(m.list, m.items); err != nil {
			return err
		}
		s.otherContainer(root.YNode(), m, container)
	}
	if len(drop) > 0 {
		return s.removeItems(spec.Join("volumes"), drop)
	}
	return nil
}

// mountPlace is some mounts of one container.
type mountPlace struct {
	container, list tree.Path
	items           []int
}

// hostPaths returns the paths of the hostPath volumes, by the volumes' names.
func hostPaths(volumes *yaml.Node) map[string]string {
	all := map[string]string{}
	if volumes == nil || volumes.Kind != yaml.SequenceNode {
		return all
	}
	for _, v := range volumes.Content {
		if host := valueOf(v, "hostPath", "path"); host != "" {
			all[valueOf(v, "name")] = path.Clean(host)
		}
	}
	return all
}

// mountsOf returns the mounts of a container that bring the replaced path: those of its volumes, and of a volume above it
// with a subPath that leads there.
func (s *switcher) mountsOf(container tree.Path, node *yaml.Node, hosts map[string]string) []mountPlace {
	list := tree.Lookup(node, "volumeMounts")
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil
	}
	m := mountPlace{container: container, list: container.Join("volumeMounts")}
	for i, mount := range list.Content {
		host, ok := hosts[valueOf(mount, "name")]
		if ok && s.stands(path.Join(host, valueOf(mount, "subPath"))) {
			m.items = append(m.items, i)
		}
	}
	if len(m.items) == 0 {
		return nil
	}
	return []mountPlace{m}
}

// volumesToDrop returns the indices of the volumes of the path, and of those above it that nothing mounts any more.
func (s *switcher) volumesToDrop(root *yaml.Node, spec tree.Path, volumes *yaml.Node, hosts map[string]string, gone []mountPlace) []int {
	if volumes == nil || volumes.Kind != yaml.SequenceNode {
		return nil
	}
	lost, kept := map[string]bool{}, map[string]bool{}
	each(root, spec, func(container tree.Path, node *yaml.Node) {
		list := tree.Lookup(node, "volumeMounts")
		if list == nil {
			return
		}
		at := slices.IndexFunc(gone, func(m mountPlace) bool { return slices.Equal(m.container, container) })
		for i, mount := range list.Content {
			name := valueOf(mount, "name")
			if at >= 0 && slices.Contains(gone[at].items, i) {
				lost[name] = true
			} else {
				kept[name] = true
			}
		}
	})
	var drop []int
	for i, v := range volumes.Content {
		name := valueOf(v, "name")
		if s.stands(hosts[name]) || lost[name] && !kept[name] {
			drop = append(drop, i)
		}
	}
	return drop
}

func (s *switcher) notMounted(spec tree.Path, hosts map[string]string) {
	hint := "the pod has no hostPath volume: remove replacesHostPath"
	if len(hosts) > 0 {
		hint = "the pod mounts " + strings.Join(slices.Sorted(maps.Values(hosts)), ", ") + " of the host"
	}
	s.report(finding.Error, "host-path-missing", spec.Join("volumes"),
		fmt.Sprintf("there is no hostPath volume of %s", s.consumer.ReplacesHostPath), hint)
}
