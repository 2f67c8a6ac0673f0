package check

import (
	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/daemonset"
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

// Switched is what a plugin's consumers lack in an environment's objects. Where something would still be switched, it has not
// arrived in the render.
type Switched struct {
	Plugin  *v1alpha1.DevicePlugin
	Outcome *daemonset.Output
	// Err says why the plugin cannot be held against the objects.
	Err error
}

// Switched holds the consumers of each of the environment's plugins against copies of its objects.
func (e *Environment) Switched() []Switched { return e.switched() }

func (e *Environment) switchConsumers() []Switched {
	var all []Switched
	if len(e.Declared.Plugins) == 0 {
		return all
	}
	in := daemonset.Input{Evidence: e.Declared.Evidence, Items: e.copies()}
	for _, plugin := range e.Declared.Plugins {
		outcome, err := daemonset.Switch(plugin, in)
		all = append(all, Switched{Plugin: plugin, Outcome: outcome, Err: err})
	}
	return all
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
