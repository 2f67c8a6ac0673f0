package flux

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fluxcd/pkg/kustomize"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/kustomize/api/resource"

	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
)

// substituter replaces the variables in one Kustomization's objects.
type substituter struct {
	rules  Rules
	result *Substitution
	values map[string]string
}

// newSubstituter collects the values that the substitution uses: those of substituteFrom in their order, a later one
// replacing an earlier one, and above them the inline ones. Line breaks are cut out of values
// (fluxcd/pkg/kustomize.LoadVariables and SubstituteVariables).
func newSubstituter(k *Kustomization, values *valueSources, rules Rules) *substituter {
	s := &substituter{rules: rules, result: &k.Substitution, values: map[string]string{}}
	post := k.Spec.PostBuild
	k.Substitution = Substitution{Declared: post != nil, Strict: rules.Strict, Variables: map[string]Variable{}}
	if post == nil {
		return s
	}
	for _, ref := range post.SubstituteFrom {
		s.load(values.find(k.Namespace, ref), ref)
	}
	for name, value := range post.Substitute {
		s.set(name, Variable{Value: value})
	}
	always := rules.Strategy && post.SubstituteStrategy == kustomizev1.SubstituteStrategyAlways
	k.Substitution.Active = len(s.values) > 0 || always || len(k.Substitution.Unseen) > 0
	return s
}

func (s *substituter) load(found lookup, ref kustomizev1.SubstituteReference) {
	reference := Reference{Kind: ref.Kind, Name: ref.Name, Optional: ref.Optional, Reason: found.reason}
	switch found.state {
	case seen:
		reference.Reason = ""
		for name, value := range found.data {
			s.set(name, Variable{Value: value, From: reference, Object: found.object})
		}
	case unseen:
		s.result.Unseen = append(s.result.Unseen, reference)
	case absent:
		if !ref.Optional {
			s.result.Missing = append(s.result.Missing, reference)
		}
	}
}

func (s *substituter) set(name string, v Variable) {
	v.Value = strings.ReplaceAll(v.Value, "\n", "")
	s.result.Variables[name] = v
	s.values[name] = v.Value
}

// apply replaces the variables of one object. What cannot be replaced stays as it is.
func (s *substituter) apply(ctx context.Context, o *Object, r *resource.Resource) []Problem {
	if !hasDollar(o.Node()) {
		return nil // the replacement would give the same object, at a good part of the cost of a build
	}
	text, err := r.AsYAML()
	if err != nil {
		return []Problem{{Reason: SubstitutionFailed, Message: err.Error(), Source: o.Source(), Object: o}}
	}
	o.Uses = usesOf(string(text))
	if len(o.Uses) > 0 {
		o.Template = string(text)
	}
	if !s.result.Active || o.SubstitutionDisabled {
		return nil
	}
	values, undefined := s.valuesFor(o)
	if err := substitute(ctx, r, values, s.rules.Strict); err != nil {
		problem := Problem{Reason: SubstitutionFailed, Message: err.Error(), Source: o.Source(), Object: o}
		return []Problem{problem}
	}
	if len(undefined) == 0 {
		return nil
	}
	return []Problem{{
		Reason: VariableUndefined, Source: o.Source(), Object: o,
		Message: fmt.Sprintf("%s: no value and no default for %s", o.Object, variables(undefined)),
	}}
}

// valuesFor returns the values for an object. A variable that has none keeps its place as ${NAME}, so that the rest of the
// object can be seen, unless the rules make it the empty string.
func (s *substituter) valuesFor(o *Object) (values map[string]string, undefined []string) {
	values = s.values
	kept := map[string]string{}
	for i := range o.Uses {
		use := &o.Uses[i]
		if _, use.Defined = s.values[use.Name]; use.Defined {
			continue
		}
		use.Unseen = len(s.result.Unseen) > 0
		switch {
		case use.Defaulted:
		case use.Unseen:
			kept[use.Name] = "${" + use.Name + "}"
		case s.rules.Strict:
			kept[use.Name] = "${" + use.Name + "}"
			undefined = append(undefined, use.Name)
		}
	}
	if len(kept) > 0 {
		values = maps.Clone(s.values)
		maps.Copy(values, kept)
	}
	return values, undefined
}

// substitute is the controller's own replacement. The values were collected before, so no cluster is asked; whether there
// is anything to replace was decided before, too.
func substitute(ctx context.Context, r *resource.Resource, values map[string]string, strict bool) error {
	inline := make(map[string]any, len(values))
	for name, value := range values {
		inline[name] = value
	}
	object := map[string]any{"spec": map[string]any{"postBuild": map[string]any{"substitute": inline}}}
	_, err := kustomize.SubstituteVariables(ctx, nil, unstructured.Unstructured{Object: object}, r,
		kustomize.SubstituteWithDryRun(true), kustomize.SubstituteWithStrict(strict), kustomize.SubstituteWithAlways(true))
	return err
}

func variables(names []string) string {
	braced := make([]string, len(names))
	for i, name := range slices.Sorted(slices.Values(names)) {
		braced[i] = "${" + name + "}"
	}
	return strings.Join(braced, ", ")
}
