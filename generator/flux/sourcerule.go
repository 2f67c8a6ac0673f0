package flux

import (
	"fmt"
	"slices"

	"github.com/berth-dev/berth/generator/tree"
)

// sourceRule decides which sources stand for the checkout itself. Nothing in a repository says so for certain, so the
// reasons are tried from the surest to the guess.
type sourceRule struct {
	checkout *Checkout
	find     func(group, kind, namespace, name string) *Object
	// own is the source of the entrypoint's own Kustomization; its zero value when none is declared.
	own SourceRef
	// common is the source that all Kustomizations of the entrypoint use, when nothing better is known.
	common SourceRef
	// generators are the ArtifactGenerators that were found.
	generators []*Object
}

// enter takes in what the entrypoint declares.
func (s *sourceRule) enter(entry *Kustomization, declared []*Kustomization) {
	if entry.Object != nil {
		s.own = entry.Source
		return
	}
	for i, k := range declared {
		ref := refOf(k.Spec, k.Namespace)
		if ref.Name == conventional || i > 0 && !ref.same(s.common) || ref.Kind != "GitRepository" {
			s.common = SourceRef{}
			return
		}
		s.common = ref
	}
}

// conventional is the name that `flux bootstrap` and flux-operator give to the source of the repository itself.
const conventional = "flux-system"

// decide returns a Kustomization's source, why it is, or is not, the checkout, and the files that it has.
func (s *sourceRule) decide(k *Kustomization) (SourceRef, *artifact) {
	ref := refOf(k.Spec, k.Namespace)
	if ref.Kind != "ExternalArtifact" {
		ref = s.decideRef(ref, k.Path)
		return ref, s.checkout.artifact(s.ignored(ref))
	}
	made, err := s.generated(ref)
	if err != nil {
		ref.Why = err.Error()
		return ref, nil
	}
	ref.Available, ref.Why = true, "an ArtifactGenerator makes it from this checkout"
	return ref, made
}

func (s *sourceRule) decideRef(ref SourceRef, path string) SourceRef {
	object := s.object(ref)
	ref.Available, ref.Why = true, ""
	switch {
	case s.own.Name != "" && ref.same(s.own):
		ref.Why = "the entrypoint's own source"
	case ref.Name == conventional && slices.Contains([]string{"GitRepository", "OCIRepository", "Bucket"}, ref.Kind):
		ref.Why = "flux-system stands for this repository by convention"
	case object != nil && sameRepository(urlOf(object), s.checkout.originURL()):
		ref.Why = "its URL is that of the checkout's remote origin"
	case s.common.Name != "" && ref.same(s.common) && s.checkout.IsDir(path):
		ref.Why = "all Kustomizations of the entrypoint use it"
	default:
		ref.Available, ref.Why = false, s.elsewhere(ref, object)
	}
	return ref
}

// elsewhere says where a source that is not the checkout is.
func (s *sourceRule) elsewhere(ref SourceRef, object *Object) string {
	if object == nil {
		return "declared nowhere in this environment"
	}
	what := map[string]string{"GitRepository": "another repository", "OCIRepository": "an OCI artifact", "Bucket": "a bucket"}[ref.Kind]
	if what == "" {
		return "not in this checkout"
	}
	return fmt.Sprintf("%s, %s", what, urlOf(object))
}

// ignored returns the spec.ignore of a Kustomization's source.
func (s *sourceRule) ignored(ref SourceRef) string {
	o := s.object(ref)
	if o == nil {
		return ""
	}
	if ignore := tree.Lookup(o.Node(), "spec", "ignore"); ignore != nil {
		return ignore.Value
	}
	return ""
}

func (s *sourceRule) object(ref SourceRef) *Object {
	return s.find(sourceGroup, ref.Kind, ref.Namespace, ref.Name)
}

const sourceGroup = "source.toolkit.fluxcd.io"

func urlOf(o *Object) string {
	for _, field := range []string{"url", "endpoint"} {
		if at := tree.Lookup(o.Node(), "spec", field); at != nil {
			return at.Value
		}
	}
	return ""
}
