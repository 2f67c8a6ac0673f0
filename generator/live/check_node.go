package live

import (
	"fmt"
	"slices"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
)

// checkNode names the layer that is off.
func (c *comparison) checkNode(f *facts, d NodeDiff) {
	node := nodeObject(d.Name)
	switch {
	case !d.InCluster:
		c.add(node, finding.Error, "node-missing", "is in the intent and not in the cluster",
			"let it join, or take it out of the intent; node names are lower-case, as kubectl get nodes prints them")
		return
	case !d.InIntent:
		c.add(node, finding.Error, "node-unknown", "is in the cluster and in no intent", "list it; without taints it is a default home")
	}
	if d.Ready != "True" {
		c.add(node, finding.Info, "node-not-ready", "is not ready (Ready is "+d.Ready+")", "")
	}
	for _, row := range slices.Concat(d.Taints, d.Labels) {
		c.checkLive(node, row)
		if d.InIntent {
			c.checkNodeArgs(f, node, row)
		}
	}
	c.checkOwners(node, d)
	c.checkCordon(node, f, d)
	if d.InIntent {
		c.checkStart(f, node)
	}
}

// checkStart is about what a node says of its last start, beside the taints themselves.
func (c *comparison) checkStart(f *facts, node *finding.Object) {
	if f.args == nil {
		if len(f.want.taints()) > 0 {
			c.add(node, finding.Info, "node-args-unknown", "does not say with what it was started, so that nobody sees whether its drop-in is deployed",
				"k3s and RKE2 write it down since v1.21.1; elsewhere look at the node's configuration")
		}
		return
	}
	for _, text := range f.args.unreadable {
		c.add(node, finding.Error, "node-args-invalid", fmt.Sprintf("was started with --node-taint=%s, which is no taint", text),
			"run berth k3s effective on the node")
	}
}

func (r Row) what() (kind, text string) {
	if r.Taint != "" {
		return "taint", r.Taint
	}
	return "label", r.Label
}

// checkLive compares the intent with the Node object.
func (c *comparison) checkLive(node *finding.Object, row Row) {
	kind, text := row.what()
	const apply = "run berth apply"
	switch {
	case row.Intent == Yes && row.Live == No:
		c.add(node, finding.Error, kind+"-missing", "does not have the "+kind+" "+text, apply)
	case row.Intent == Yes && row.Live == Differs:
		c.add(node, finding.Error, kind+"-differs", "has another value than the "+kind+" "+text, apply)
	case row.Intent == No && row.Live == Yes && c.ours(row.Owners):
		c.add(node, finding.Error, kind+"-leftover", fmt.Sprintf("still has the %s %s, which the intent no longer lists", kind, text), apply+", which removes it")
	}
}

// ours says whether every owner is one of this run's intents, and there is one.
func (c *comparison) ours(owners []string) bool {
	for _, owner := range owners {
		if !slices.ContainsFunc(c.intents, func(i *v1alpha1.TaintIntent) bool { return i.Metadata.Name == owner }) {
			return false
		}
	}
	return len(owners) > 0
}

// checkNodeArgs compares the intent with what the node was started with: that is what it has when it registers anew.
func (c *comparison) checkNodeArgs(f *facts, node *finding.Object, row Row) {
	if f.args == nil {
		return
	}
	kind, text := row.what()
	const deploy = "copy the drop-in that berth generate wrote, and restart the agent: what is in it acts when the node registers"
	switch {
	case row.Intent == Yes && row.NodeArgs == No:
		c.add(node, finding.Error, "drop-in-not-deployed", fmt.Sprintf("was last started without the %s %s, so that it is lost when the node registers anew", kind, text), deploy)
	case row.Intent == Yes && row.NodeArgs == Differs:
		c.add(node, finding.Error, "drop-in-differs", fmt.Sprintf("was last started with another value than the %s %s", kind, text), deploy)
	case row.Intent == No && row.NodeArgs == Yes && (len(row.Owners) > 0 || c.declares(row)):
		c.add(node, finding.Error, "drop-in-leftover", fmt.Sprintf("was last started with the %s %s, which the intent does not want there: it comes back when the node registers anew", kind, text), deploy)
	}
}

// declares says whether an intent has the taint among spec.taints, for other nodes.
func (c *comparison) declares(row Row) bool {
	for _, intent := range c.intents {
		for _, named := range intent.Spec.Taints {
			if t, err := named.Resolve(); err == nil && t.String() == row.Taint {
				return true
			}
		}
	}
	return false
}

func (c *comparison) checkCordon(node *finding.Object, f *facts, d NodeDiff) {
	if !d.Cordoned {
		return
	}
	message := "is cordoned, which is lost when the node registers anew"
	action := "uncordon it, or put a taint into the intent that lasts"
	if len(f.want.taints()) > 0 {
		message += ", and keeps allowed workloads away too"
		action = "run berth apply --uncordon: the taint does what the cordon did"
	}
	c.add(node, finding.Warning, "cordoned", message, action)
}
