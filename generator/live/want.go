package live

import (
	"maps"
	"slices"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
)

// want is what the intents of one run want of a node.
type want struct {
	node string
	// listed says that an intent lists the node, whatever is wanted now.
	listed bool
	// intents are those that list the node, each with what it asks for.
	intents []wantOf
	// run are the names of all intents of this run: what one of them owned and no longer asks for is to go.
	run []string
}

// wantOf is what one intent wants of a node.
type wantOf struct {
	intent string
	taints []v1alpha1.Taint
	labels map[string]string
}

// wantsOf returns what the intents want of one node.
func wantsOf(intents []*v1alpha1.TaintIntent, node string) *want {
	w := &want{node: node}
	for _, intent := range intents {
		w.run = append(w.run, intent.Metadata.Name)
		if slices.Contains(intent.NodeNames(), node) {
			w.listed = true
			w.intents = append(w.intents, wantOf{intent.Metadata.Name, intent.NodeTaints(node), nodeLabels(intent, node)})
		}
	}
	return w
}

// nothing is the want that leaves nothing of the intents on a node.
func (w *want) nothing() *want { return &want{node: w.node, listed: w.listed, run: w.run} }

// known says whether an intent lists the node.
func (w *want) known() bool { return w.listed }

// taints returns what all intents want, each taint once, in their order.
func (w *want) taints() []v1alpha1.Taint {
	var all []v1alpha1.Taint
	for _, of := range w.intents {
		for _, t := range of.taints {
			if _, twice := withPair(all, pairOf(t)); !twice {
				all = append(all, t)
			}
		}
	}
	return all
}

// taintedBy says whether an intent wants taints of the node.
func (w *want) taintedBy(intent string) bool {
	return slices.ContainsFunc(w.intents, func(of wantOf) bool { return of.intent == intent && len(of.taints) > 0 })
}

func (w *want) labels() map[string]string {
	all := map[string]string{}
	for _, of := range w.intents {
		maps.Copy(all, of.labels)
	}
	return all
}

// owned returns what Berth owns on the node once the want is met.
func (w *want) owned(before ownership) ownership {
	after := maps.Clone(before)
	for _, name := range w.run {
		delete(after, name)
	}
	for _, of := range w.intents {
		var mine owned
		for _, t := range of.taints {
			mine.Taints = append(mine.Taints, pairOf(t).String())
		}
		mine.Labels = slices.Sorted(maps.Keys(of.labels))
		after[of.intent] = mine
	}
	return after
}

// leftTaints returns what this run's intents owned, and nobody wants or owns any more.
func (w *want) leftTaints(before ownership) map[pair]bool {
	return left(before.taints(), w.owned(before).taints())
}

func (w *want) leftLabels(before ownership) map[string]bool {
	return left(before.labels(), w.owned(before).labels())
}

func left[K comparable](before, after map[K][]string) map[K]bool {
	gone := map[K]bool{}
	for k := range before {
		if len(after[k]) == 0 {
			gone[k] = true
		}
	}
	return gone
}
