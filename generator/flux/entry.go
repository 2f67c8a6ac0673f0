package flux

import (
	"cmp"
	"reflect"
	"slices"

	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
)

// enter builds the entrypoint. What `flux bootstrap` commits declares a Kustomization for the very folder that it stands in:
// its spec then counts for the entrypoint. Without one it is taken to be flux-system/flux-system with an empty spec.
func (w *walk) enter() {
	entry := &Kustomization{ID: ID{"flux-system", "flux-system"}, Path: w.env.Path}
	entry.Spec.Path = "./" + w.env.Path
	entry.Spec.SourceRef = kustomizev1.CrossNamespaceSourceReference{Kind: "GitRepository", Name: "flux-system"}
	entry.Source = SourceRef{Kind: "GitRepository", ID: entry.ID, Available: true, Why: "the entrypoint is in this checkout"}
	w.build(entry)
	declared := w.declared(entry)
	if own := ownDeclaration(entry, declared); own != nil {
		changes := !sameBuild(entry.Spec, own.Spec)
		entry.ID, entry.Spec, entry.Object = own.ID, own.Spec, own.Object
		entry.Source = refOf(own.Spec, own.Namespace)
		entry.Source.Available, entry.Source.Why = true, "the entrypoint's own source"
		if changes {
			entry.Problems = nil
			w.build(entry)
		}
	}
	w.sources.enter(entry, declared)
	w.env.byID[entry.ID] = entry
	w.env.Kustomizations = append(w.env.Kustomizations, entry)
	w.pending = append(w.pending, entry)
}

// ownDeclaration finds, in the entrypoint's build, the Kustomization for the entrypoint itself.
func ownDeclaration(entry *Kustomization, declared []*Kustomization) *Kustomization {
	own := slices.DeleteFunc(slices.Clone(declared), func(k *Kustomization) bool {
		return len(k.Problems) > 0 || k.Path != entry.Path
	})
	if len(own) == 0 {
		return nil
	}
	slices.SortStableFunc(own, func(a, b *Kustomization) int { return cmp.Compare(rank(a), rank(b)) })
	return own[0]
}

// declared returns the Kustomizations in a build, as they stand before the substitution.
func (w *walk) declared(k *Kustomization) []*Kustomization {
	built := w.built[k]
	if built == nil {
		return nil
	}
	var all []*Kustomization
	for i, r := range built.resources.Resources() {
		if o := newObject(k, w.env.Checkout, &r.RNode, built.origins[i]); isKustomization(o) {
			all = append(all, decode(o))
		}
	}
	return all
}

func rank(k *Kustomization) int {
	if k.Name == "flux-system" {
		return 0
	}
	return 1
}

// sameBuild says whether two specs of one folder build the same.
func sameBuild(a, b kustomizev1.KustomizationSpec) bool {
	shape := func(s kustomizev1.KustomizationSpec) []any {
		return []any{
			s.Patches, s.Images, s.Components, s.TargetNamespace, s.NamePrefix, s.NameSuffix, s.BuildMetadata,
		}
	}
	return reflect.DeepEqual(shape(a), shape(b))
}
