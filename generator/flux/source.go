package flux

import (
	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
)

// SourceRef is the source of a Kustomization's folder.
type SourceRef struct {
	Kind string `json:"kind"`
	ID
	// Available says that the source is this checkout.
	Available bool `json:"available"`
	// Why says how that was decided.
	Why string `json:"why"`
}

// String returns Kind namespace/name.
func (r SourceRef) String() string { return r.Kind + " " + r.ID.String() }

func (r SourceRef) same(other SourceRef) bool { return r.Kind == other.Kind && r.ID == other.ID }

// Source is an object of source.toolkit.fluxcd.io or source.extensions.fluxcd.io: where Flux fetches something.
type Source struct {
	Object *Object
	// URL is where it is fetched from; empty when the object names none.
	URL string
	// Checkout says that it stands for this checkout.
	Checkout bool
}

func refOf(spec kustomizev1.KustomizationSpec, namespace string) SourceRef {
	ref := SourceRef{Kind: spec.SourceRef.Kind, ID: ID{spec.SourceRef.Namespace, spec.SourceRef.Name}}
	if ref.Namespace == "" {
		ref.Namespace = namespace
	}
	return ref
}
