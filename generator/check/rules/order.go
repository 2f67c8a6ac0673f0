package rules

import (
	"slices"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/flux"
)

// order answers which Kustomization comes after which.
type order struct {
	graph *flux.Graph
	held  map[flux.ID]map[flux.ID]bool // by what is not ready: what is not applied
}

func newOrder(p *check.Pass) *order {
	return &order{graph: p.Graph(), held: map[flux.ID]map[flux.ID]bool{}}
}

// after says whether the objects of k are applied only when first is ready, or when first has been applied as what
// declares k.
func (o *order) after(k, first *flux.Kustomization) bool {
	for parent := k.Parent; parent != nil; parent = parent.Parent {
		if parent == first {
			return true
		}
	}
	return o.waits(k, first)
}

// waits says whether the objects of k are not applied before first is ready.
func (o *order) waits(k, first *flux.Kustomization) bool {
	held := o.held[first.ID]
	if held == nil {
		held = map[flux.ID]bool{}
		for _, stalled := range o.graph.Stalls(first.ID).Held {
			held[stalled.ID] = !stalled.Maybe
		}
		o.held[first.ID] = held
	}
	return held[k.ID]
}

// makersOf are the Kustomizations that apply an object, by what a function says it makes.
func makersOf(p *check.Pass, makes func(*flux.Object) []string) map[string][]*flux.Kustomization {
	all := map[string][]*flux.Kustomization{}
	for o := range p.Objects() {
		for _, what := range makes(o) {
			if !slices.Contains(all[what], o.Kustomization) {
				all[what] = append(all[what], o.Kustomization)
			}
		}
	}
	return all
}

// kindOf names an object's kind as CRDs are looked up: Kind.group.
func kindOf(o *flux.Object) string { return o.Kind + "." + o.Group() }

// definedKinds are the kinds that CRDs of the environment define.
func definedKinds(p *check.Pass) map[string][]*flux.Kustomization {
	return makersOf(p, func(o *flux.Object) []string {
		if !isCRD(o) {
			return nil
		}
		return []string{text(o.Node(), "spec", "names", "kind") + "." + text(o.Node(), "spec", "group")}
	})
}
