package flux

import (
	"iter"
)

// Environment is everything that Flux would apply from one entrypoint.
type Environment struct {
	Checkout *Checkout
	// Path is the entrypoint, such as clusters/dev.
	Path string
	// Rules are those of the Flux version that was asked for.
	Rules Rules
	// Kustomizations are the entrypoint, and then all others by their IDs.
	Kustomizations []*Kustomization
	// HelmReleases are sorted by their IDs.
	HelmReleases []*HelmRelease
	// Sources are sorted by kind and ID.
	Sources []*Source
	// Unseen lists what the checkout does not show, sorted.
	Unseen []Unseen

	byID   map[ID]*Kustomization
	byName map[objectKey]*Object
}

// objectKey finds an object by what it is, whatever its version.
type objectKey struct{ group, kind, namespace, name string }

// Kustomization returns the Kustomization of that name, or nil.
func (e *Environment) Kustomization(id ID) *Kustomization { return e.byID[id] }

// Object returns the object of an API group ("" for the core), kind, namespace and name, or nil. When several
// Kustomizations apply it, it is the one of the Kustomization that was found first.
func (e *Environment) Object(group, kind, namespace, name string) *Object {
	return e.byName[objectKey{group, kind, namespace, name}]
}

// Objects goes through all objects, Kustomization by Kustomization.
func (e *Environment) Objects() iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		for _, k := range e.Kustomizations {
			for _, o := range k.Objects {
				if !yield(o) {
					return
				}
			}
		}
	}
}
