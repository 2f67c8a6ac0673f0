package placement

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

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
	if len(d.SchedulingGates) > 0 {
		p.standing = append(p.standing, Reason{Code: CodeGated, Bearing: Notes, Message: "its pods wait for their scheduling gates to be removed"})
	}
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
		classes[o.Name] = runtimeClass{o.Name, scheduling.NodeSelector, scheduling.Tolerations}
	}
	return classes, nil
}

// runtimeClass adds what the admission of the pod's RuntimeClass adds.
func (r *reader) runtimeClass(p *pod, name *string) {
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
	slices.SortStableFunc(p.selector, func(a, b need) int { return strings.Compare(a.String(), b.String()) })
}
