package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/generator/live"
)

// diffFlags are the flags of `berth diff`.
type diffFlags struct {
	cluster clusterFlags
	output  string
	watch   bool
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

With --watch it goes on until Ctrl-C, and prints the whole again, below a line ---, whenever it
reads otherwise. What changes within a tenth of a second is one change. A watch that breaks is begun
anew without missing anything; without the right to watch berth looks every two seconds.

Exit status: 0 when nothing drifted (there may be warnings), 1 on drift, 2 when the cluster or an
intent could not be read. With --watch it is that of what was printed last.`,
		Example: `  berth diff taints.yaml
  berth diff taints.yaml --watch          # while a node rejoins
  berth diff taints.yaml --context home -o json | jq '.nodes[] | select(.cordoned)'`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return runDiff(args, flags, io) },
	}
	flags.cluster.add(cmd.Flags())
	cmd.Flags().StringVarP(&flags.output, "output", "o", "text", "text or json")
	cmd.Flags().BoolVarP(&flags.watch, "watch", "w", false, "go on, and print the diff again when it changes")
	return cmd
}

func runDiff(args []string, flags diffFlags, io streams) error {
	site, err := flags.cluster.openSite(args, flags.output)
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	shown := &diffShown{out: io.out, output: flags.output}
	look := func(s *live.Snapshot) (bool, error) {
		return !flags.watch, shown.show(live.Compare(s, site.intents))
	}
	err = site.Follow(ctx, live.Everything, following(io, look))
	if err != nil && (!flags.watch || !errors.Is(err, context.Canceled) || shown.last == nil) {
		return err
	}
	if shown.drift {
		return &exitError{code: exitFindings}
	}
	return nil
}

// diffShown prints diffs that read otherwise than the one before.
type diffShown struct {
	out    io.Writer
	output string
	last   []byte // nil before the first
	drift  bool   // of the last
}

func (d *diffShown) show(diff *live.Diff) error {
	var b bytes.Buffer
	write := writeDiffText
	if d.output == "json" {
		write = func(out io.Writer, diff *live.Diff) error { return writeJSON(out, diff) }
	}
	if err := write(&b, diff); err != nil || bytes.Equal(b.Bytes(), d.last) {
		return err
	}
	if d.last != nil && d.output == "text" { // JSON documents need nothing between them
		fmt.Fprintln(d.out, "---")
	}
	d.last, d.drift = b.Bytes(), diff.Drift
	if _, err := d.out.Write(d.last); err != nil {
		return fmt.Errorf("writing the report: %w", err)
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
