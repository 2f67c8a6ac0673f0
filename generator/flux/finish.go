package flux

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/remote"
)

// build builds a Kustomization's folder, if it is here, and notes what is in the way.
func (w *walk) build(k *Kustomization) {
	if w.progress != nil {
		w.progress(k.ID, k.Path)
	}
	if k.artifact == nil {
		k.artifact, k.dir = w.env.Checkout.artifact(w.sources.ignored(k.Source)), k.Path
	}
	if !k.artifact.isDir(k.dir) {
		k.problem(PathNotFound, fmt.Sprintf("spec.path %s: no such folder in %s", k.Spec.Path, k.Source))
		return
	}
	built, err := w.builder.run(k.Spec, k.dir, k.artifact)
	if fetched := remote.As(err); fetched != nil {
		k.Problems = append(k.Problems, w.fileProblem(k, fetched))
		return
	}
	if err != nil {
		k.problem(BuildFailed, w.env.Checkout.Local(err.Error()))
		return
	}
	k.Built, k.Files = true, built.files
	for _, r := range built.remote {
		k.Problems = append(k.Problems, w.remoteProblem(r))
	}
	w.built[k] = built
}

// finish replaces a Kustomization's variables, takes its objects in, and finds the Kustomizations among them.
func (w *walk) finish(ctx context.Context, k *Kustomization) {
	if w.built[k] == nil && !k.IsEntry() && len(k.Problems) == 0 {
		w.fetch(k)
	}
	s := newSubstituter(k, w.values, w.env.Rules)
	for _, m := range k.Substitution.Missing {
		k.problem(SubstituteFromMissing, "spec.postBuild.substituteFrom: "+m.Reason)
	}
	built := w.built[k]
	if built == nil {
		return
	}
	delete(w.built, k)
	for i, r := range built.resources.Resources() {
		o := newObject(k, w.env.Checkout, &r.RNode, built.origins[i])
		k.Problems = append(k.Problems, s.apply(ctx, o, r)...)
		setCommonMetadata(k, o)
		o.identify()
		k.Objects = append(k.Objects, o)
		w.take(o)
	}
}

// fetch decides where a Kustomization's folder is, and builds it if it is here.
func (w *walk) fetch(k *Kustomization) {
	source, files := w.sources.decide(k)
	k.Source = source
	if !source.Available {
		k.problem(SourceNotAvailable, fmt.Sprintf("%s: %s", source, source.Why))
		return
	}
	k.artifact, k.dir = files, k.Path
	if folder, ok := files.folder(k.dir); ok {
		k.Path = folder
	}
	w.build(k)
}

// take makes an object known to the rest of the environment.
func (w *walk) take(o *Object) {
	w.values.add(o)
	if o.Group() == "source.extensions.fluxcd.io" && o.Kind == "ArtifactGenerator" {
		w.sources.generators = append(w.sources.generators, o)
	}
	key := objectKey{o.Group(), o.Kind, o.Namespace, o.Name}
	if w.env.byName[key] == nil {
		w.env.byName[key] = o
	}
	if isKustomization(o) && (o.Kustomization.Object == nil || ID{o.Namespace, o.Name} != o.Kustomization.ID) {
		w.discover(o)
	}
}

// setCommonMetadata puts spec.commonMetadata on an object, replacing what stands there. The controller does it after the
// substitution (fluxcd/pkg/ssa/utils.SetCommonMetadata).
func setCommonMetadata(k *Kustomization, o *Object) {
	if k.Spec.CommonMetadata == nil {
		return
	}
	set := func(field string, values map[string]string) {
		for _, key := range slices.Sorted(maps.Keys(values)) {
			node := yaml.NewStringRNode(values[key])
			_ = o.node.PipeE(yaml.LookupCreate(yaml.MappingNode, "metadata", field), yaml.SetField(key, node))
		}
	}
	set("labels", k.Spec.CommonMetadata.Labels)
	set("annotations", k.Spec.CommonMetadata.Annotations)
}
