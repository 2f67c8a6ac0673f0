package placementtest

import (
	"math/rand/v2"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Class is a group of pod specs in which one feature decides.
type Class struct {
	// Name says which feature, as a person would.
	Name string
	// Taints says that taints decide; otherwise every taint is tolerated.
	Taints bool
	// Always and Never say that there is only one answer.
	Always, Never bool
	// Rare says that what the class is about is seen on one node in many, so that it takes more workloads.
	Rare bool
	// Refused says that the API server takes no such pod.
	Refused bool

	make maker
}

type maker func(r *rand.Rand, nodes []*corev1.Node) corev1.PodSpec

// Spec makes a spec of the class for a cluster with some nodes, of which at least one has a NoExecute taint.
func (c Class) Spec(r *rand.Rand, nodes []*corev1.Node) corev1.PodSpec { return c.make(r, nodes) }

// Classes are all classes.
func Classes() []Class {
	return []Class{
		{Name: "no toleration", Taints: true, make: func(*rand.Rand, []*corev1.Node) corev1.PodSpec { return plain() }},
		{Name: "toleration: Equal", Taints: true, make: tolerating(equal, effects...)},
		{Name: "toleration: Equal, no value", Taints: true, make: tolerating(equalNothing, effects...)},
		{Name: "toleration: Equal, any effect", Taints: true, make: tolerating(equalAnyEffect, effects...)},
		{Name: "toleration: Exists", Taints: true, make: tolerating(exists, effects...)},
		{Name: "toleration: Exists, any effect", Taints: true, make: tolerating(existsAnyEffect, effects...)},
		{Name: "toleration: Exists, any key", Taints: true, make: tolerating(existsAnyKey, effects...)},
		{Name: "toleration: Exists, any key and effect", Always: true, make: placed(func(*rand.Rand, []string, *corev1.PodSpec) {})},
		{Name: "toleration: tolerationSeconds", Taints: true, Rare: true, make: tolerating(forSeconds, corev1.TaintEffectNoExecute)},
		{Name: "toleration: Gt and Lt", Refused: true, make: tolerating(compares, effects...)},
		{Name: "nodeSelector", make: placed(selects)},
		{Name: "affinity: In", make: placed(expresses(corev1.NodeSelectorOpIn))},
		{Name: "affinity: NotIn", make: placed(expresses(corev1.NodeSelectorOpNotIn))},
		{Name: "affinity: Exists", make: placed(expresses(corev1.NodeSelectorOpExists))},
		{Name: "affinity: DoesNotExist", make: placed(expresses(corev1.NodeSelectorOpDoesNotExist))},
		{Name: "affinity: Gt", Rare: true, make: placed(expresses(corev1.NodeSelectorOpGt))},
		{Name: "affinity: Lt", Rare: true, make: placed(expresses(corev1.NodeSelectorOpLt))},
		{Name: "affinity: matchFields", Rare: true, make: placed(names)},
		{Name: "affinity: several terms", make: placed(several)},
		{Name: "affinity: an empty term", Never: true, make: placed(nowhere)},
		{Name: "affinity: not valid", Refused: true, make: placed(wrongly)},
		{Name: "nodeName", make: placed(func(r *rand.Rand, names []string, s *corev1.PodSpec) { s.NodeName = pick(r, names) })},
		{Name: "extended resource", make: placed(requests(Resource, "1", "2000"))},
		{Name: "CPU", make: placed(requests(corev1.ResourceCPU, "1m", "20"))},
		{Name: "everything at once", Taints: true, make: func(r *rand.Rand, nodes []*corev1.Node) corev1.PodSpec { return PodSpec(r, namesOf(nodes)) }},
	}
}

// placed makes a pod that tolerates everything, so that what else it says decides.
func placed(say func(*rand.Rand, []string, *corev1.PodSpec)) maker {
	return func(r *rand.Rand, nodes []*corev1.Node) corev1.PodSpec {
		spec := plain()
		spec.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
		say(r, namesOf(nodes), &spec)
		return spec
	}
}

func namesOf(nodes []*corev1.Node) []string {
	all := make([]string, 0, len(nodes))
	for _, n := range nodes {
		all = append(all, n.Name)
	}
	return all
}

func selects(r *rand.Rand, _ []string, spec *corev1.PodSpec) {
	spec.NodeSelector = map[string]string{pick(r, labelKeys): pick(r, labelValues)}
}

func expresses(operator corev1.NodeSelectorOperator) func(*rand.Rand, []string, *corev1.PodSpec) {
	return func(r *rand.Rand, names []string, spec *corev1.PodSpec) {
		spec.Affinity = requires(corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{expression(r, operator, names)}})
	}
}

func names(r *rand.Rand, names []string, spec *corev1.PodSpec) {
	field := nameField(pick(r, operators[:2]), pick(r, names))
	spec.Affinity = requires(corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{field}})
}

func several(r *rand.Rand, names []string, spec *corev1.PodSpec) {
	var terms []corev1.NodeSelectorTerm
	for range 2 + r.IntN(2) {
		both := []corev1.NodeSelectorRequirement{expression(r, pick(r, operators), names), expression(r, pick(r, operators), names)}
		terms = append(terms, corev1.NodeSelectorTerm{MatchExpressions: both})
	}
	spec.Affinity = requires(terms...)
}

func nowhere(_ *rand.Rand, _ []string, spec *corev1.PodSpec) {
	spec.Affinity = requires(corev1.NodeSelectorTerm{})
}

// wrongly breaks one rule of the API's validation.
func wrongly(r *rand.Rand, names []string, spec *corev1.PodSpec) {
	e := expression(r, pick(r, operators), names)
	switch e.Operator {
	case corev1.NodeSelectorOpExists, corev1.NodeSelectorOpDoesNotExist:
		e.Values = []string{"x"}
	default:
		e.Values = nil
	}
	if r.IntN(3) == 0 {
		e.Operator, e.Values = "Equals", []string{"x"}
	}
	spec.Affinity = requires(corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{e}})
}

func requests(name corev1.ResourceName, amounts ...string) func(*rand.Rand, []string, *corev1.PodSpec) {
	return func(r *rand.Rand, _ []string, spec *corev1.PodSpec) {
		list := corev1.ResourceList{name: resource.MustParse(pick(r, amounts))}
		spec.Containers = []corev1.Container{requesting("main", list)}
	}
}
