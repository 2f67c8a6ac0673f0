package drm

import (
	"io/fs"
	"path"
	"regexp"
	"strconv"

	"github.com/berth-dev/berth/deviceplugin/sysfs"
)

const (
	classDir = "sys/class/drm"
	devDir   = "dev/dri"
)

// Card is a GPU as the kernel describes it.
type Card struct {
	Address  string   // on its bus: a PCI address such as 0000:03:00.0, or a platform device's name; "" where unknown
	VendorID string   // PCI vendor, 0x8086; "" for a device that is not on a PCI bus
	DeviceID string   // PCI device, 0x56a0
	Driver   string   // i915, xe, amdgpu, ...; "" where none is bound
	Nodes    []string // card0, renderD128: those of its nodes that exist in dev/dri, sorted
	Virtual  bool     // a virtual function of another card
	VFs      int      // how many virtual functions it has
	NUMA     *int64
	ByPath   []string // names in dev/dri/by-path that lead to one of Nodes
	MEI      []string // mei0: management engines of the card, which monitoring needs
}

var (
	entryName  = regexp.MustCompile(`^(card|renderD)[0-9]+$`)
	pciID      = regexp.MustCompile(`^0x[0-9a-f]{4}$`)
	meiFolder  = regexp.MustCompile(`\.mei-`)
	renderName = regexp.MustCompile(`^renderD[0-9]+$`)
)

// readCard reads the card that the folder sys/class/drm/<entry> belongs to. names are the nodes that the kernel gave it.
func readCard(fsys fs.FS, entry string, names []string) (Card, error) {
	r := reader{fsys: fsys, dir: path.Join(classDir, entry, "device")}
	c := Card{
		Address:  r.address(entry),
		VendorID: r.id("vendor"),
		DeviceID: r.id("device"),
		Driver:   path.Base(r.link("driver")),
		Virtual:  r.link("physfn") != "",
		VFs:      r.count("sriov_numvfs"),
		MEI:      r.mei(),
	}
	if c.Driver == "." {
		c.Driver = ""
	}
	numa, err := sysfs.NUMA(fsys, r.dir)
	r.keep(err)
	c.NUMA = numa
	for _, name := range names {
		_, ok, err := sysfs.Node(fsys, path.Join(devDir, name))
		r.keep(err)
		if ok {
			c.Nodes = append(c.Nodes, name)
		}
	}
	return c, r.err
}

// reader reads the attributes of one device and keeps the first error.
type reader struct {
	fsys fs.FS
	dir  string
	err  error
}

func (r *reader) keep(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *reader) link(name string) string {
	target, err := sysfs.Link(r.fsys, path.Join(r.dir, name))
	r.keep(err)
	return target
}

func (r *reader) attribute(name string) string {
	text, err := sysfs.Attribute(r.fsys, path.Join(r.dir, name))
	r.keep(err)
	return text
}

// id reads a PCI id; anything that is not one is none.
func (r *reader) id(name string) string {
	if text := r.attribute(name); pciID.MatchString(text) {
		return text
	}
	return ""
}

func (r *reader) count(name string) int {
	n, err := strconv.Atoi(r.attribute(name))
	if err != nil || n < 0 {
		return 0 // older kernels say -1 where virtual functions cannot be had
	}
	return n
}

// address takes the device's name on its bus from the link that stands for the class entry, .../<address>/drm/<entry>, or else from
// the link to the device.
func (r *reader) address(entry string) string {
	target, err := sysfs.Link(r.fsys, path.Join(classDir, entry))
	r.keep(err)
	if parent := path.Dir(target); path.Base(parent) == "drm" {
		return path.Base(path.Dir(parent))
	}
	if target = r.link(""); target != "" {
		return path.Base(target)
	}
	return ""
}

func (r *reader) mei() []string {
	folders, err := sysfs.List(r.fsys, r.dir)
	r.keep(err)
	var found []string
	for _, folder := range folders {
		if !meiFolder.MatchString(folder) {
			continue
		}
		names, err := sysfs.List(r.fsys, path.Join(r.dir, folder, "mei"))
		r.keep(err)
		for _, name := range names {
			_, ok, err := sysfs.Node(r.fsys, path.Join("dev", name))
			r.keep(err)
			if ok {
				found = append(found, name)
			}
		}
	}
	return found
}
