package live

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/api/strict"
	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
)

// grant is an entry of an allowlist and what it means in the cluster.
type grant struct {
	*view
	intent string
	entry  v1alpha1.Allow
	source finding.Source
	taints []v1alpha1.Taint
	// self are the workloads that the entry names.
	self []*Workload
	// below are those that belong to what it names: the children of an operator's object or of a HelmRelease.
	below []*Workload
}

// grants returns every entry of every allowlist.
func (v *view) grants() []grant {
	var all []grant
	for _, intent := range v.intents {
		for i, entry := range intent.Spec.Allow {
			at := intent.Position(strict.Item("spec.allow", i))
			g := grant{view: v, intent: intent.Metadata.Name, entry: entry, taints: intent.TaintsByName(entry.Tolerate),
				source: finding.Source{File: at.File, Line: at.Line}}
			g.self, g.below = v.matching(entry.Workload)
			all = append(all, g)
		}
	}
	return all
}

// matching returns the workloads that an entry names, and those that belong to what it names.
func (v *view) matching(w v1alpha1.Workload) (self, below []*Workload) {
	for i := range v.Workloads {
		workload := &v.Workloads[i]
		for n, identity := range v.identities(workload) {
			if !identity.is(w) {
				continue
			}
			if n == 0 {
				self = append(self, workload)
			} else if v.top(workload.Namespace, workload.Owners) == nil { // not again as a ReplicaSet or a Job
				below = append(below, workload)
			}
			break
		}
	}
	return self, below
}

// missing says which workloads lack the toleration of a taint that the filter lets through.
func (g *grant) missing(of func(v1alpha1.Taint) bool) []finding.Finding {
	var found []finding.Finding
	for _, t := range g.taints {
		if !of(t) {
			continue
		}
		for _, w := range g.self {
			if !tolerates(w.Template.Tolerations, t) {
				found = append(found, g.fault(&w.Object, "toleration-missing", fmt.Sprintf("does not tolerate %s in the cluster", t),
					"deploy what berth generate wrote, and wait for its rollout"))
			}
		}
		owing := g.owing(t)
		for _, w := range owing {
			found = append(found, g.fault(&w.Object, "toleration-missing", fmt.Sprintf("belongs to %s, which is allowed, and does not tolerate %s in the cluster", g.entry.Workload, t),
				"deploy what berth generate wrote, and check that the chart or the operator hands the tolerations on; a workload that is not to run there gets a deny entry"))
		}
		if len(owing) == 0 && len(g.below) > 0 && !slices.ContainsFunc(g.below, func(w *Workload) bool { return tolerates(w.Template.Tolerations, t) }) {
			found = append(found, g.fault(nil, "toleration-missing", fmt.Sprintf("%s: none of its workloads tolerates %s in the cluster: %s", g.entry.Workload, t, named(g.below)),
				"deploy what berth generate wrote, and check that the chart or the operator hands the tolerations on"))
		}
	}
	return found
}

// behind says which rollouts are not through: pods of the older template do not have the toleration.
func (g *grant) behind(of func(v1alpha1.Taint) bool) []finding.Finding {
	if !slices.ContainsFunc(g.taints, of) {
		return nil
	}
	var found []finding.Finding
	for _, w := range slices.Concat(g.self, g.below) {
		if w.Behind != "" {
			found = append(found, g.fault(&w.Object, "rollout-incomplete", w.Behind, "wait for the rollout: kubectl rollout status"))
		}
	}
	return found
}

// absent says that the entry names nothing that the cluster has.
func (g *grant) absent() bool { return len(g.self)+len(g.below) == 0 }

func (g *grant) fault(about *finding.Object, code, message, action string) finding.Finding {
	return finding.Finding{Code: code, Severity: finding.Error, Object: about, Source: g.source, Message: message, Action: action}
}

func named(all []*Workload) string {
	names := make([]string, len(all))
	for i, w := range all {
		names[i] = w.String()
	}
	return strings.Join(names, ", ")
}
