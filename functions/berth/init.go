package main

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/live"
	"github.com/berth-dev/berth/generator/stream"
	"github.com/berth-dev/berth/generator/toleration"
)

// initFlags are the flags of `berth init`.
type initFlags struct {
	cluster clusterFlags
	from    string
	nodes   []string
	name    string
	output  string
	force   bool
}

func newInitCommand(io streams) *cobra.Command {
	var flags initFlags
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a first intent: what a cluster or a repository says already",
		Long: `Read a running cluster, or with --from a repository, and write a TaintIntent that says what is there:
every node with the taints that it has, and every workload that tolerates one of them by name, each
with a reason to fill in. Comments tell which nodes are cordoned and what runs there.

The draft changes no taint and no workload until you edit it, and that is checked.

Exit status: 0 when the draft was written, 2 when something could not be read or written.`,
		Example: `  berth init -o taints.yaml
  berth init --from apps --node kai-server --node kai-desktop-tower`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return runInit(flags, io) },
	}
	f := cmd.Flags()
	flags.cluster.add(f)
	f.StringVar(&flags.from, "from", "", "read this instead of a cluster: a kustomization directory, a YAML file or -")
	f.StringSliceVar(&flags.nodes, "node", nil, "with --from: a node of the cluster, beside those that the render names; repeatable")
	f.StringVar(&flags.name, "name", "home", "name of the intent")
	f.StringVarP(&flags.output, "output", "o", "-", "file to write, or - for standard output")
	f.BoolVar(&flags.force, "force", false, "overwrite a file that is there")
	return cmd
}

func runInit(flags initFlags, io streams) error {
	if problems := validation.IsDNS1123Label(flags.name); len(problems) > 0 {
		return fmt.Errorf("--name: %q cannot be the name of an intent: write lower-case letters, digits and -, at most %d, a letter or digit at both ends", flags.name, validation.DNS1123LabelMaxLength)
	}
	if _, err := os.Stat(flags.output); err == nil && !flags.force {
		return fmt.Errorf("%s is there already: name another file, or say --force", flags.output)
	}
	snapshot, items, err := flags.read(io)
	if err != nil {
		return err
	}
	draft := live.NewDraft(snapshot, flags.name)
	if draft.Empty() {
		return errors.New("there is no node: the render holds no Node and no selector by kubernetes.io/hostname; name the nodes with --node")
	}
	text, intents, err := draft.Text()
	if err != nil {
		return err
	}
	said, err := flags.explain(snapshot, items, intents)
	if err != nil {
		return err
	}
	if flags.output == "-" {
		_, err = io.out.Write(text)
	} else {
		err = os.WriteFile(flags.output, text, 0o644) //nolint:gosec // a file for Git
	}
	if err != nil {
		return fmt.Errorf("write intent: %w", err)
	}
	fmt.Fprintln(io.err, said)
	return nil
}

// read reads the cluster, or the render.
func (f initFlags) read(io streams) (*live.Snapshot, []*stream.Item, error) {
	if f.from != "" {
		items, err := readUnedited(f.from, io, func(list []byte) error { return saysFunction(io, f.from, list) })
		if err != nil {
			return nil, nil, err
		}
		snapshot, err := live.FromRender(items, f.nodes)
		return snapshot, items, err
	}
	if len(f.nodes) > 0 {
		return nil, nil, errors.New("--node is for --from: a cluster says itself which nodes it has")
	}
	cluster, err := f.cluster.open()
	if err != nil {
		return nil, nil, err
	}
	ctx, stop := interruptible()
	defer stop()
	snapshot, err := cluster.Read(ctx)
	return snapshot, nil, err
}

// saysFunction tells that the directory has an intent already, whose edits are not part of what is read.
func saysFunction(io streams, source string, list []byte) error {
	read, err := stream.ReadList(list)
	if err != nil {
		return err
	}
	fmt.Fprintf(io.err, "warning: %s runs the %s already: what that adds is not part of the draft\n", source, stream.MetaOf(read.FunctionConfig.YNode()).ID())
	return nil
}

// explain says what the draft would change, which is nothing, or it is a fault of this program.
func (f initFlags) explain(snapshot *live.Snapshot, items []*stream.Item, intents []*v1alpha1.TaintIntent) (string, error) {
	if f.from != "" {
		outcome, err := toleration.Apply(intents[0], items)
		if err != nil {
			return "", err
		}
		if at := slices.IndexFunc(outcome.Edits, toleration.Edit.Changes); at >= 0 {
			return "", fmt.Errorf("the draft would change %s: please report this", outcome.Edits[at].Object)
		}
		return "berth generate would change no workload of the render with this draft. Next: fill in the reasons, change what you want changed, and see what berth generate says.", nil
	}
	plan, err := live.NewPlan(snapshot, intents, live.PlanOptions{})
	if err != nil {
		return "", err
	}
	for _, step := range plan.Steps {
		for _, d := range step.Deltas {
			if d.Operation != live.Adopt {
				return "", fmt.Errorf("the draft would change node %s: %s: please report this", step.Node, d)
			}
		}
	}
	return "berth apply would change no taint with this draft; it would only write down that the taints are the intent's. Next: fill in the reasons, change what you want changed, and run berth diff.", nil
}
