package check

import (
	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/toleration"
)

// Applied is what an intent would do to an environment's objects. Where it would still change something, the render is not
// what the intent asks for.
type Applied struct {
	Intent  *v1alpha1.TaintIntent
	Outcome *toleration.Outcome
	// Err says why the intent cannot be held against the objects.
	Err error
}

// Applied holds each of the environment's intents against copies of its objects.
func (e *Environment) Applied() []Applied { return e.applied() }

func (e *Environment) apply() []Applied {
	all := make([]Applied, 0, len(e.Declared.Intents))
	if len(e.Declared.Intents) == 0 {
		return all
	}
	items := e.copies()
	for _, intent := range e.Declared.Intents {
		outcome, err := toleration.Apply(intent, items)
		all = append(all, Applied{Intent: intent, Outcome: outcome, Err: err})
	}
	return all
}
