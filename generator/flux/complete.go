package flux

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/berth-dev/berth/generator/finding"
)

// complete reads what the objects of an environment say about one another, once all of them are known.
func (e *Environment) complete(values *valueSources, sources *sourceRule) {
	if len(e.Kustomizations) > 1 {
		slices.SortFunc(e.Kustomizations[1:], func(a, b *Kustomization) int { return a.compare(b.ID) })
	}
	for o := range e.Objects() {
		switch o.Group() {
		case "helm.toolkit.fluxcd.io":
			if o.Kind == "HelmRelease" {
				e.HelmReleases = append(e.HelmReleases, newHelmRelease(o, values))
			}
		case sourceGroup, "source.extensions.fluxcd.io":
			e.Sources = append(e.Sources, e.newSource(o, sources))
		}
	}
	slices.SortStableFunc(e.HelmReleases, func(a, b *HelmRelease) int { return a.compare(b.ID) })
	slices.SortStableFunc(e.Sources, func(a, b *Source) int {
		return cmp.Or(cmp.Compare(a.Object.Kind, b.Object.Kind), ID{a.Object.Namespace, a.Object.Name}.compare(ID{b.Object.Namespace, b.Object.Name}))
	})
	e.listUnseen()
}

func (e *Environment) newSource(o *Object, sources *sourceRule) *Source {
	s := &Source{Object: o, URL: urlOf(o)}
	ref := SourceRef{Kind: o.Kind, ID: ID{o.Namespace, o.Name}}
	s.Checkout = slices.ContainsFunc(e.Kustomizations, func(k *Kustomization) bool {
		return k.Source.Available && k.Source.same(ref)
	}) || sources.own.same(ref)
	return s
}

// listUnseen collects everything that the checkout does not show.
func (e *Environment) listUnseen() {
	for _, k := range e.Kustomizations {
		e.unseenBy(k)
	}
	for o := range e.Objects() {
		switch {
		case o.Encrypted:
			e.unseen(o.Kustomization, UnseenEncrypted, o.String(), "encrypted with SOPS", o.Source())
		case o.Group() == "fluxcd.controlplane.io" && o.Kind == "ResourceSet":
			e.unseen(o.Kustomization, UnseenResourceSet, o.String(), "ResourceSets are not evaluated", o.Source())
		}
	}
	for _, h := range e.HelmReleases {
		e.unseen(h.Object.Kustomization, UnseenChart, h.Object.String(), "its chart is not rendered", h.Object.Source())
		for _, ref := range h.Unseen {
			e.unseen(h.Object.Kustomization, UnseenValues, fmt.Sprintf("%s %s/%s", ref.Kind, h.Namespace, ref.Name), ref.Reason, h.Object.Source())
		}
	}
	slices.SortStableFunc(e.Unseen, func(a, b Unseen) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Subject, b.Subject), a.Kustomization.compare(b.Kustomization))
	})
}

// unseenBy collects what a Kustomization's build and variables lack.
func (e *Environment) unseenBy(k *Kustomization) {
	for _, p := range k.Problems {
		switch p.Reason {
		case SourceNotAvailable:
			e.unseen(k, UnseenSource, k.Source.String(), k.Source.Why, p.Source)
		case RemoteBase:
			e.unseen(k, UnseenRemoteBase, p.subject, "a remote base is not fetched", p.Source)
		case RemoteFile:
			e.unseen(k, UnseenRemoteBase, k.Path, p.subject+" is not fetched, without which the folder cannot be built", p.Source)
		}
	}
	for _, ref := range k.Substitution.Unseen {
		e.unseen(k, UnseenVariables, fmt.Sprintf("%s %s/%s", ref.Kind, k.Namespace, ref.Name), ref.Reason, k.Place())
	}
}

func (e *Environment) unseen(k *Kustomization, kind UnseenKind, subject, reason string, at finding.Source) {
	e.Unseen = append(e.Unseen, Unseen{Kind: kind, Subject: subject, Reason: reason, Kustomization: k.ID, Source: at})
}
