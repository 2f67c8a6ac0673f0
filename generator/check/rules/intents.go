package rules

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/flux"
	"github.com/berth-dev/berth/generator/toleration"
	"github.com/berth-dev/berth/generator/tree"
)

// tolerationList is a list of tolerations somewhere in an object: in a pod template, in a custom resource, or in the values
// of a HelmRelease.
type tolerationList struct {
	object  *flux.Object
	path    tree.Path
	node    *yaml.Node
	entries []toleration.Entry
	fault   *toleration.Fault
}

// eachTolerations goes through every list of tolerations of an environment, those of policies excepted, which give
// tolerations to others.
func eachTolerations(p *check.Pass, found func(tolerationList)) {
	for o := range p.Objects() {
		if isCRD(o) || isPolicy(o) || is(o, "node.k8s.io", "RuntimeClass") || o.Group() == "berth.dev" {
			continue
		}
		walk(o.Node(), func(path tree.Path, node *yaml.Node) {
			if node.Kind != yaml.SequenceNode || !isTolerations(path) || len(node.Content) == 0 {
				return
			}
			list := tolerationList{object: o, path: clone(path), node: node}
			var err error
			if list.entries, err = toleration.ReadList(node); err != nil {
				list.fault, _ = err.(*toleration.Fault) //nolint:errorlint // ReadList says what it returns
			}
			if is(o, "helm.toolkit.fluxcd.io", "HelmRelease") && slices.ContainsFunc(node.Content, func(n *yaml.Node) bool { return tree.Resolve(n).Kind != yaml.MappingNode }) {
				return // a chart's own notation
			}
			found(list)
		})
	}
}

// isPolicy says whether an object changes or judges other objects at admission.
func isPolicy(o *flux.Object) bool {
	group := o.Group()
	return group == "kyverno.io" || group == "policies.kyverno.io" || strings.HasSuffix(group, ".gatekeeper.sh") ||
		group == "admissionregistration.k8s.io"
}

// allowed says whether an entry of the allowlist names a taint for an object.
func allowed(intent *v1alpha1.TaintIntent, o *flux.Object, taint v1alpha1.Taint) bool {
	return slices.ContainsFunc(intent.Spec.Allow, func(a v1alpha1.Allow) bool {
		return selectsObject(a.Workload, o) && slices.Contains(intent.TaintsByName(a.Tolerate), taint)
	})
}

// denied says whether an object is on the list of those that stay away, which an affinity then keeps.
func denied(intent *v1alpha1.TaintIntent, o *flux.Object) bool {
	return slices.ContainsFunc(intent.Spec.Deny, func(d v1alpha1.Deny) bool { return selectsObject(d.Workload, o) })
}

func selectsObject(w v1alpha1.Workload, o *flux.Object) bool {
	return w.Matches(o.APIVersion, o.Kind, o.Namespace, o.Name, labelsOf(o))
}

func labelsOf(o *flux.Object) map[string]string {
	all := map[string]string{}
	mapping := tree.Lookup(o.Node(), "metadata", "labels")
	for _, key := range keys(mapping) {
		all[key] = text(mapping, key)
	}
	return all
}

// eachApplied goes through what the intents' entries did to copies of the objects, by the code of what was found.
func eachApplied(p *check.Pass, codes []string, found func(*v1alpha1.TaintIntent, finding.Finding)) {
	for _, applied := range p.Applied() {
		if applied.Err != nil {
			continue
		}
		for _, f := range applied.Outcome.Findings {
			if slices.Contains(codes, f.Code) {
				found(applied.Intent, f)
			}
		}
	}
}

// onObject makes a finding at the place of another one in the objects of the environment.
func onObject(p *check.Pass, f finding.Finding, message, action string) check.Finding {
	if f.Object == nil {
		one := check.At(f.Source, message, action)
		one.Field = f.Field
		return one
	}
	o := p.Object(groupOf(f.Object.APIVersion), f.Object.Kind, f.Object.Namespace, f.Object.Name)
	if o == nil {
		one := check.At(f.Source, message, action)
		one.Object, one.Field = f.Object, f.Field
		return one
	}
	path, err := tree.Parse(f.Field)
	if err != nil || f.Field == "" {
		path = nil
	}
	return check.On(o, path, message, action)
}

func groupOf(apiVersion string) string {
	group, _, ok := strings.Cut(apiVersion, "/")
	if !ok {
		return ""
	}
	return group
}

// atIntent makes a finding at a field of an intent.
func atIntent(intent *v1alpha1.TaintIntent, field, message, action string) check.Finding {
	position := intent.Position(field)
	f := check.At(finding.Source{File: position.File, Line: position.Line}, message, action)
	f.Field = field
	return f
}

// hasHome says whether one of the intent's nodes has no taint that keeps pods away.
func hasHome(intent *v1alpha1.TaintIntent) bool {
	return slices.ContainsFunc(intent.NodeNames(), func(node string) bool { return len(blocking(intent.NodeTaints(node))) == 0 })
}
