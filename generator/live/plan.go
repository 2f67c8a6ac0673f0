package live

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
)

// KindPlan is the kind of what `berth apply -o json` prints.
const KindPlan = "ApplyPlan"

// StepKind is what a step does.
type StepKind string

// The kinds of steps.
const (
	// Tolerate changes nothing: it is the condition for the steps after it. Nodes that only lose something come before.
	Tolerate     StepKind = "tolerate"
	SetNode      StepKind = "node"
	UncordonNode StepKind = "uncordon"
	Verify       StepKind = "verify"
)

// PlanOptions are what a plan may do.
type PlanOptions struct {
	// Uncordon lets nodes that the intents taint take pods again, once they are tainted.
	Uncordon bool
	// Remove takes off everything that Berth put on the nodes for the intents.
	Remove bool
	// Release names intents that are no more, which everything that Berth put on the nodes for is taken off of.
	Release []string
	// Accept lists the codes of what is not safe and wanted all the same, such as pinned-volume.
	Accept []string
}

// Plan is the way from the cluster as it was read to what the intents want.
type Plan struct {
	APIVersion string   `json:"apiVersion"`
	Kind       string   `json:"kind"`
	Server     string   `json:"server"`
	Intents    []string `json:"intents"`
	// Releases are intents that are no more.
	Releases []string `json:"releases,omitempty"`
	// Steps are taken in order; the first that is not safe ends the run.
	Steps []Step `json:"steps"`
	// Notes are worth knowing before the plan is carried out.
	Notes []finding.Finding `json:"notes,omitempty"`

	wants map[string]*want
}

// Step is one step of a plan.
type Step struct {
	Kind StepKind `json:"kind"`
	// Node is the node that changes.
	Node string `json:"node,omitempty"`
	// About is what a step without a node looks at.
	About string `json:"about,omitempty"`
	// Tolerates are the taints that the workload of a step without a node has to tolerate.
	Tolerates []string `json:"tolerates,omitempty"`
	// Deltas are what changes on the node.
	Deltas []Delta `json:"deltas,omitempty"`
	// Evicts lists the pods that a NoExecute taint of this step evicts.
	Evicts []Eviction `json:"evicts,omitempty"`
	// Blockers say what has to be done before the step is safe.
	Blockers []finding.Finding `json:"blockers,omitempty"`
}

// NewPlan decides on the steps. Where nothing has to change, the plan has none.
func NewPlan(s *Snapshot, intents []*v1alpha1.TaintIntent, options PlanOptions) (*Plan, error) {
	p := &planner{view: newView(s, intents), options: options, plan: &Plan{APIVersion: GroupVersion, Kind: KindPlan, Server: s.Server, Intents: []string{}, Steps: []Step{}}}
	for _, intent := range intents {
		p.plan.Intents = append(p.plan.Intents, intent.Metadata.Name)
	}
	for name, w := range p.wants {
		if options.Remove {
			w = w.nothing()
		}
		w.run = slices.Concat(w.run, options.Release)
		p.wants[name] = w
	}
	p.plan.wants = p.wants
	p.plan.Releases = options.Release
	p.noteReleases()
	changed, err := p.nodeSteps()
	if err != nil {
		return nil, err
	}
	taking := slices.IndexFunc(changed, func(s Step) bool { return order(s) > 0 })
	if taking < 0 {
		taking = len(changed)
	}
	steps := slices.Concat(changed[:taking], p.tolerateSteps(changed), changed[taking:])
	if options.Uncordon {
		steps = append(steps, p.uncordonSteps()...)
	}
	if slices.ContainsFunc(steps, func(s Step) bool { return s.Kind != Tolerate }) {
		steps = append(steps, Step{Kind: Verify, About: "every node that changed"})
		p.plan.Steps = steps
	}
	return p.plan, nil
}

// Empty says that there is nothing to do.
func (p *Plan) Empty() bool { return len(p.Steps) == 0 }

// Blocked returns the first step that is not safe, or nil.
func (p *Plan) Blocked() *Step {
	for i := range p.Steps {
		if len(p.Steps[i].Blockers) > 0 {
			return &p.Steps[i]
		}
	}
	return nil
}

// WaitsFor returns what the first step that is not safe waits for, when that may come about by itself: a rollout. It is
// nil when the plan can begin, and when somebody has to do something first.
func (p *Plan) WaitsFor() *finding.Finding {
	step := p.Blocked()
	if step == nil || step.Kind != Tolerate {
		return nil
	}
	return &step.Blockers[0]
}

type planner struct {
	*view
	options PlanOptions
	plan    *Plan
}

// nodeSteps returns a step for each node that changes. Nodes that lose something come first: that needs no toleration.
func (p *planner) nodeSteps() ([]Step, error) {
	var steps []Step
	for _, name := range p.names() {
		node := p.node(name)
		if node == nil {
			p.note("node-missing", nodeObject(name), "is in the intent and not in the cluster: it gets its taints when it registers, if its drop-in is deployed")
			continue
		}
		object, err := runtime.DefaultUnstructuredConverter.ToUnstructured(node)
		if err != nil {
			return nil, fmt.Errorf("node %s: %w", name, err)
		}
		out, err := merge(&unstructured.Unstructured{Object: object}, p.wants[name])
		switch {
		case err != nil && (p.wants[name].known() || len(p.options.Release) > 0):
			steps = append(steps, unreadableStep(name, err))
		case err == nil && out.patch != nil:
			steps = append(steps, p.nodeStep(node, out.deltas))
		}
	}
	p.block(steps)
	slices.SortStableFunc(steps, func(a, b Step) int { return order(a) - order(b) })
	return steps, nil
}

// order puts a node that cannot be changed last, so that it stops no other.
func order(s Step) int {
	switch {
	case len(s.Deltas) == 0:
		return 2
	case len(added(s.Deltas)) > 0:
		return 1
	}
	return 0
}

// unreadableStep is for a node of which nobody can tell what is whose.
func unreadableStep(name string, err error) Step {
	return Step{Kind: SetNode, Node: name, Blockers: []finding.Finding{{Code: "ownership-unreadable", Severity: finding.Error, Object: nodeObject(name), Message: err.Error()}}}
}

func (p *planner) nodeStep(node *corev1.Node, deltas []Delta) Step {
	return Step{Kind: SetNode, Node: node.Name, Deltas: deltas, Evicts: p.evictions(node.Name, added(deltas))}
}

// added returns the taints that a step puts on, or changes the value of.
func added(deltas []Delta) []v1alpha1.Taint {
	var all []v1alpha1.Taint
	for _, d := range deltas {
		if d.Taint == "" || d.Operation != Add && d.Operation != Change {
			continue
		}
		if t, err := v1alpha1.ParseTaint(d.Taint); err == nil {
			all = append(all, t)
		}
	}
	return all
}

func (p *planner) note(code string, about *finding.Object, message string) {
	p.plan.Notes = append(p.plan.Notes, finding.Finding{Code: code, Severity: finding.Info, Object: about, Message: message})
}

// accepts says whether the caller wants what is not safe.
func (p *planner) accepts(code string) bool { return slices.Contains(p.options.Accept, code) }
