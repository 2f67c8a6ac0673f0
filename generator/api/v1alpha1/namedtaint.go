package v1alpha1

import (
	"errors"
	"fmt"
)

// Resolve returns the taint that both spellings describe. The error says what is wrong with it, without its name.
func (n NamedTaint) Resolve() (Taint, error) {
	structured := n.Key != "" || n.Value != "" || n.Effect != ""
	switch {
	case n.Taint != "" && structured:
		return Taint{}, errors.New("is given twice, as taint and as key, value and effect: keep one of the two")
	case n.Taint != "":
		return ParseTaint(n.Taint)
	case !structured:
		return Taint{}, errors.New("says nothing: write taint: key=value:Effect, or key, value and effect")
	}
	taint := Taint{Key: n.Key, Value: n.Value, Effect: n.Effect}
	if err := oneLine(taint.problems()); err != nil {
		return Taint{}, fmt.Errorf("taint %q: %w", taint, err)
	}
	return taint, nil
}
