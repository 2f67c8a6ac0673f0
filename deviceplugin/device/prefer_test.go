package device

import (
	"slices"
	"strings"
	"testing"
)

// listOf makes a list in which a0 and a1 are shares of device a, b0 one of device b.
func listOf(ids ...string) *List {
	devices := map[string]*Device{}
	l := &List{index: map[string]*Device{}}
	for _, id := range ids {
		name := id[:1]
		if devices[name] == nil {
			devices[name] = &Device{Identity: name, Healthy: true}
		}
		l.index[id] = devices[name]
	}
	return l
}

func TestPrefer(t *testing.T) {
	tests := map[string]struct {
		policy          Policy
		available, must string
		size            int
		want            string
	}{
		"none leaves it to the kubelet":                    {None, "a-0 a-1", "", 1, ""},
		"spread takes one of each device first":            {Spread, "a-0 a-1 b-0 b-1", "", 2, "a-0 b-0"},
		"spread takes the device with the most free":       {Spread, "a-1 b-0 b-1", "", 1, "b-0"},
		"spread takes another device before the most free": {Spread, "a-1 b-0 b-1 b-2 b-3", "", 2, "b-0 a-1"},
		"spread goes round when there are no more devices": {Spread, "a-0 a-1 b-0 b-1", "", 4, "a-0 b-0 a-1 b-1"},
		"packed fills one device":                          {Packed, "a-0 a-1 b-0 b-1", "", 2, "a-0 a-1"},
		"packed takes the device with the fewest free":     {Packed, "a-0 a-1 b-1", "", 1, "b-1"},
		"what must be included comes first":                {Spread, "a-0 a-1 b-0", "a-1", 2, "a-1 b-0"},
		"what must be included counts as taken":            {Packed, "a-0 a-1 b-0 b-1", "b-1", 2, "b-1 b-0"},
		"what must be included need not be available":      {Spread, "a-0", "b-0", 2, "b-0 a-0"},
		"what is named twice is taken once":                {Spread, "a-0 a-0 a-1", "a-0 a-0", 2, "a-0 a-1"},
		"more to include than wanted is cut":               {Spread, "a-0 a-1", "a-0 a-1", 1, "a-0"},
		"fewer than wanted is not an error":                {Spread, "a-0", "", 5, "a-0"},
		"an unknown ID is a device of its own":             {Spread, "a-0 z-9", "", 2, "a-0 z-9"},
		"nothing to choose from is not an error":           {Packed, "", "", 3, ""},
		"a size below zero is not an error":                {Spread, "a-0", "", -1, ""},
		"shares are counted as a person counts":            {Packed, "a-10 a-2 a-1", "", 2, "a-1 a-2"},
	}
	list := listOf("a-0", "a-1", "a-2", "a-10", "b-0", "b-1", "b-2", "b-3")
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			for range 20 { // not by the order of a map
				got := strings.Join(Prefer(list, test.policy, strings.Fields(test.available), strings.Fields(test.must), test.size), " ")
				if got != test.want {
					t.Fatalf("got %q, want %q", got, test.want)
				}
			}
		})
	}
}

func TestPoliciesAreSpeltAsInIntelsPluginToo(t *testing.T) {
	for text, want := range map[string]Policy{"none": None, "balanced": Spread, "spread": Spread, "packed": Packed} {
		if got, err := ParsePolicy(text); err != nil || got != want {
			t.Errorf("%s is %v, %v", text, got, err)
		}
	}
	if _, err := ParsePolicy("random"); err == nil || !strings.Contains(err.Error(), "use none, spread") {
		t.Errorf("got %v", err)
	}
}

func TestResourceNamesAreThoseThatTheKubeletTakes(t *testing.T) {
	long := strings.Repeat("a", 64)
	tests := map[string]string{ // what the error says; "" for a good name
		"gpu.intel.com/i915":                     "",
		"berth.dev/zigbee_2.0-A":                 "",
		"localhost/x":                            "",
		"i915":                                   "write a domain, a slash and a name",
		"a/b/c":                                  "write a domain, a slash and a name",
		"kubernetes.io/gpu":                      "Kubernetes's own",
		"node.kubernetes.io/gpu":                 "Kubernetes's own",
		"requests.example.com/gpu":               "cannot begin with",
		"GPU.intel.com/i915":                     "is not a domain",
		"gpu..intel.com/i915":                    "is not a domain",
		"/i915":                                  "is not a domain",
		strings.Repeat("a.", 130) + "com/x":      "is not a domain",
		"gpu.intel.com/":                         "is not a name",
		"gpu.intel.com/-i915":                    "is not a name",
		"gpu.intel.com/{driver}":                 "is not a name",
		"gpu.intel.com/" + long:                  "is not a name",
		"gpu.intel.com/i915\n":                   "is not a name",
		strings.Repeat("a", 63) + ".com/" + long: "is not a name",
	}
	for name, want := range tests {
		err := ValidateResource(name)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", name, err, want)
		}
	}
}

func TestMergeGivesEverythingOnce(t *testing.T) {
	a, b := gpu("a", "card0", "renderD128"), gpu("b", "card1", "renderD129")
	for _, d := range []*Device{&a, &b} {
		node := d.Grant.Nodes[1].HostPath
		d.Grant.Env = []Env{{Name: "NODE", Value: node}, {Name: "NODES", Value: node, Join: true}}
		d.Grant.Mounts = []Mount{{HostPath: "/m", ContainerPath: "/m"}}
	}
	got := Merge([]*Device{&b, &a, &b})
	if want := []string{"/dev/dri/card0", "/dev/dri/renderD128", "/dev/dri/card1", "/dev/dri/renderD129"}; !slices.Equal(got.HostPaths(), want) {
		t.Errorf("nodes are %v", got.HostPaths())
	}
	if len(got.Mounts) != 1 || got.Env[0].Value != "/dev/dri/renderD128" || got.Env[1].Value != "/dev/dri/renderD128,/dev/dri/renderD129" {
		t.Errorf("got %+v", got)
	}
	if a.Grant.Env[1].Value != "/dev/dri/renderD128" {
		t.Error("merging changed a device")
	}
}
