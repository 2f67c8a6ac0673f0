package daemonset

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/edit"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/podspec"
	"github.com/berth-dev/berth/generator/tree"
)

// switcher changes one object for one entry.
type switcher struct {
	edit.Target
	consumer v1alpha1.Consumer
	by       string           // the plugin's name
	others   []string         // the containers that get a device by any entry
	seen     map[string]int64 // how many of each resource all expected nodes offer together
	done     map[string]bool  // what earlier entries removed, by object and path
	edits    []edit.Edit
	found    []finding.Finding
}

func (s *switcher) report(severity finding.Severity, code string, path tree.Path, message, action string) {
	f := s.Find(severity, code, path, s.nearest(path), message)
	f.Action = action
	s.found = append(s.found, f)
}

// nearest is the node at a path, or the deepest that there is on the way, so that a finding has a line.
func (s *switcher) nearest(path tree.Path) *yaml.Node {
	root, err := s.Item.Node()
	if err != nil {
		return nil
	}
	for n := len(path); n > 0; n-- {
		if found := tree.Lookup(root.YNode(), path[:n]...); found != nil && found.Line > 0 {
			return found
		}
	}
	return nil
}

func (s *switcher) apply() error {
	if s.Object.Kind == v1alpha1.KindHelmRelease {
		return s.helmRelease()
	}
	root, err := s.Item.Node()
	if err != nil {
		return err
	}
	slots, err := podspec.Slots(root.YNode(), s.Object, v1alpha1.Carrier{})
	if err != nil {
		return fmt.Errorf("%s of %s is not a kind that is known to carry a pod", s.Object.Kind, s.Object.APIVersion)
	}
	for _, slot := range slots {
		if err := s.pod(slot.Tolerations[:len(slot.Tolerations)-1]); err != nil {
			return err
		}
	}
	return nil
}

// set writes a value unless it stands there already.
func (s *switcher) set(path tree.Path, value string) error {
	root, err := s.Item.Node()
	if err != nil {
		return err
	}
	if found := tree.Lookup(root.YNode(), path...); found != nil && found.Value == value && !tree.IsNull(found) {
		return nil
	}
	e, err := s.Set(path, tree.Text(value))
	if err != nil {
		return err
	}
	s.edits = append(s.edits, e)
	return nil
}

// request asks for the devices below the place of a container's resources.
func (s *switcher) request(resources tree.Path) error {
	for _, name := range sorted(s.consumer.Resources) {
		for _, kind := range []string{"limits", "requests"} {
			if err := s.set(resources.Join(kind, name), fmt.Sprint(s.consumer.Resources[name])); err != nil {
				return err
			}
		}
	}
	return nil
}

// requested tells whether the container asks for all the devices already.
func (s *switcher) requested(resources tree.Path) bool {
	root, err := s.Item.Node()
	if err != nil {
		return false
	}
	for _, name := range sorted(s.consumer.Resources) {
		found := tree.Lookup(root.YNode(), resources.Join("limits", name)...)
		if found == nil || found.Value != fmt.Sprint(s.consumer.Resources[name]) {
			return false
		}
	}
	return true
}

// removeItems takes items out of a list, or the whole list when nothing would be left of it.
func (s *switcher) removeItems(list tree.Path, items []int) error {
	root, err := s.Item.Node()
	if err != nil {
		return err
	}
	if len(items) == len(tree.Lookup(root.YNode(), list...).Content) {
		return s.remove(list)
	}
	for _, i := range slices.Backward(items) { // from the end, so that no index changes before it is used
		if err := s.remove(list.Join(fmt.Sprint(i))); err != nil {
			return err
		}
	}
	return nil
}

func (s *switcher) remove(path tree.Path) error {
	e, err := s.Remove(path)
	if err == nil {
		s.edits = append(s.edits, e)
	}
	return err
}

// stands tells whether a path on the host is the one that is replaced, or below it.
func (s *switcher) stands(path string) bool {
	device := strings.TrimSuffix(s.consumer.ReplacesHostPath, "/")
	path = strings.TrimSuffix(path, "/")
	return device != "" && (path == device || strings.HasPrefix(path, device+"/"))
}

// removedBefore tells whether an earlier entry removed the same path of the same object, and remembers that it is gone.
func (s *switcher) removedBefore() bool {
	key := s.Ref().String() + " " + s.consumer.ReplacesHostPath
	before := s.done[key]
	s.done[key] = true
	return before
}

// changed tells whether anything was edited since there were n edits, and reports it.
func (s *switcher) changed(since int, resources tree.Path) {
	asks := make([]string, 0, len(s.consumer.Resources))
	for _, name := range sorted(s.consumer.Resources) {
		asks = append(asks, fmt.Sprintf("%s: %d", name, s.consumer.Resources[name]))
	}
	what := strings.Join(asks, ", ")
	if finding.HasErrors(s.found) {
		return
	}
	if len(s.edits) == since {
		s.report(finding.Info, "consumes-already", resources, "asks for "+what+" already", "")
		return
	}
	message := "now asks for " + what
	if s.consumer.ReplacesHostPath != "" {
		message += " instead of mounting " + s.consumer.ReplacesHostPath
	}
	s.report(finding.Info, "consumer-switched", resources, message, "")
}
