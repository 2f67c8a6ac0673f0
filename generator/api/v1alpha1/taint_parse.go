package v1alpha1

import (
	"errors"
	"fmt"
	"strings"

	"github.com/berth-dev/berth/generator/api/strict"
)

// effects lists the effects that the Kubernetes API knows.
var effects = []string{string(NoSchedule), string(PreferNoSchedule), string(NoExecute)}

// ParseTaint reads a taint as k3s, the kubelet and kubectl do (ParseTaints in k8s.io/kubernetes/pkg/util/taints):
// key=value:Effect, key:Effect or key=:Effect. Unlike these it refuses the trailing dash that removes a taint, since
// there is nothing to remove from, and it names the fault.
func ParseTaint(s string) (Taint, error) {
	if err := refuseShape(s); err != nil {
		return Taint{}, fmt.Errorf("taint %q: %w", s, err)
	}
	pair, effect, _ := strings.Cut(s, ":")
	key, value, _ := strings.Cut(pair, "=")
	taint := Taint{Key: key, Value: value, Effect: Effect(effect)}
	if err := oneLine(taint.problems()); err != nil {
		return Taint{}, fmt.Errorf("taint %q: %w", s, err)
	}
	return taint, nil
}

// refuseShape finds what makes the text no single taint at all, in the order in which a person would want to hear it.
func refuseShape(s string) error {
	switch {
	case s == "":
		return errors.New("is empty: write key=value:Effect or key:Effect")
	case isUnresolved(s):
		return errors.New(unresolved)
	case strings.ContainsAny(s, " \t\r\n"):
		return errors.New("holds a space: write key=value:Effect without spaces")
	case strings.Contains(s, ","):
		return errors.New("holds a comma: write each taint as an entry of its own")
	case strings.HasSuffix(s, "-"):
		return errors.New("ends in a dash, which is how kubectl removes a taint: an intent lists the taints that are wanted, so leave the entry out")
	case !strings.Contains(s, ":"):
		return fmt.Errorf("has no effect: end it in :NoSchedule, :PreferNoSchedule or :NoExecute%s", misplacedEffect(s))
	case strings.Count(s, ":") > 1:
		return errors.New("has more than one colon: write key=value:Effect")
	case strings.Count(s, "=") > 1:
		return errors.New("has more than one equals sign: write key=value:Effect")
	}
	return nil
}

// misplacedEffect helps with key=value=Effect and key=Effect, where the effect follows the wrong sign.
func misplacedEffect(s string) string {
	i := strings.LastIndex(s, "=")
	if i < 0 {
		return ""
	}
	if near := strict.Nearest(s[i+1:], effects); near != "" {
		return fmt.Sprintf(" (did you mean %s:%s?)", s[:i], near)
	}
	return ""
}
