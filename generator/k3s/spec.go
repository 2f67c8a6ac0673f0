package k3s

import (
	"fmt"
	"slices"
	"strings"

	yamlv2 "gopkg.in/yaml.v2"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/berth-dev/berth/generator/api/strict"
	"github.com/berth-dev/berth/generator/api/v1alpha1"
)

// nodeTaint is the flag this package is about.
const (
	nodeTaint = "node-taint"
	nodeLabel = "node-label"
)

// specProblem is why a taint specification is not what its author meant.
type specProblem struct {
	code    string
	message string
	action  string
	dropped bool // the agent starts all the same, without the taint
}

const wantForm = `Write it as "key=value:Effect".`

// parseSpec reads one --node-taint value as k3s does, with ParseTaints of k8s.io/kubernetes/pkg/util/taints. That parser
// accepts what an intent must not hold (a removal, which k3s drops without a word) and nothing that this one refuses;
// v1alpha1.ParseTaint is for intents and cannot say which of k3s's own errors will stop an agent.
func parseSpec(v Value) (v1alpha1.Taint, *specProblem) {
	if problem := shapeProblem(v); problem != nil {
		return v1alpha1.Taint{}, problem
	}
	if rest, removal := strings.CutSuffix(v.Text, "-"); removal {
		return v1alpha1.Taint{}, removalProblem(v.Text, rest)
	}
	return splitSpec(v.Text)
}

// removalProblem is about key=value:Effect-, key:Effect- or key-. A removal that is malformed stops the agent as well.
func removalProblem(text, rest string) *specProblem {
	if strings.Contains(rest, ":") {
		if _, problem := splitSpec(rest); problem != nil {
			return problem
		}
	} else if errs := validation.IsQualifiedName(rest); len(errs) > 0 {
		return invalid(text, "the key: "+oneLine(errs))
	}
	return &specProblem{"taint-removal", fmt.Sprintf(
		"%q ends in -, which means \"remove\" to kubectl: k3s drops it without a word", text),
		"Leave out the -, or the whole entry.", true}
}

// splitSpec follows parseTaint: split at colons, then at equals signs, then check each part by the API's rules.
func splitSpec(text string) (v1alpha1.Taint, *specProblem) {
	pair, effect, hasEffect := strings.Cut(text, ":")
	if strings.Contains(effect, ":") {
		return v1alpha1.Taint{}, invalid(text, "it has more than one colon")
	}
	if !hasEffect {
		return v1alpha1.Taint{}, &specProblem{"taint-effect-missing", fmt.Sprintf("the taint %q has no effect", text),
			"Append :NoSchedule, :PreferNoSchedule or :NoExecute.", false}
	}
	if problem := checkEffect(text, effect); problem != nil {
		return v1alpha1.Taint{}, problem
	}
	key, value, _ := strings.Cut(pair, "=")
	if strings.Contains(value, "=") {
		return v1alpha1.Taint{}, invalid(text, "it has more than one =")
	}
	if errs := validation.IsValidLabelValue(value); len(errs) > 0 {
		return v1alpha1.Taint{}, invalid(text, "the value: "+oneLine(errs))
	}
	if errs := validation.IsQualifiedName(key); len(errs) > 0 {
		return v1alpha1.Taint{}, invalid(text, "the key: "+oneLine(errs))
	}
	return v1alpha1.Taint{Key: key, Value: value, Effect: v1alpha1.Effect(effect)}, nil
}

func invalid(text, why string) *specProblem {
	action := wantForm
	if hasVariable(text) {
		action = "k3s expands no variables in its files: write the value out."
	}
	return &specProblem{"taint-invalid", fmt.Sprintf("%q is no taint: %s", text, why), action, false}
}

// oneLine leaves out the examples and patterns that the API's messages end in.
func oneLine(errs []string) string {
	short := make([]string, len(errs))
	for i, err := range errs {
		short[i], _, _ = strings.Cut(err, " (e.g.")
	}
	return strings.Join(short, "; ")
}

func checkEffect(text, effect string) *specProblem {
	known := []string{string(v1alpha1.NoSchedule), string(v1alpha1.PreferNoSchedule), string(v1alpha1.NoExecute)}
	if slices.Contains(known, effect) {
		return nil
	}
	action := "Use NoSchedule, PreferNoSchedule or NoExecute."
	if near := strict.Nearest(effect, known); near != "" {
		action = fmt.Sprintf("Did you mean %s?", near)
	}
	return &specProblem{"taint-effect-unknown", fmt.Sprintf("the effect %q of %q does not exist", effect, text), action, false}
}

// nestedProblem finds a list inside the list, of which k3s takes only the first element.
func nestedProblem(v Value) *specProblem {
	if list, ok := v.raw.([]any); ok && len(list) > 1 {
		return &specProblem{"taint-nested", fmt.Sprintf(
			"the entry is a list, of which k3s takes only the first element, %q", v.Text),
			"Write one taint per entry.", true}
	}
	return nil
}

// shapeProblem finds values that hold something else than one taint.
func shapeProblem(v Value) *specProblem {
	if m, ok := v.raw.(yamlv2.MapSlice); ok {
		return &specProblem{"taint-map", fmt.Sprintf("the entry is a map, which k3s turns into the text %s", v.Text),
			"Write one quoted string: " + mapSpec(m) + ".", false}
	}
	switch {
	case strings.TrimSpace(v.Text) == "":
		return &specProblem{"taint-empty", "the taint is empty", "For no taints write `node-taint: []`.", false}
	case strings.Contains(v.Text, ","):
		return &specProblem{"taint-comma", fmt.Sprintf("%q joins taints with a comma, which k3s no longer splits", v.Text),
			"Write one taint per list entry.", false}
	}
	return nil
}

// mapSpec guesses the string that the author of a map meant.
func mapSpec(m yamlv2.MapSlice) string {
	fields := map[string]string{}
	for _, field := range m {
		fields[argText(field.Key)] = argText(field.Value)
	}
	if key, ok := fields["key"]; ok && len(m) > 1 {
		taint := v1alpha1.Taint{Key: key, Value: fields["value"], Effect: v1alpha1.Effect(fields["effect"])}
		return fmt.Sprintf("%q", taint)
	}
	if len(m) == 1 {
		return fmt.Sprintf("%q", argText(m[0].Key)+":"+argText(m[0].Value))
	}
	return `"key=value:Effect"`
}
