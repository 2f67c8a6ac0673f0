package live

import (
	"maps"
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/finding"
)

// owners returns the names of the intents for which Berth owns something on a node of the cluster, sorted.
func (v *view) owners() []string {
	all := map[string]bool{}
	for i := range v.Nodes {
		own, err := readOwnership(v.Nodes[i].Name, v.Nodes[i].Annotations)
		if err != nil {
			continue // has a finding, or a step that is not safe, of its own
		}
		for name := range own {
			all[name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// noteReleases says which of the intents to release own nothing: the name may be wrong.
func (p *planner) noteReleases() {
	if len(p.options.Release) == 0 {
		return
	}
	owners := p.owners()
	for _, name := range p.options.Release {
		if !slices.Contains(owners, name) {
			known := "of no intent"
			if len(owners) > 0 {
				known = "of " + strings.Join(owners, ", ")
			}
			p.note("nothing-to-release", nil, "no node has anything of the intent "+name+"; they have something "+known)
		}
	}
}

// checkOwners finds what belongs to intents that were not named: they were forgotten on the command line, or are no more.
func (c *comparison) checkOwners(node *finding.Object, d NodeDiff) {
	strangers := map[string]bool{}
	for _, row := range slices.Concat(d.Taints, d.Labels) {
		for _, owner := range row.Owners {
			if !c.ours([]string{owner}) {
				strangers[owner] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(strangers)) {
		c.add(node, finding.Warning, "owner-unknown", "has taints or labels of the intent "+name+", which is none of those that were read",
			"name its file too; if the intent is no more, run berth apply --release "+name)
	}
}
