package check

import (
	"context"
	"fmt"
	"path"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/flux"
	"github.com/berth-dev/berth/generator/placement"
	"github.com/berth-dev/berth/generator/stream"
)

// Repository is a checkout with its environments built.
type Repository struct {
	*Setup
	Checkout *flux.Checkout
	// Environments are in the order of the setup.
	Environments []*Environment
	// Declared holds what Berth's own files say, for every environment.
	Declared *Declared

	broken []Finding // what cannot be read in files of Berth's
	own    *own

	mu        sync.Mutex
	documents map[string][]*yaml.Node // by file
}

// Environment is an entrypoint, built, with what holds for it.
type Environment struct {
	*flux.Environment
	v1alpha1.CheckedEnvironment
	// Declared holds what Berth's own files say about this environment.
	Declared *Declared

	graph    func() *flux.Graph
	applied  func() []Applied
	switched func() []Switched
	placed   func() *placement.Matrix
}

// Folder is the environment's folder, cleaned.
func (e *Environment) Folder() string { return e.Environment.Path }

// Graph returns the order in which the environment's Kustomizations reconcile.
func (e *Environment) Graph() *flux.Graph { return e.graph() }

// Progress is told what is built.
type Progress func(environment string, id flux.ID)

// Open builds every environment of a setup. The checkout must be closed when the repository is no longer needed. The error
// is for what makes a check impossible; a Kustomization that cannot be built is a finding.
func Open(ctx context.Context, s *Setup, progress Progress) (*Repository, error) {
	checkout, err := flux.Open(s.Dir)
	if err != nil {
		return nil, err
	}
	if s.After != nil {
		checkout.StandFor(s.After.Checkout)
	}
	s.choose(checkout)
	r := &Repository{Setup: s, Checkout: checkout, documents: map[string][]*yaml.Node{}}
	if err := r.read(ctx, progress); err != nil {
		_ = checkout.Close()
		return nil, err
	}
	return r, nil
}

func (r *Repository) read(ctx context.Context, progress Progress) error {
	berths, err := readOwn(r.Setup)
	if err != nil {
		return err
	}
	r.broken, r.own = berths.broken, berths
	r.Declared = berths.gather(berths.files)
	for _, named := range r.Check.Spec.Environments {
		options := flux.Options{Path: named.Path, Version: r.Check.Spec.FluxVersion}
		if progress != nil {
			options.Progress = func(id flux.ID, _ string) { progress(named.Name, id) }
		}
		built, err := flux.Read(ctx, r.Checkout, options)
		if err != nil {
			return fmt.Errorf("%s: %w", r.where(named.Name), err)
		}
		e := &Environment{Environment: built, CheckedEnvironment: named, Declared: berths.of(named, r.Check.Spec.Environments)}
		e.switched = sync.OnceValue(e.switchConsumers)
		e.graph, e.applied, e.placed = sync.OnceValue(built.Graph), sync.OnceValue(e.apply), sync.OnceValue(e.place)
		r.Environments = append(r.Environments, e)
	}
	return nil
}

// DeclaredIn returns what some of Berth's files say, with the evidence that their plugins name.
func (r *Repository) DeclaredIn(files []string) *Declared { return r.own.gather(files) }

// where says which environment of which file is meant.
func (r *Repository) where(name string) string {
	if r.File == "" {
		return "environment " + name
	}
	return r.File + ": environment " + name
}

func (e *Environment) copies() []*stream.Item {
	var all []*stream.Item
	for o := range e.Objects() {
		all = append(all, o.Copy())
	}
	return all
}

// isBelow says whether a file stands in a folder or below it.
func isBelow(file, dir string) bool {
	dir = path.Clean(dir)
	return dir == "." || file == dir || len(file) > len(dir) && file[:len(dir)+1] == dir+"/"
}
