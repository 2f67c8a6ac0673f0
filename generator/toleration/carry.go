package toleration

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/podspec"
	"github.com/berth-dev/berth/generator/tree"
)

// carryOut carries an entry out on one object, in every slot of it.
func (r *run) carryOut(t target, e carrierOf) error {
	item, err := t.Item.Node()
	if err != nil {
		return err
	}
	root := item.YNode()
	places, err := podspec.Find(root, t.Object, e.Carrier)
	if err != nil {
		return err
	}
	if err := r.places(t, e, places); err != nil {
		return err
	}
	r.charts(t, root, places.Slots)
	return r.inSlots(t, e, root, places.Slots)
}

func (r *run) inSlots(t target, e carrierOf, root *yaml.Node, slots []podspec.Slot) error {
	for _, found := range slots {
		if found.Form == podspec.Patch {
			if err := r.patchPod(t, e, root, found); err != nil {
				return err
			}
			continue
		}
		s, err := open(root, found)
		if r.invalid(t, s, err) {
			continue
		}
		if err != nil {
			return err
		}
		r.unresolved(t, s)
		if err := r.inSlot(t, e, s); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) inSlot(t target, e carrierOf, s slot) error {
	if r.contradicts(t, e, s.field(s.Tolerations)) {
		return nil
	}
	if e.denied {
		return r.deny(t, s)
	}
	if err := r.allow(t, s, e.taints); err != nil {
		return err
	}
	return r.attract(t, s, e)
}

// contradicts reports a place that an allow entry and a deny entry both decide about.
func (r *run) contradicts(t target, e carrierOf, path tree.Path) bool {
	key := t.Ref().String() + " " + t.Object.APIVersion + " " + path.String()
	list, _, _ := strings.Cut(e.place, "[")
	earlier, found := r.decisions[key]
	if !found {
		r.decisions[key] = e.place
		return false
	}
	if strings.HasPrefix(earlier, list) {
		return false
	}
	f := t.Find(finding.Error, "allow-and-deny", path, nil, fmt.Sprintf("%s and %s both select it", earlier, e.place))
	f.Action = "narrow one of the two, so that one decides"
	r.add(f)
	return true
}

// places says which places of an object are not there. An allow entry that finds none has done nothing, and says so.
func (r *run) places(t target, e carrierOf, places podspec.Places) error {
	for _, path := range places.Absent {
		r.add(t.Find(finding.Info, "place-absent", path, nil, "is not there, so nothing was written"))
	}
	for _, path := range places.Unlisted {
		f := t.Find(finding.Warning, "path-unlisted", nil, nil, fmt.Sprintf("%s is none of the places where %s of %s is known to keep tolerations", path, t.Object.Kind, t.Object.APIVersion))
		f.Action = "check the spelling; the known ones are " + strings.Join(podspec.KnownPaths(t.Object), ", ")
		r.add(f)
	}
	if len(e.Paths) == 0 && len(places.Slots) > 0 {
		if versions := podspec.VersionUnknown(t.Object); versions != nil {
			f := t.Find(finding.Warning, "version-unlisted", nil, nil, fmt.Sprintf("%s is none of the versions of %s that are known (%s), whose places were taken", t.Object.APIVersion, t.Object.Kind, strings.Join(versions, ", ")))
			f.Action = "check the places, or name them in paths"
			r.add(f)
		}
	}
	if !e.denied {
		r.made(t, places.Made)
	}
	if len(places.Slots) > 0 || e.denied {
		return nil
	}
	return fmt.Errorf("has none of its places (%s), so that nothing was written; name one in paths to have it made, if that is what you want", listed(places.Absent))
}

func (r *run) made(t target, made []tree.Path) {
	for _, path := range made {
		f := t.Find(finding.Warning, "parent-made", path, nil, "what holds it was not there and was made, which may switch a feature on")
		f.Action = "check that the feature is wanted"
		r.add(f)
	}
}

func listed(paths []tree.Path) string {
	var texts []string
	for _, path := range paths {
		texts = append(texts, path.String())
	}
	return strings.Join(texts, ", ")
}

// charts warns about values that a well-known chart does not read.
func (r *run) charts(t target, root *yaml.Node, slots []podspec.Slot) {
	chart := podspec.ChartOf(root, t.Object)
	for _, s := range slots {
		if known := podspec.Inert(chart, s); known != nil {
			f := t.Find(finding.Warning, "helm-value-inert", s.Text.Join(s.Tolerations...), nil, fmt.Sprintf("the chart %s is not known to read %s", chart, s.Values))
			f.Action = "check the chart's values; the known lists are " + strings.Join(known, ", ")
			r.add(f)
		}
	}
	if missing := podspec.LonghornHalf(chart, slots); missing != "" {
		f := t.Find(finding.Warning, "longhorn-two-places", nil, nil, "Longhorn takes tolerations in two places, for its own pods and for those that it makes, and this names one")
		f.Action = "name " + missing + " too"
		r.add(f)
	}
}
