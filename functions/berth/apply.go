package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/generator/live"
)

// applyFlags are the flags of `berth apply`.
type applyFlags struct {
	cluster  clusterFlags
	options  live.PlanOptions
	wait     time.Duration
	yes      bool
	dryRun   bool
	commands bool
	output   string
}

func newApplyCommand(io streams) *cobra.Command {
	var flags applyFlags
	cmd := &cobra.Command{
		Use:   "apply [INTENT...]",
		Short: "Make the taints and labels of the nodes that exist what the intents say",
		Long: `Change the nodes of a running cluster, in the order that keeps workloads running:

  1. every allowed workload tolerates the taints that are about to be set, and has rolled out
  2. each node gets its taints and labels, and loses those that left the intent
  3. with --uncordon, tainted nodes take pods again
  4. every changed node is read once more

The plan is shown and has to be confirmed. A step that is not safe yet ends the run, and says what
is missing; --wait 5m waits for step 1 before the plan is shown, and --accept CODE accepts what a
code in brackets stands for. An interrupted run is continued by running it again, and a second run
changes nothing.

Only the intents' own pairs of key and effect are touched. What berth owns on a node stands in the
node's annotation ` + live.Annotation + `; taints of controllers and of others stay as they are.

Exit status: 0 when the nodes are as the intents say, 1 when a step is not safe yet or was
declined, 2 when something failed, or when nobody can confirm and --yes was not said. In a Job or
CronJob, say --yes: it answers the question and accepts nothing. 1 then fails the Job, as it should,
since the nodes are not what the intents say (docs/in-cluster.md).`,
		Example: `  berth apply taints.yaml
  berth apply taints.yaml --uncordon --yes
  berth apply taints.yaml --dry-run --print-commands
  berth apply taints.yaml --remove        # undo everything on the nodes
  berth apply --release old-home          # the same for an intent whose file is gone`,
		RunE: func(_ *cobra.Command, args []string) error { return runApply(args, flags, io) },
	}
	f := cmd.Flags()
	flags.cluster.add(f)
	f.BoolVar(&flags.options.Uncordon, "uncordon", false, "uncordon the nodes that the intents taint, once they are tainted")
	f.BoolVar(&flags.options.Remove, "remove", false, "take off everything that berth put on the nodes for these intents")
	f.StringSliceVar(&flags.options.Release, "release", nil, "take off everything that berth put on the nodes for an intent of this name that is no more; repeatable")
	f.StringSliceVar(&flags.options.Accept, "accept", nil, "go on in spite of what a code stands for, such as pinned-volume; repeatable")
	f.DurationVar(&flags.wait, "wait", 0, "watch until the allowed workloads tolerate the taints and have rolled out, for so long")
	f.BoolVarP(&flags.yes, "yes", "y", false, "do not ask")
	f.BoolVar(&flags.dryRun, "dry-run", false, "show the plan and let the server check it, and change nothing")
	f.BoolVar(&flags.commands, "print-commands", false, "show the kubectl commands that do the same")
	f.StringVarP(&flags.output, "output", "o", "text", "text or json: how the plan is shown")
	return cmd
}

func runApply(args []string, flags applyFlags, io streams) error {
	site, err := flags.open(args)
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	plan, err := flags.plan(ctx, site, io)
	if err != nil {
		return err
	}
	if err := showPlan(io, plan, flags); err != nil {
		return fmt.Errorf("writing the plan: %w", err)
	}
	if plan.Empty() {
		return nil
	}
	return flags.carryOut(ctx, site.Cluster, plan, io)
}

// open reads the intents, which there may be none of when others are released.
func (f applyFlags) open(args []string) (*site, error) {
	if len(args) == 0 && len(f.options.Release) == 0 {
		return nil, errors.New("name the file of an intent, or with --release the name of one that is no more")
	}
	site, err := f.cluster.openSite(args, f.output)
	if err != nil {
		return nil, err
	}
	for _, intent := range site.intents {
		if slices.Contains(f.options.Release, intent.Metadata.Name) {
			return nil, fmt.Errorf("--release %s: there is a file of this intent: say --remove to take everything off", intent.Metadata.Name)
		}
	}
	return site, nil
}

// plan makes the plan, with --wait once the workloads are ready for it, or when the time is over.
func (f applyFlags) plan(ctx context.Context, site *site, io streams) (*live.Plan, error) {
	var plan *live.Plan
	said := ""
	look := func(s *live.Snapshot) (bool, error) {
		var err error
		if plan, err = live.NewPlan(s, site.intents, f.options); err != nil {
			return false, err
		}
		waitsFor := plan.WaitsFor()
		if waitsFor == nil || f.wait == 0 {
			return true, nil
		}
		if now := "waiting: " + reason(*waitsFor); now != said {
			fmt.Fprintln(io.err, now)
			said = now
		}
		return false, nil
	}
	waiting, stop := within(ctx, f.wait)
	defer stop()
	err := site.Follow(waiting, live.Everything, following(io, look))
	if ctx.Err() != nil {
		return nil, fmt.Errorf("nothing was changed: %w", ctx.Err())
	}
	if err != nil && waiting.Err() != nil && plan != nil {
		return plan, nil // it shows what is still missing
	}
	return plan, err
}

// carryOut lets the server check the plan, asks, and applies it.
func (f applyFlags) carryOut(ctx context.Context, cluster *live.Cluster, plan *live.Plan, io streams) error {
	if err := cluster.DryRun(ctx, plan); err != nil {
		return err
	}
	if f.dryRun {
		fmt.Fprintln(io.err, "dry run: the server accepts every change; nothing was changed")
		return f.blocked(plan)
	}
	if !f.yes && len(plan.Steps[0].Blockers) == 0 { // nobody is asked about a plan that cannot begin
		if err := confirmPlan(io, plan); err != nil {
			return err
		}
	}
	err := cluster.Apply(ctx, plan, func(e live.Event) {
		fmt.Fprintf(io.err, "%d/%d %s\n", e.Step+1, len(plan.Steps), eventText(e, plan.Steps[e.Step]))
	})
	var blocked *live.Blocked
	if errors.As(err, &blocked) {
		return &exitError{code: exitFindings, err: fmt.Errorf("%w\n%s", err, "mend that and run berth apply again: it goes on from there")}
	}
	return err
}

// blocked makes a dry run of an unsafe plan fail.
func (f applyFlags) blocked(plan *live.Plan) error {
	if step := plan.Blocked(); step != nil {
		return &exitError{code: exitFindings, err: errors.New("the plan has a step that is not safe yet")}
	}
	return nil
}

func confirmPlan(io streams, plan *live.Plan) error {
	if !isTerminal(io.in) {
		return &exitError{code: exitUsage, err: errors.New("nothing was changed: there is no terminal to confirm the plan on; look at it with --dry-run, then say --yes")}
	}
	fmt.Fprintf(io.err, "Apply these %d steps to %s? [y/N] ", len(plan.Steps), plan.Server)
	answer, err := bufio.NewReader(io.in).ReadString('\n')
	if err != nil && answer == "" {
		answer = "n"
	}
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
		return &exitError{code: exitFindings, err: errors.New("nothing was changed")}
	}
	return nil
}
