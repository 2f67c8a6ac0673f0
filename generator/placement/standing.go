package placement

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/tree"
)

const explainLater = "write it out, or explain what the substitution leaves"

// remember keeps what holds on every node: fields that are open, and what others than the default scheduler decide.
func (p *pod) remember(d decoded, s source) {
	for _, path := range d.open {
		p.openField(path)
	}
	p.rememberMaker(s)
	if d.SchedulerName != "" && d.SchedulerName != corev1.DefaultSchedulerName {
		p.standing = append(p.standing, Reason{Code: CodeScheduler, Bearing: Notes,
			Message: fmt.Sprintf("the scheduler %s places it: the rules here are those of the default scheduler", d.SchedulerName)})
	}
	if others := otherPods(d.PodSpec); others != "" {
		p.standing = append(p.standing, Reason{Code: CodeOtherPods, Bearing: Notes,
			Message: others + " may keep it away too: which other pods are where is not looked at"})
	}
	if len(d.SchedulingGates) > 0 {
		p.standing = append(p.standing, Reason{Code: CodeGated, Bearing: Notes, Message: "its pods wait for their scheduling gates to be removed"})
	}
}

// otherPods names what makes a pod's place depend on other pods; empty when nothing does.
func otherPods(spec corev1.PodSpec) string {
	var parts []string
	if a := spec.Affinity; a != nil && a.PodAffinity != nil {
		parts = append(parts, "podAffinity")
	}
	if a := spec.Affinity; a != nil && a.PodAntiAffinity != nil {
		parts = append(parts, "podAntiAffinity")
	}
	if slices.ContainsFunc(spec.TopologySpreadConstraints, func(c corev1.TopologySpreadConstraint) bool {
		return c.WhenUnsatisfiable == corev1.DoNotSchedule
	}) {
		parts = append(parts, "topologySpreadConstraints")
	}
	return strings.Join(parts, " and ")
}

// openField makes room for what a field may turn out to say.
func (p *pod) openField(path string) {
	switch {
	case path == "tolerations":
		p.tolerations = append(p.tolerations, toleration{open: true})
	case strings.HasPrefix(path, "tolerations.tolerationSeconds"):
		for i := range p.tolerations {
			if t := &p.tolerations[i]; t.Effect == corev1.TaintEffectNoExecute && t.TolerationSeconds == nil {
				t.secondsOpen = true
			}
		}
	case strings.HasPrefix(path, "tolerations"):
		p.tolerations = append(p.tolerations, toleration{open: true})
	case path == "hostNetwork":
		// only decides about one condition of nodes
	case strings.HasPrefix(path, "resources.") && !extended(resourceOf(path)):
		// how much CPU or memory it takes does not decide where it may run
	default:
		p.standing = append(p.standing, Reason{Code: CodeUnresolved, Bearing: Open,
			Message: path + " holds a ${...}, which is replaced later", Action: explainLater})
	}
}

// resourceOf returns the resource's name of resources.requests.NAME.
func resourceOf(path string) corev1.ResourceName {
	parts := strings.SplitN(path, ".", 3)
	return corev1.ResourceName(parts[len(parts)-1])
}

// rememberMaker says what is left open by not seeing the pods themselves.
func (p *pod) rememberMaker(s source) {
	if s.hidden && tree.Lookup(s.fields, "tolerations") == nil {
		p.tolerations = append(p.tolerations, toleration{open: true, origin: s.hiddenList()})
	}
	message, action := s.note()
	whole := tree.Lookup(s.fields, "nodeSelector") != nil && tree.Lookup(s.fields, "affinity") != nil
	if message != "" && !whole {
		p.standing = append(p.standing, Reason{Code: CodeUnseen, Bearing: Notes, Message: message, Action: action})
	}
}

// runtimeClass is the part of a RuntimeClass that is added to the pods that use it.
type runtimeClass struct {
	name        string
	selector    map[string]string
	tolerations []corev1.Toleration
	overhead    corev1.ResourceList
}

func readRuntimeClasses(objects []*object) (map[string]runtimeClass, error) {
	classes := map[string]runtimeClass{}
	for _, o := range objects {
		if o.Kind != "RuntimeClass" || !strings.HasPrefix(o.APIVersion, "node.k8s.io/") {
			continue
		}
		var scheduling struct {
			NodeSelector map[string]string   `json:"nodeSelector"`
			Tolerations  []corev1.Toleration `json:"tolerations"`
		}
		if fields := o.at("scheduling"); fields != nil {
			if err := decodeInto(fields, &scheduling); err != nil {
				return nil, o.fault(typeFault(fields, err))
			}
		}
		overhead, wrong := readOverhead(o.at("overhead", "podFixed"))
		if wrong != nil {
			return nil, o.fault(wrong)
		}
		classes[o.Name] = runtimeClass{o.Name, scheduling.NodeSelector, scheduling.Tolerations, overhead}
	}
	return classes, nil
}

// readOverhead reads amounts, of which those that hold a ${...} are left out.
func readOverhead(fields *yaml.Node) (amounts corev1.ResourceList, wrong *fault) {
	if fields == nil {
		return nil, nil
	}
	known := yaml.NewRNode(fields).Copy().YNode()
	if wrong := new(decoded).cutIn(known, "overhead.podFixed"); wrong != nil {
		return nil, wrong
	}
	if err := decodeInto(known, &amounts); err != nil {
		return nil, typeFault(fields, err)
	}
	return amounts, nil
}

// runtimeClass adds what the admission of the pod's RuntimeClass adds. A pod that states its overhead has to state the
// class's own, or is refused.
func (r *reader) runtimeClass(p *pod, name *string, stated bool) {
	if name == nil || *name == "" {
		return
	}
	class, found := r.classes[*name]
	if !found {
		p.standing = append(p.standing, Reason{Code: CodeRuntimeClass, Bearing: Notes,
			Message: fmt.Sprintf("uses the RuntimeClass %s, which is not in the render and may add a selector and tolerations", *name)})
		return
	}
	for _, t := range class.tolerations {
		p.tolerations = append(p.tolerations, toleration{Toleration: t, origin: "the RuntimeClass " + class.name, open: unresolvedToleration(t)})
	}
	for key, value := range class.selector {
		p.selector = append(p.selector, exactNeed(key, value))
	}
	for name, amount := range class.overhead {
		if !stated {
			amount.Add(p.requests[name])
			p.requests[name] = amount
		}
	}
	slices.SortStableFunc(p.selector, func(a, b need) int { return strings.Compare(a.String(), b.String()) })
}
