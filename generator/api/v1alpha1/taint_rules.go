package v1alpha1

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/berth-dev/berth/generator/api/strict"
)

// problems checks a taint's three parts by the rules of the API server (validateNodeTaints).
func (t Taint) problems() []error {
	return slices.Concat(keyProblems(t.Key), valueProblems(t.Value), effectProblems(t.Effect))
}

func keyProblems(key string) []error {
	switch {
	case key == "":
		return []error{errors.New("has no key: write key=value:Effect or key:Effect")}
	case isUnresolved(key):
		return []error{errors.New(unresolved)}
	}
	if errs := validation.IsQualifiedName(key); len(errs) > 0 {
		return []error{fmt.Errorf("the key %q is no qualified name ([prefix/]name): %s", key, rule(errs))}
	}
	return nil
}

func valueProblems(value string) []error {
	if isUnresolved(value) {
		return []error{errors.New(unresolved)}
	}
	if errs := validation.IsValidLabelValue(value); len(errs) > 0 {
		return []error{fmt.Errorf("the value %q is no label value: %s", value, rule(errs))}
	}
	return nil
}

func effectProblems(effect Effect) []error {
	if slices.Contains(effects, string(effect)) {
		return nil
	}
	const oneOf = "write NoSchedule, PreferNoSchedule or NoExecute"
	if effect == "" {
		return []error{errors.New("has no effect: " + oneOf)}
	}
	if near := strict.Nearest(string(effect), effects); near != "" {
		return []error{fmt.Errorf("there is no effect %s: did you mean %s?", effect, near)}
	}
	return []error{fmt.Errorf("there is no effect %s: %s", effect, oneOf)}
}

// oneLine joins errors into one without line breaks, or returns nil.
func oneLine(errs []error) error {
	if len(errs) == 0 {
		return nil
	}
	texts := make([]string, len(errs))
	for i, err := range errs {
		texts[i] = err.Error()
	}
	return errors.New(strings.Join(texts, "; "))
}
