package discover

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/berth-dev/berth/deviceplugin/config"
	"github.com/berth-dev/berth/deviceplugin/device"
	"github.com/berth-dev/berth/deviceplugin/drm"
	"github.com/berth-dev/berth/deviceplugin/generic"
)

// Resource is what was found for one resource name.
type Resource struct {
	Name    string
	Devices []device.Device
	Shares  int
	Policy  device.Policy
}

// Result is what one look at the node found.
type Result struct {
	Resources []Resource // those with devices, sorted by name
	Cards     []drm.Card // every GPU with DRM nodes, whether or not a resource selects it
	// Err says that something could not be read. What was found is right, but what was not found may be there.
	Err error
}

// Scan looks for the devices of all resources.
func Scan(fsys fs.FS, resources []config.Resource) Result {
	s := scan{byName: map[string]*Resource{}}
	if slices.ContainsFunc(resources, func(r config.Resource) bool { return r.DRM != nil }) {
		s.cards, s.err = drm.Cards(fsys)
	}
	free := slices.Clone(s.cards)
	for _, r := range resources {
		switch {
		case r.DRM == nil:
			devices, err := generic.Devices(fsys, r.Devices)
			if err != nil {
				s.err = errors.Join(s.err, fmt.Errorf("%s: %w", r.Name, err))
			}
			s.add(r, r.Name, devices...)
		case r.DRM.Monitoring:
			s.monitor(r)
		default:
			free = s.cardsOf(r, free)
		}
	}
	return s.result()
}

// scan collects what is found.
type scan struct {
	cards  []drm.Card
	byName map[string]*Resource
	err    error
}

func (s *scan) add(r config.Resource, name string, devices ...device.Device) {
	if len(devices) == 0 {
		return
	}
	if err := device.ValidateResource(name); err != nil { // a driver with a name that is none
		s.err = errors.Join(s.err, err)
		return
	}
	if s.byName[name] == nil {
		s.byName[name] = &Resource{Name: name, Shares: r.SharedDevices, Policy: r.AllocationPolicy}
	}
	s.byName[name].Devices = append(s.byName[name].Devices, devices...)
}

// cardsOf takes the cards that the resource selects, and gives the others back.
func (s *scan) cardsOf(r config.Resource, free []drm.Card) []drm.Card {
	var left []drm.Card
	for _, c := range free {
		if !r.DRM.Matches(c) || c.Driver == "" && strings.Contains(r.Name, config.DriverPlaceholder) {
			left = append(left, c)
			continue
		}
		s.add(r, nameFor(r, c), c.Device(r.DRM.Options()))
	}
	return left
}

// monitor makes one device of all cards that the resource selects, or one for each driver if the name asks for it.
func (s *scan) monitor(r config.Resource) {
	cards := map[string][]drm.Card{}
	for _, c := range s.cards {
		if r.DRM.Matches(c) {
			cards[nameFor(r, c)] = append(cards[nameFor(r, c)], c)
		}
	}
	for name, list := range cards {
		s.add(r, name, drm.Monitoring(list, r.DRM.Options()))
	}
}

func nameFor(r config.Resource, c drm.Card) string {
	return strings.ReplaceAll(r.Name, config.DriverPlaceholder, c.Driver)
}

func (s *scan) result() Result {
	result := Result{Cards: s.cards, Err: s.err}
	for _, r := range s.byName {
		device.Sort(r.Devices)
		result.Resources = append(result.Resources, *r)
	}
	slices.SortFunc(result.Resources, func(a, b Resource) int { return strings.Compare(a.Name, b.Name) })
	return result
}

// LookedFor says what the resources stand for, in the words of a log line.
func LookedFor(resources []config.Resource) []string {
	all := make([]string, 0, len(resources))
	for _, r := range resources {
		var what []string
		if r.DRM != nil {
			for _, s := range r.DRM.Select {
				what = append(what, s.String())
			}
			if len(what) == 0 {
				what = []string{drm.Selector{}.String()}
			}
		}
		for _, g := range r.Devices {
			what = append(what, g.String())
		}
		all = append(all, r.Name+": "+strings.Join(what, "; or "))
	}
	return all
}
