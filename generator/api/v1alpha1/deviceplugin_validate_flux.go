package v1alpha1

import (
	"path"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/berth-dev/berth/generator/api/strict"
)

func (v *pluginValidator) flux() {
	f := v.plugin.Spec.Flux
	if f == nil {
		return
	}
	if v.origin.Has("spec.flux.name") && v.resolved("spec.flux.name", f.Name) { // the default follows from the name
		v.check("spec.flux.name", "the name", f.Name, validation.IsDNS1123Subdomain(f.Name))
	}
	v.check("spec.flux.namespace", "the namespace", f.Namespace, validation.IsDNS1123Label(f.Namespace))
	v.fluxFile("spec.flux.file", f.File)
	if v.fluxPath(f.Path) && strings.HasPrefix(path.Clean(f.File), path.Clean(f.Path)+"/") {
		v.fail("spec.flux.file", "%q is inside spec.flux.path: the Kustomization would apply itself, so write it where the cluster's entrypoint is", f.File)
	}
	v.dependsOn(f)
	v.durations(f)
	v.oneOf("spec.flux.sourceRef.kind", f.SourceRef.Kind, "GitRepository", "OCIRepository", "Bucket")
	v.check("spec.flux.sourceRef.name", "the name", f.SourceRef.Name, validation.IsDNS1123Subdomain(f.SourceRef.Name))
	v.unique("spec.flux.substituteFrom", f.SubstituteFrom)
	for i, name := range f.SubstituteFrom {
		v.check(strict.Item("spec.flux.substituteFrom", i), "the ConfigMap's name", name, validation.IsDNS1123Subdomain(name))
	}
}

// fluxFile checks where the object itself is written.
func (v *pluginValidator) fluxFile(at, file string) {
	v.relativeFile(at, file)
	base := strings.TrimSuffix(strings.TrimSuffix(path.Base(file), ".yaml"), ".yml")
	switch {
	case strings.HasPrefix(path.Clean(file), ".."):
		v.fail(at, "%q leads out of the repository: write it from the repository's root", file)
	case base == "kustomization":
		v.fail(at, "%q is where kustomize looks for its own file: give the Flux Kustomization another name", file)
	}
}

func (v *pluginValidator) fluxPath(p string) bool {
	const at = "spec.flux.path"
	before := len(v.problems)
	inside := strings.TrimPrefix(p, "./")
	switch {
	case !v.resolved(at, p):
	case !strings.HasPrefix(p, "./"):
		v.fail(at, "%q: write it from the repository's root, beginning with ./, as Flux does", p)
	case inside == "" || path.Clean(inside) != strings.TrimSuffix(inside, "/") || strings.HasPrefix(inside, ".."):
		v.fail(at, "%q: write a folder of its own inside the repository, without . and ..", p)
	case inside == "consumers" || strings.HasPrefix(inside, "consumers/"):
		v.fail(at, "%q: the folder consumers is for the consumers' patches, which another Kustomization applies: write another one", p)
	}
	return len(v.problems) == before
}

func (v *pluginValidator) dependsOn(f *FluxKustomization) {
	v.unique("spec.flux.dependsOn", f.DependsOn)
	for i, name := range f.DependsOn {
		at := strict.Item("spec.flux.dependsOn", i)
		namespace, short, found := strings.Cut(name, "/")
		if !found {
			namespace, short = f.Namespace, name
		}
		if namespace == f.Namespace && short == f.Name {
			v.fail(at, "%s depends on itself: it would wait for ever", name)
			continue
		}
		v.check(at, "the namespace", namespace, validation.IsDNS1123Label(namespace))
		v.check(at, "the name", short, validation.IsDNS1123Subdomain(short))
	}
}

func (v *pluginValidator) durations(f *FluxKustomization) {
	interval, ok := v.duration("spec.flux.interval", f.Interval)
	v.duration("spec.flux.retryInterval", f.RetryInterval)
	timeout, ok2 := v.duration("spec.flux.timeout", f.Timeout)
	if ok && ok2 && timeout >= interval {
		v.fail("spec.flux.timeout", "%s is not shorter than the interval of %s: a rollout that hangs would be waited for all the time, and its failure hardly seen", f.Timeout, f.Interval)
	}
}

// duration checks a duration as Flux writes it, when there is one.
func (v *pluginValidator) duration(at, text string) (time.Duration, bool) {
	if text == "" {
		return 0, false
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 || strings.HasPrefix(text, "+") {
		v.fail(at, "%q is no duration: write one such as 30s, 5m or 1h", text)
		return 0, false
	}
	return d, true
}
