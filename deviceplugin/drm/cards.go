package drm

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/berth-dev/berth/deviceplugin/sysfs"
)

// Cards gives the GPUs of a node in the order of their addresses, those included that only have a render node. A card without any
// node in dev/dri is left out. An error says that something could not be read: the cards given are right, but there may be others.
func Cards(fsys fs.FS) ([]Card, error) {
	entries, err := sysfs.List(fsys, classDir)
	if err != nil {
		return nil, err
	}
	var cards []Card
	var errs []error
	for _, f := range devices(fsys, entries, &errs) {
		card, err := readCard(fsys, f.entry, f.names)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", f.entry, err))
			continue
		}
		if len(card.Nodes) > 0 {
			cards = append(cards, card)
		}
	}
	if len(cards) > 0 {
		errs = append(errs, linkByPath(fsys, cards))
	}
	slices.SortFunc(cards, compare)
	return cards, errors.Join(errs...)
}

func compare(a, b Card) int {
	if c := strings.Compare(a.Address, b.Address); c != 0 {
		return c
	}
	return slices.Compare(a.Nodes, b.Nodes)
}

// found is a folder in sys/class/drm, and the nodes of the device it belongs to.
type found struct {
	entry string
	names []string
}

// devices goes through the class entries. A device shows up once for each of its nodes: card0 and renderD128 lead to the same
// folder device/drm, and the first of them stands for both.
func devices(fsys fs.FS, entries []string, errs *[]error) []found {
	var all []found
	seen := map[string]bool{}
	for _, entry := range entries {
		if !entryName.MatchString(entry) || seen[entry] {
			continue
		}
		listed, err := sysfs.List(fsys, path.Join(classDir, entry, "device", "drm"))
		if err != nil {
			*errs = append(*errs, fmt.Errorf("%s: %w", entry, err))
			continue
		}
		names := slices.DeleteFunc(listed, func(n string) bool { return !entryName.MatchString(n) })
		if !slices.Contains(names, entry) {
			continue // a device that does not own the entry, or none at all
		}
		for _, name := range names {
			seen[name] = true
		}
		all = append(all, found{entry, names})
	}
	return all
}

// linkByPath gives each card the links in dev/dri/by-path that lead to one of its nodes and end in -card or -render. Names alone do
// not tell: pci-0000:00:02.0-platform-simple-framebuffer.0-card begins with the address of a card that it does not lead to.
func linkByPath(fsys fs.FS, cards []Card) error {
	dir := path.Join(devDir, "by-path")
	names, err := sysfs.List(fsys, dir)
	if err != nil {
		return err
	}
	owner := map[string]*Card{}
	for i := range cards {
		for _, node := range cards[i].Nodes {
			owner[path.Join(devDir, node)] = &cards[i]
		}
	}
	for _, name := range names {
		if !strings.HasSuffix(name, "-card") && !strings.HasSuffix(name, "-render") {
			continue
		}
		target, err := sysfs.Link(fsys, path.Join(dir, name))
		if err != nil {
			return err
		}
		if !path.IsAbs(target) {
			target = path.Join("/", dir, target)
		}
		card := owner[strings.TrimPrefix(path.Clean(target), "/")]
		if card != nil && strings.HasPrefix(name, "pci-"+card.Address+"-") {
			card.ByPath = append(card.ByPath, name)
		}
	}
	return nil
}
