package live

import (
	"fmt"
	"strings"
)

// Commands returns the kubectl commands that do what a step does, for those who would rather type them. They do not
// write down what is whose, and kubectl taint does not notice when somebody else changes the node meanwhile.
func (s Step) Commands() []string {
	switch s.Kind {
	case SetNode:
		var all []string
		for _, d := range s.Deltas {
			if command := d.command(s.Node); command != "" {
				all = append(all, command)
			}
		}
		return all
	case UncordonNode:
		return []string{"kubectl uncordon " + s.Node}
	case Verify:
		return []string{"kubectl get nodes -o custom-columns=NAME:.metadata.name,TAINTS:.spec.taints,CORDONED:.spec.unschedulable"}
	default:
		return nil
	}
}

func (d Delta) command(node string) string {
	label, _, _ := strings.Cut(d.Label, "=")
	switch {
	case d.Operation == Remove && d.Taint != "":
		return fmt.Sprintf("kubectl taint nodes %s '%s-'", node, withoutValue(d.Taint))
	case d.Operation == Remove:
		return fmt.Sprintf("kubectl label nodes %s '%s-'", node, label)
	case (d.Operation == Add || d.Operation == Change) && d.Taint != "":
		return fmt.Sprintf("kubectl taint nodes %s '%s' --overwrite", node, d.Taint)
	case d.Operation == Add || d.Operation == Change:
		return fmt.Sprintf("kubectl label nodes %s '%s' --overwrite", node, d.Label)
	}
	return ""
}

// withoutValue turns key=value:Effect into key:Effect.
func withoutValue(taint string) string {
	left, effect, _ := strings.Cut(taint, ":")
	key, _, _ := strings.Cut(left, "=")
	return key + ":" + effect
}
