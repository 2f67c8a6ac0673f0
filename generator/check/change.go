package check

import (
	"path"
	"slices"

	"github.com/fluxcd/pkg/sourceignore"

	"github.com/berth-dev/berth/generator/flux"
)

// Change is the set of files that a change touches.
type Change struct {
	repository *Repository
	files      map[string]bool
	gone       []string // those of the files that Flux does not see any more
	everything bool     // a file that says what is checked has changed
}

// NewChange describes a change by its files, relative to the repository's root: those that it removed, and both names of one
// that it renamed, included.
func NewChange(r *Repository, files []string) *Change {
	c := &Change{repository: r, files: map[string]bool{}}
	seen := r.Checkout.Files()
	for _, file := range files {
		c.files[file] = true
		if _, found := slices.BinarySearch(seen, file); !found {
			c.gone = append(c.gone, file)
		}
		c.everything = c.everything || saysWhatCounts(r, file)
	}
	return c
}

// saysWhatCounts says whether a file decides on what is checked: one of Berth's, or one that takes files out of the artifact.
func saysWhatCounts(r *Repository, file string) bool {
	return file == r.File || slices.Contains(r.ownFiles, file) || path.Base(file) == sourceignore.IgnoreFile
}

// Reach takes the findings out that a change cannot have caused: neither their file, nor a file that the build of their
// Kustomization or of its variables read, nor what declares it has changed. What is wrong with a Kustomization that cannot be
// built always stays.
func (r *Result) Reach(c *Change) {
	r.Findings = slices.DeleteFunc(r.Findings, func(f Finding) bool {
		if c.reaches(&f) {
			return false
		}
		r.OutOfReach++
		return true
	})
}

func (c *Change) reaches(f *Finding) bool {
	if c.everything || f.File == "" || c.files[f.File] {
		return true
	}
	return slices.ContainsFunc(f.kustomizations, func(k *flux.Kustomization) bool { return isBroken(k) || c.touches(k) })
}

// isBroken says whether a Kustomization has no build although its folder ought to be in the checkout. Which files such a build
// would have read is not known, so any change may be what broke it.
func isBroken(k *flux.Kustomization) bool {
	return !k.Built && slices.ContainsFunc(k.Problems, func(p flux.Problem) bool { return p.Reason != flux.SourceNotAvailable })
}

func (c *Change) touches(k *flux.Kustomization) bool {
	if slices.ContainsFunc(k.Files, func(file string) bool { return c.files[file] }) || c.tookFrom(k) {
		return true
	}
	for _, v := range k.Substitution.Variables {
		if v.Object != nil && v.Object.Kustomization != k && c.touches(v.Object.Kustomization) {
			return true
		}
	}
	return k.Object != nil && (c.files[k.Object.Origin.File] || k.Parent != nil && k.Parent != k && c.touches(k.Parent) && c.declares(k))
}

// tookFrom says whether a file is gone that the build of a Kustomization may have read: one below its folder, or beside a file
// that it reads. Without a kustomization.yaml the build takes what there is, and succeeds with less.
func (c *Change) tookFrom(k *flux.Kustomization) bool {
	return slices.ContainsFunc(c.gone, func(file string) bool {
		return isBelow(file, k.Path) || slices.ContainsFunc(k.Files, func(read string) bool { return path.Dir(read) == path.Dir(file) })
	})
}

// declares says whether a patch in a changed file may have changed what declares a Kustomization.
func (c *Change) declares(k *flux.Kustomization) bool {
	for _, file := range k.Parent.Files {
		if c.files[file] && isKustomizationFile(file) {
			return true
		}
	}
	return false
}
