package v1alpha1

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/berth-dev/berth/generator/api/strict"
)

// Validate checks the evidence by itself. Whether it proves what a plugin needs is for package daemonset. The error is a
// strict.Problems.
func (e *DeviceEvidence) Validate() error {
	v := &collector{origin: e.origin}
	v.name("evidence", e.Metadata.Name)
	v.marks(e.Metadata.Labels, e.Metadata.Annotations)
	if e.Spec.Plugin == "" {
		v.fail("spec.plugin", "is missing: write the name of the DevicePlugin that was seen")
	}
	v.image("spec.image", e.Spec.Image, true)
	v.said("spec.seenBy", e.Spec.SeenBy, "who looked")
	v.said("spec.seenWith", e.Spec.SeenWith, "how it was seen, such as the command")
	v.seenAt(e.Spec.SeenAt)
	if len(e.Spec.Nodes) == 0 {
		v.fail("spec.nodes", "names no node: write what each node offered")
	}
	first := map[string]string{}
	for i, node := range e.Spec.Nodes {
		at := strict.Item("spec.nodes", i)
		v.nodeName(at+".name", node.Name)
		if earlier, twice := first[node.Name]; twice {
			v.fail(at+".name", "the node %s was listed before, %s: list it once", node.Name, v.origin.Where(earlier))
		} else {
			first[node.Name] = at + ".name"
		}
		v.offered(at+".allocatable", node.Allocatable)
	}
	return v.problems.Err()
}

func (c *collector) said(path, text, what string) {
	if strings.TrimSpace(text) == "" {
		c.fail(path, "is missing: say %s, so that others can judge it", what)
	}
}

func (c *collector) seenAt(text string) {
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if _, err := time.Parse(layout, text); err == nil {
			return
		}
	}
	c.fail("spec.seenAt", `%q is no day or time: write it as "2026-10-01" or "2026-10-01T22:25:33Z"`, text)
}

func (c *collector) offered(path string, all map[string]int64) {
	if len(all) == 0 {
		c.fail(path, "is empty: write the resource and its number as in the node's status.allocatable, 0 included")
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		at := strict.Child(path, name)
		c.resourceName(at, name)
		if all[name] < 0 {
			c.fail(at, "%d: a node offers none or more", all[name])
		}
	}
}
