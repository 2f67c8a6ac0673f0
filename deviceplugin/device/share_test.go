package device

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

func gpu(address string, nodes ...string) Device {
	d := Device{Identity: address, Healthy: true}
	for _, n := range nodes {
		d.Grant.Nodes = append(d.Grant.Nodes, Node{HostPath: "/dev/dri/" + n, ContainerPath: "/dev/dri/" + n, Permissions: "rw"})
	}
	return d
}

func firstID(t *testing.T, d Device) string {
	t.Helper()
	shares, _ := Shares([]Device{d}, 1)
	return shares[0].ID
}

// The kubelet uses an old answer again for as long as the ID is healthy.
func TestAnIDChangesWithEverythingThatIsHandedOut(t *testing.T) {
	base := func() Device { return gpu("0000:00:02.0", "card0", "renderD128") }
	seen := map[string]string{firstID(t, base()): "the device itself"}
	changes := map[string]func(*Device){
		"another address":      func(d *Device) { d.Identity = "0000:03:00.0" },
		"another node":         func(d *Device) { d.Grant.Nodes[1].HostPath = "/dev/dri/renderD129" },
		"another name inside":  func(d *Device) { d.Grant.Nodes[1].ContainerPath = "/dev/dri/renderD129" },
		"other permissions":    func(d *Device) { d.Grant.Nodes[0].Permissions = "r" },
		"a mount":              func(d *Device) { d.Grant.Mounts = []Mount{{HostPath: "/a", ContainerPath: "/a"}} },
		"a read-only mount":    func(d *Device) { d.Grant.Mounts = []Mount{{HostPath: "/a", ContainerPath: "/a", ReadOnly: true}} },
		"a variable":           func(d *Device) { d.Grant.Env = []Env{{Name: "A", Value: "1"}} },
		"a CDI name":           func(d *Device) { d.Grant.CDI = []string{"v.com/c=n"} },
		"the nodes' order":     func(d *Device) { d.Grant.Nodes[0], d.Grant.Nodes[1] = d.Grant.Nodes[1], d.Grant.Nodes[0] },
		"a node that is away ": func(d *Device) { d.Grant.Nodes = d.Grant.Nodes[:1] },
	}
	for name, change := range changes {
		d := base()
		change(&d)
		id := firstID(t, d)
		if before, ok := seen[id]; ok {
			t.Errorf("%s has the ID of %s: %s", name, before, id)
		}
		seen[id] = name
	}
	sick := base()
	sick.Healthy = false
	if firstID(t, sick) != firstID(t, base()) {
		t.Error("the ID depends on health: a device that is back would be another one")
	}
}

func TestIDsAreReadableAndAtMost63Characters(t *testing.T) {
	ok := regexp.MustCompile(`^[A-Za-z0-9._-]{1,63}$`)
	for _, identity := range []string{"0000:00:02.0", "", strings.Repeat("x", 300), "usb-10c4-ea60-ümläut/\x00..", "all"} {
		shares, leftOut := Shares([]Device{gpu(identity, "card0")}, MaxShares)
		if leftOut != 0 || len(shares) != MaxShares {
			t.Fatalf("%d shares, %d left out", len(shares), leftOut)
		}
		seen := map[string]bool{}
		for _, s := range shares {
			if !ok.MatchString(s.ID) || seen[s.ID] {
				t.Fatalf("ID %q is not fit, or is there twice", s.ID)
			}
			seen[s.ID] = true
		}
	}
	if id := firstID(t, gpu("0000:00:02.0", "card0")); !strings.HasPrefix(id, "0000-00-02.0-") {
		t.Errorf("%s does not say which device it is", id)
	}
}

func TestIDsOfDevicesThatLookAlikeDiffer(t *testing.T) {
	a, b := gpu(strings.Repeat("x", 80)+"a", "card0"), gpu(strings.Repeat("x", 80)+"b", "card0")
	if firstID(t, a) == firstID(t, b) {
		t.Error("the ID holds only the beginning of the identity")
	}
	if firstID(t, gpu("a:b", "card0")) == firstID(t, gpu("a/b", "card0")) {
		t.Error("the ID holds only what is left of the identity")
	}
}

func TestMoreSharesThanTheKubeletCouldTakeAreLeftOut(t *testing.T) {
	devices := make([]Device, 0, 30)
	for i := range 30 {
		devices = append(devices, gpu(fmt.Sprintf("0000:%02x:00.0", i), fmt.Sprintf("card%d", i)))
	}
	shares, leftOut := Shares(devices, 1000)
	if len(shares) != MaxShares || leftOut != 20000 {
		t.Errorf("%d shares and %d left out", len(shares), leftOut)
	}
}

func TestAFeedGivesEveryReaderEveryChange(t *testing.T) {
	f := NewFeed()
	empty, next := f.Current()
	if len(empty.Shares) != 0 || empty.Version == 0 {
		t.Errorf("a new feed holds %+v; version 0 would never be sent", empty)
	}
	shares, _ := Shares([]Device{gpu("a", "card0")}, 2)
	f.Publish(shares)
	<-next
	list, _ := f.Current()
	if list.Version <= empty.Version || list.Find(shares[1].ID) == nil || list.Find("other") != nil {
		t.Errorf("got %+v", list)
	}
	if healthy, unhealthy := list.Health(); healthy != 2 || unhealthy != 0 {
		t.Errorf("%d healthy, %d unhealthy", healthy, unhealthy)
	}
}
