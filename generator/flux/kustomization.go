package flux

import (
	"cmp"
	"slices"

	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"

	"github.com/berth-dev/berth/generator/finding"
)

// ID names a Flux Kustomization, or another object of Flux, in a cluster.
type ID struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// String returns namespace/name.
func (id ID) String() string { return id.Namespace + "/" + id.Name }

func (id ID) compare(other ID) int {
	return cmp.Or(cmp.Compare(id.Namespace, other.Namespace), cmp.Compare(id.Name, other.Name))
}

func sortIDs(ids []ID) []ID {
	slices.SortFunc(ids, ID.compare)
	return ids
}

// Kustomization is a Flux Kustomization (kustomize.toolkit.fluxcd.io, v1 and the betas) and what it would apply.
type Kustomization struct {
	ID
	// Spec is the Kustomization's own, after the build and the substitution of what declares it.
	Spec kustomizev1.KustomizationSpec
	// Object declares the Kustomization. It is nil for an entrypoint that no file of the checkout declares.
	Object *Object
	// Parent built the object that declares this Kustomization; nil for the entrypoint.
	Parent *Kustomization
	// Duplicates are further objects of the same name: they and Object overwrite each other in the cluster.
	Duplicates []*Object
	// Path is the folder in the checkout, cleaned as the controller does it: slashes, no leading ./, "." for the root. Of a
	// folder that an ArtifactGenerator copied it is the original.
	Path string
	// Source is where the folder comes from. When it is not available, there are no Objects.
	Source SourceRef
	// Objects are what would be applied, in the order of the build. An object whose variables cannot be replaced is
	// here with its text as it stands in Git, and a Problem says so.
	Objects []*Object
	// Files are the files of the checkout that the build read, sorted.
	Files []string
	// Substitution is what spec.postBuild does.
	Substitution Substitution
	// Problems say what the controller would stumble over. Most severe first: when Built is false the first one says why.
	Problems []Problem
	// Built says that the build gave objects, be it with problems.
	Built bool

	artifact *artifact // where dir is a folder; Path is the same folder in the checkout
	dir      string
}

// IsEntry says whether this is the environment's entrypoint.
func (k *Kustomization) IsEntry() bool { return k.Parent == nil }

// Waits says whether the Kustomization is only ready when objects that it applied are healthy.
func (k *Kustomization) Waits() bool { return k.Spec.Wait || len(k.Spec.HealthChecks) > 0 }

// DependsOn returns the IDs of spec.dependsOn, in their order, with the namespace filled in.
func (k *Kustomization) DependsOn() []ID {
	ids := make([]ID, 0, len(k.Spec.DependsOn))
	for _, d := range k.Spec.DependsOn {
		ids = append(ids, ID{cmp.Or(d.Namespace, k.Namespace), d.Name})
	}
	return ids
}

// Place returns where the Kustomization is declared; the entrypoint's folder when nothing declares it.
func (k *Kustomization) Place() finding.Source {
	if k.Object == nil {
		return finding.Source{File: k.Path}
	}
	return k.Object.Source()
}
