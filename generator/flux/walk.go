package flux

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
)

// Options say what Read reads.
type Options struct {
	// Path is the entrypoint in the checkout, such as clusters/dev.
	Path string
	// Version is the version of Flux whose rules count, such as 2.9; empty for the newest.
	Version string
	// Progress is called before each build with what is built, when it is set.
	Progress func(id ID, path string)
}

// Read builds an environment: the entrypoint, and every Kustomization that comes out of a build. The error is for an
// entrypoint that does not exist, a version that nobody knows, or a context that ended.
func Read(ctx context.Context, c *Checkout, o Options) (*Environment, error) {
	rules, err := RulesOf(o.Version)
	if err != nil {
		return nil, err
	}
	entry := cleanPath(o.Path)
	if !c.IsDir(entry) {
		return nil, fmt.Errorf("read environment %s: no such folder in the checkout", o.Path)
	}
	w := &walk{
		env: &Environment{
			Checkout: c, Path: entry, Rules: rules,
			byID: map[ID]*Kustomization{}, byName: map[objectKey]*Object{},
		},
		builder: builder{checkout: c}, values: newValueSources(), progress: o.Progress, built: map[*Kustomization]*build{},
	}
	w.sources = &sourceRule{checkout: c, find: w.env.Object}
	if err := w.run(ctx); err != nil {
		return nil, err
	}
	return w.env, nil
}

// walk finds and builds Kustomizations until no new one comes out.
type walk struct {
	env      *Environment
	builder  builder
	values   *valueSources
	sources  *sourceRule
	progress func(ID, string)
	pending  []*Kustomization // in the order in which they were found
	built    map[*Kustomization]*build
}

func (w *walk) run(ctx context.Context) error {
	w.enter()
	for len(w.pending) > 0 {
		if err := w.finishReady(ctx); err != nil {
			return err
		}
	}
	w.env.complete(w.values, w.sources)
	return nil
}

// finishReady finishes one pending Kustomization: the first whose variables are known. When there is none, what they wait for
// will not come, and those go first that the fewest others can be waiting for.
func (w *walk) finishReady(ctx context.Context) error {
	next := 0
	for patience := range ways {
		i := slices.IndexFunc(w.pending, func(k *Kustomization) bool { return !w.waits(k, ways[patience]) })
		if i >= 0 {
			next = i
			break
		}
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("read environment %s: %w", w.env.Path, err)
	}
	k := w.pending[next]
	w.pending = slices.Delete(w.pending, next, next+1)
	w.finish(ctx, k)
	return nil
}

// ways are the references that a Kustomization waits for, most patient first. A Secret that nothing makes in plain text is
// usual, so it is given up first; then what is optional.
var ways = []func(kustomizev1.SubstituteReference) bool{
	func(kustomizev1.SubstituteReference) bool { return true },
	func(r kustomizev1.SubstituteReference) bool { return r.Kind != "Secret" },
	func(r kustomizev1.SubstituteReference) bool { return r.Kind != "Secret" && !r.Optional },
}

// waits says whether a substituteFrom object that counts has not been built yet.
func (w *walk) waits(k *Kustomization, counts func(kustomizev1.SubstituteReference) bool) bool {
	return k.Spec.PostBuild != nil && slices.ContainsFunc(k.Spec.PostBuild.SubstituteFrom, func(r kustomizev1.SubstituteReference) bool {
		return counts(r) && !w.values.known(k.Namespace, r)
	})
}

// discover takes in a Kustomization that a build declares.
func (w *walk) discover(o *Object) {
	k := decode(o)
	if known := w.env.byID[k.ID]; known != nil {
		known.Duplicates = append(known.Duplicates, o)
		return
	}
	w.env.byID[k.ID] = k
	w.env.Kustomizations = append(w.env.Kustomizations, k)
	w.pending = append(w.pending, k)
}

// cleanPath returns a folder of the checkout from a spec.path, as the controller joins it: .. does not lead out of the
// artifact (securejoin.SecureJoin).
func cleanPath(p string) string {
	return cmp.Or(strings.TrimPrefix(path.Join("/", p), "/"), ".")
}
