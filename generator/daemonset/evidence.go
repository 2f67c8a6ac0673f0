package daemonset

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/api/strict"
	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
)

// Prove tells whether the evidence lets a plugin's consumers be switched: each expected node was seen, with the image
// that the plugin has now, to offer at least one of each resource that a consumer asks for, and one of the nodes as many
// as the container that asks for most. What is missing is an error finding for each; none means proved. The stage is not
// looked at, so that a command can ask before it is changed.
func Prove(plugin *v1alpha1.DevicePlugin, evidence []*v1alpha1.DeviceEvidence) []finding.Finding {
	p := prover{plugin: plugin}
	if plugin.ImageDigest() == "" {
		p.fail("evidence-without-digest", "spec.image", "the image has no digest, so that nothing that was seen can be of it",
			"add the digest, and confirm again")
		return p.found
	}
	seen := p.choose(evidence)
	if seen == nil {
		return p.found
	}
	for i, node := range plugin.Spec.Nodes {
		p.node(strict.Item("spec.nodes", i), node, seen)
	}
	p.enough(seen)
	return p.found
}

// Wanted are the resources that the consumers ask for, and the most that one container asks for.
func Wanted(plugin *v1alpha1.DevicePlugin) map[string]int64 {
	all := map[string]int64{}
	for _, c := range plugin.Spec.Consumers {
		for name, count := range c.Resources {
			all[name] = max(all[name], count)
		}
	}
	return all
}

type prover struct {
	plugin *v1alpha1.DevicePlugin
	found  []finding.Finding
}

func (p *prover) fail(code, field, message, action string) {
	p.found = append(p.found, about(p.plugin, finding.Error, code, field, message, action))
}

// choose returns the evidence of this plugin and image.
func (p *prover) choose(evidence []*v1alpha1.DeviceEvidence) *v1alpha1.DeviceEvidence {
	var other *v1alpha1.DeviceEvidence
	var match []*v1alpha1.DeviceEvidence
	for _, e := range evidence {
		switch {
		case e.Spec.Plugin != p.plugin.Metadata.Name:
		case e.ImageDigest() == p.plugin.ImageDigest():
			match = append(match, e)
		default:
			other = e
		}
	}
	switch {
	case len(match) == 1:
		return match[0]
	case len(match) > 1:
		p.fail("evidence-twice", "spec.stage", fmt.Sprintf("there are %d DeviceEvidence objects of this image: %s and %s",
			len(match), match[0].Metadata.Name, match[1].Metadata.Name), "keep the newer one")
	case other != nil:
		p.fail("evidence-of-another-image", "spec.image", fmt.Sprintf("the evidence%s is of the digest %s, and the image has %s",
			of(other, "spec.image"), orNone(other.ImageDigest()), p.plugin.ImageDigest()),
			"go back to stage: advertise until the new image was rolled out and confirmed with berth confirm")
	default:
		p.fail("evidence-missing", "spec.stage", "nothing shows that the nodes offer what the consumers ask for: a request that no node offers makes a pod Unschedulable, and what waits for it stands still",
			"keep stage: advertise, run berth confirm, and commit the DeviceEvidence that it writes")
	}
	return nil
}

// node holds what was seen of one node against what is asked for.
func (p *prover) node(field, node string, seen *v1alpha1.DeviceEvidence) {
	i := slices.IndexFunc(seen.Spec.Nodes, func(n v1alpha1.NodeEvidence) bool { return n.Name == node })
	if i < 0 {
		p.fail("evidence-without-node", field, fmt.Sprintf("the evidence%s does not name the node %s", of(seen, "spec.nodes"), node),
			"confirm again when the plugin runs there, or remove the node")
		return
	}
	wanted := Wanted(p.plugin)
	for _, resource := range slices.Sorted(maps.Keys(wanted)) {
		count, named := seen.Spec.Nodes[i].Allocatable[resource]
		place := of(seen, strict.Item("spec.nodes", i))
		switch {
		case !named:
			p.fail("evidence-without-resource", field, fmt.Sprintf("the evidence%s says nothing of %s on the node %s; it has %s", place, resource, node,
				strings.Join(slices.Sorted(maps.Keys(seen.Spec.Nodes[i].Allocatable)), ", ")), "confirm again, or ask for what the node offers")
		case count < 1:
			p.fail("evidence-of-zero", field, fmt.Sprintf("the evidence%s says that the node %s offers no %s", place, node, resource),
				"find out why the plugin offers nothing there, and confirm again")
		}
	}
}

// enough finds a container that asks for more than any one node offers: a pod gets all its devices from one node.
func (p *prover) enough(seen *v1alpha1.DeviceEvidence) {
	wanted := Wanted(p.plugin)
	for _, resource := range slices.Sorted(maps.Keys(wanted)) {
		var most int64
		for _, node := range seen.Spec.Nodes {
			if slices.Contains(p.plugin.Spec.Nodes, node.Name) {
				most = max(most, node.Allocatable[resource])
			}
		}
		if most > 0 && most < wanted[resource] {
			p.fail("evidence-of-too-few", "spec.consumers", fmt.Sprintf("a consumer asks for %d of %s, and no node offers more than %d by the evidence%s",
				wanted[resource], resource, most, of(seen, "spec.nodes")), "ask for fewer: a pod gets all its devices from one node")
		}
	}
}

// of names the evidence and where it stands.
func of(e *v1alpha1.DeviceEvidence, field string) string {
	if where := e.Position(field).String(); where != "" {
		return fmt.Sprintf(" %s (%s, seen by %s on %s)", e.Metadata.Name, where, e.Spec.SeenBy, e.Spec.SeenAt)
	}
	return fmt.Sprintf(" %s (seen by %s on %s)", e.Metadata.Name, e.Spec.SeenBy, e.Spec.SeenAt)
}

func orNone(digest string) string {
	if digest == "" {
		return "none"
	}
	return digest
}
