package flux

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// artifactGenerator is the part of an ArtifactGenerator (source.extensions.fluxcd.io/v1beta1) that is followed. It cuts a
// source into artifacts, or puts several together; here, the sources must be this checkout.
type artifactGenerator struct {
	Spec struct {
		Sources []struct {
			Alias, Kind, Name, Namespace string
		}
		Artifacts []struct {
			Name string
			Copy []copyOperation
		}
	}
}

// copyOperation copies files of a source into an artifact.
type copyOperation struct {
	From, To, Strategy string
	Exclude            []string
	Optional           bool
}

// generated returns the artifact that an ExternalArtifact stands for, when an ArtifactGenerator of the environment makes it
// from this checkout alone; otherwise the reason why it cannot be followed.
func (s *sourceRule) generated(ref SourceRef) (*artifact, error) {
	for _, o := range s.generators {
		if o.Namespace != ref.Namespace {
			continue
		}
		var g artifactGenerator
		if err := decodeObject(o, &g); err != nil {
			return nil, fmt.Errorf("%s: %w", o, err)
		}
		for _, made := range g.Spec.Artifacts {
			if made.Name != ref.Name {
				continue
			}
			result, err := s.copy(o, g, made.Copy)
			if err != nil {
				return nil, fmt.Errorf("made by %s: %w", o, err)
			}
			return result, nil
		}
	}
	return nil, errors.New("an artifact that a controller makes in the cluster")
}

func (s *sourceRule) copy(o *Object, g artifactGenerator, operations []copyOperation) (*artifact, error) {
	copied := map[string]string{} // what stands in the artifact, and where it is in the checkout
	for _, operation := range operations {
		alias, from, found := strings.Cut(strings.TrimPrefix(operation.From, "@"), "/")
		if !found || len(operation.Exclude) > 0 || operation.Strategy != "" && operation.Strategy != "Overwrite" {
			return nil, fmt.Errorf("the copy from %s is not followed", operation.From)
		}
		source, err := s.aliased(o, g, alias)
		if err != nil {
			return nil, err
		}
		if err := operation.apply(source, from, copied); err != nil {
			return nil, err
		}
	}
	files := make([]string, 0, len(copied))
	for file := range copied {
		files = append(files, file)
	}
	slices.Sort(files)
	result := newArtifact(files, nil, nil)
	result.real = copied
	return result, nil
}

// aliased returns the files of a generator's source.
func (s *sourceRule) aliased(o *Object, g artifactGenerator, alias string) (*artifact, error) {
	for _, source := range g.Spec.Sources {
		if source.Alias != alias {
			continue
		}
		ref := SourceRef{Kind: source.Kind, ID: ID{source.Namespace, source.Name}}
		if ref.Namespace == "" {
			ref.Namespace = o.Namespace
		}
		if ref = s.decideRef(ref, "."); !ref.Available {
			return nil, fmt.Errorf("%s: %s", ref, ref.Why)
		}
		return s.checkout.artifact(s.ignored(ref)), nil
	}
	return nil, fmt.Errorf("no source has the alias %s", alias)
}

// apply follows folder/** and plain paths, which are copied as cp does it (fluxcd/source-watcher: applyCopyOperation).
func (c copyOperation) apply(source *artifact, from string, copied map[string]string) error {
	to, ok := strings.CutPrefix(c.To, "@artifact/")
	folder, isContents := strings.CutSuffix(from, "/**")
	if from == "**" {
		folder, isContents = ".", true
	}
	folder = path.Clean(folder)
	switch {
	case !ok || strings.ContainsAny(folder, "*?[]{}"):
		return fmt.Errorf("the copy from %s to %s is not followed", c.From, c.To)
	case source.isFile(folder) && !isContents:
		if to == "" || strings.HasSuffix(to, "/") {
			to = path.Join(to, path.Base(folder))
		}
		copied[path.Clean(to)] = folder
	case source.isDir(folder):
		if !isContents {
			to = path.Join(to, path.Base(folder))
		}
		copyFolder(source, folder, to, copied)
	case !c.Optional:
		return fmt.Errorf("the copy from %s finds nothing", c.From)
	}
	return nil
}

func copyFolder(source *artifact, folder, to string, copied map[string]string) {
	for _, file := range source.files {
		if within(file, folder) {
			copied[path.Join(to, below(file, folder))] = file
		}
	}
}
