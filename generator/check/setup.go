package check

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"

	"github.com/berth-dev/berth/generator/api/strict"
	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/flux"
)

// FileName is that of the repository's RenderCheck, at its root.
const FileName = "berth.yaml"

// Setup is what is checked.
type Setup struct {
	// Dir is the repository's root.
	Dir string
	// File is the RenderCheck's, relative to Dir; empty when there is none.
	File string
	// Check is what the file says, with the environments that were found where it names none.
	Check *v1alpha1.RenderCheck
	// Found says why each environment is one, by its path, when they were not named.
	Found map[string]string
	// After is the repository of which Dir holds an older state; nil when Dir is the repository itself.
	After *Repository
}

// Find reads the RenderCheck of a repository. file is its path below dir; when it is empty it is berth.yaml, which need
// not exist.
func Find(dir, file string) (*Setup, error) {
	s := &Setup{Dir: dir, File: cmp.Or(file, FileName), Check: &v1alpha1.RenderCheck{}, Found: map[string]string{}}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	defer root.Close() //nolint:errcheck // it was only read
	text, err := fs.ReadFile(root.FS(), s.File)
	switch {
	case err != nil && file != "":
		return nil, fmt.Errorf("read check: %w", err)
	case err != nil:
		s.File = ""
		return s, nil
	}
	checks, err := v1alpha1.ReadRenderChecks(s.File, text)
	switch {
	case err != nil:
		return nil, err
	case len(checks) != 1:
		return nil, strict.Problems{{File: s.File, Message: fmt.Sprintf("holds %d RenderChecks: a repository has one", len(checks))}}
	}
	s.Check = checks[0]
	return s, nil
}

// Name makes folders the environments, instead of those that the RenderCheck names or the repository shows.
func (s *Setup) Name(folders []string) {
	s.Check.Spec.Environments = nil
	for _, folder := range folders {
		s.Check.Spec.Environments = append(s.Check.Spec.Environments, v1alpha1.CheckedEnvironment{
			Name: path.Clean(folder), Path: folder, Stage: v1alpha1.Active,
		})
	}
}

// choose finds the environments of a repository that does not name them. An older state need not have all that are named.
func (s *Setup) choose(c *flux.Checkout) {
	if len(s.Check.Spec.Environments) > 0 {
		s.Check.Spec.Environments = slices.DeleteFunc(s.Check.Spec.Environments, func(e v1alpha1.CheckedEnvironment) bool {
			return s.After != nil && !c.IsDir(path.Clean(e.Path))
		})
		return
	}
	for _, entry := range flux.Discover(c) {
		s.Found[entry.Path] = entry.Why
		s.Check.Spec.Environments = append(s.Check.Spec.Environments, v1alpha1.CheckedEnvironment{
			Name: entry.Name, Path: entry.Path, Stage: v1alpha1.Active,
		})
	}
}
