package check

import (
	"github.com/berth-dev/berth/generator/placement"
	"github.com/berth-dev/berth/generator/stream"
)

// Placed is where the environment's workloads may run on the nodes of its intents; nil when there is no intent, or when no
// answer can be given.
func (e *Environment) Placed() *placement.Matrix { return e.placed() }

func (e *Environment) place() *placement.Matrix {
	if len(e.Declared.Intents) == 0 {
		return nil
	}
	var items []*stream.Item
	for o := range e.Objects() {
		items = append(items, o.Item())
	}
	cluster, err := placement.Read(placement.Input{Intents: e.Declared.Intents, Plugins: e.Declared.Plugins, Render: items})
	if err != nil {
		return nil // faults of intents, which a rule tells
	}
	return placement.NewMatrix(cluster)
}
