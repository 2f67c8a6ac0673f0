package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/generator/live"
)

// diffFlags are the flags of `berth diff`.
type diffFlags struct {
	cluster clusterFlags
	output  string
}

func newDiffCommand(io streams) *cobra.Command {
	var flags diffFlags
	cmd := &cobra.Command{
		Use:   "diff INTENT...",
		Short: "Hold a running cluster against the intents; change nothing",
		Long: `Read the nodes of a cluster and show each taint and label in its layers:

  INTENT     an intent wants it
  NODE-ARGS  k3s or RKE2 was last started with it (annotation k3s.io/node-args), so that the node
             has it when it registers anew: the drop-in is deployed
  LIVE       the Node object has it now (spec.taints)

and whether the node is cordoned, which no layer brings back. Then what to know before a change:
pods that would not be let back, volumes pinned to a node, DaemonSets that nobody decided on, and
the cluster's own workloads against the allowlist.

Name all intents of the cluster: a node that none of them lists counts as unknown.

Exit status: 0 when nothing drifted (there may be warnings), 1 on drift, 2 when the cluster or an
intent could not be read.`,
		Example: `  berth diff taints.yaml
  berth diff taints.yaml --context home -o json | jq '.nodes[] | select(.cordoned)'`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return runDiff(args, flags, io) },
	}
	flags.cluster.add(cmd.Flags())
	cmd.Flags().StringVarP(&flags.output, "output", "o", "text", "text or json")
	return cmd
}

func runDiff(args []string, flags diffFlags, io streams) error {
	if err := textOrJSON(flags.output); err != nil {
		return err
	}
	intents, err := readLiveIntents(args)
	if err != nil {
		return err
	}
	cluster, err := flags.cluster.open()
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	snapshot, err := cluster.Read(ctx)
	if err != nil {
		return err
	}
	diff := live.Compare(snapshot, intents)
	if flags.output == "json" {
		err = writeJSON(io.out, diff)
	} else {
		err = writeDiffText(io.out, diff)
	}
	if err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	if diff.Drift {
		return &exitError{code: exitFindings}
	}
	return nil
}

func textOrJSON(output string) error {
	if output != "text" && output != "json" {
		return fmt.Errorf("--output: %q is neither text nor json", output)
	}
	return nil
}

func writeJSON(out io.Writer, value any) error {
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(value)
}
