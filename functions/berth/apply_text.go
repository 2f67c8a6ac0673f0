package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/berth-dev/berth/generator/live"
)

func showPlan(io streams, plan *live.Plan, flags applyFlags) error {
	if flags.output == "json" {
		return writeJSON(io.out, plan)
	}
	return writePlanText(io.out, plan, flags.commands)
}

// writePlanText prints a plan for people.
func writePlanText(out io.Writer, plan *live.Plan, commands bool) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s\n", plan.Server, planAbout(plan))
	if plan.Empty() {
		fmt.Fprintln(&b, "\nnothing to change")
	}
	for i, step := range plan.Steps {
		fmt.Fprintf(&b, "\n%d. %s\n", i+1, stepTitle(step))
		writeStep(&b, step)
		if !commands {
			continue
		}
		for _, command := range step.Commands() {
			fmt.Fprintf(&b, "      $ %s\n", command)
		}
	}
	if len(plan.Notes) > 0 {
		fmt.Fprintln(&b)
	}
	writeFindings(&b, plan.Notes)
	_, err := io.WriteString(out, b.String())
	return err
}

// planAbout names the intents of a plan.
func planAbout(plan *live.Plan) string {
	var about []string
	if len(plan.Intents) > 0 {
		about = append(about, "intent "+strings.Join(plan.Intents, ", "))
	}
	if len(plan.Releases) > 0 {
		about = append(about, "release of "+strings.Join(plan.Releases, ", "))
	}
	return strings.Join(about, ", ")
}

func stepTitle(step live.Step) string {
	switch step.Kind {
	case live.Tolerate:
		return "check " + step.About
	case live.SetNode:
		return "change node " + step.Node
	case live.UncordonNode:
		return "uncordon node " + step.Node
	default:
		return "verify " + step.About
	}
}

func writeStep(b *strings.Builder, step live.Step) {
	if step.Kind == live.Tolerate {
		wrap(b, "tolerates "+strings.Join(step.Tolerates, ", ")+", and has rolled out")
	}
	for _, d := range step.Deltas {
		if step.Kind == live.SetNode {
			fmt.Fprintf(b, "      %s\n", d)
		}
	}
	for _, e := range step.Evicts {
		fmt.Fprintf(b, "      evicts %s\n", e)
	}
	if len(step.Blockers) > 0 {
		fmt.Fprintln(b, "      not safe yet:")
	}
	writeFindings(b, step.Blockers)
}

// eventText says what was done, which may be less than the plan said.
func eventText(e live.Event, step live.Step) string {
	switch {
	case e.Kind == live.SetNode && len(e.Deltas) == 0:
		return "node " + e.Node + ": somebody else did it meanwhile"
	case e.Kind == live.SetNode:
		var all []string
		for _, d := range e.Deltas {
			all = append(all, d.String())
		}
		return "node " + e.Node + ": " + strings.Join(all, ", ")
	case e.Kind == live.UncordonNode:
		return "node " + e.Node + ": uncordoned"
	case e.Kind == live.Tolerate:
		return step.About + ": tolerates it"
	}
	return "verified"
}
