package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/bundle"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/outdir"
	"github.com/berth-dev/berth/generator/render"
	"github.com/berth-dev/berth/generator/stream"
)

// generateFlags are the flags of `berth generate`.
type generateFlags struct {
	from   []string
	output string
	check  bool
	quiet  bool
	write  outdir.Options
}

func newGenerateCommand(io streams) *cobra.Command {
	var flags generateFlags
	cmd := &cobra.Command{
		Use:   "generate INTENT... --from RENDER -o DIR",
		Short: "Write what works without any plugin: drop-ins, patches, a script",
		Long: `Write into DIR what follows from the intents:

  k3s/NODE/config.yaml.d/FILE  the drop-in of each node (rke2/ for RKE2), for Ansible or scp
  component/                   a kustomize Component with guarded patches, for Flux
  record/                      the same drop-ins and the intents' digests as ConfigMaps
  taint-nodes.sh               a re-runnable script of kubectl taint commands

RENDER is what the patches are for: a kustomization directory, a file with a YAML stream, or - for
standard input. Repeat --from where several Flux Kustomizations hold the workloads. A render must not
have gone through berth already.

One DIR is for one set of intents: name all of them in each run. Files that berth did not write are
never overwritten without --force, and only berth's own files are removed, when the intents no longer
ask for them.

Exit status: 0 when DIR is as the intents ask, 1 when --check found a difference or an entry of an
intent could not be carried out, 2 when something could not be read or written.`,
		Example: `  berth generate taints.yaml --from apps -o generated
  berth generate taints.yaml --from apps -o generated --check
  helm template chart | berth generate taints.yaml --from - -o generated`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return runGenerate(args, flags, io) },
	}
	f := cmd.Flags()
	f.StringArrayVar(&flags.from, "from", nil, "a render: a kustomization directory, a YAML file or -; may be repeated")
	f.StringVarP(&flags.output, "output", "o", "", "the directory to write to")
	f.BoolVar(&flags.check, "check", false, "compare instead of writing; exit 1 when something differs")
	f.BoolVar(&flags.write.Force, "force", false, "overwrite files that berth did not write, or wrote for other intents too")
	f.BoolVar(&flags.write.Prune, "prune", false, "remove the files of intents that are not named")
	f.BoolVarP(&flags.quiet, "quiet", "q", false, "print warnings and errors only")
	for _, name := range []string{"from", "output"} {
		if err := cmd.MarkFlagRequired(name); err != nil {
			panic(err) // the flag was defined above
		}
	}
	return cmd
}

func runGenerate(args []string, flags generateFlags, io streams) error {
	intents, err := readIntents(args)
	if err != nil {
		return err
	}
	items, err := readRenders(flags.from, io)
	if err != nil {
		return err
	}
	files, found, err := bundle.Files(intents, items)
	if err != nil {
		return err
	}
	printFindings(io, found, flags.quiet)
	if finding.HasErrors(found) {
		return &exitError{code: exitFindings, err: errors.New("nothing was written: mend the errors above first")}
	}
	names := make([]string, 0, len(intents))
	for _, intent := range intents {
		names = append(names, intent.Metadata.Name)
	}
	changes, err := outdir.Compare(flags.output, files, names)
	if err != nil {
		return err
	}
	if flags.check {
		return printCheck(io, flags.output, changes)
	}
	return writeOut(io, flags, files, changes)
}

// readIntents reads every TaintIntent of the files and holds them against each other.
func readIntents(files []string) ([]*v1alpha1.TaintIntent, error) {
	var all []*v1alpha1.TaintIntent
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("read intent: %w", err)
		}
		intents, err := v1alpha1.ReadTaintIntents(file, text)
		if err != nil {
			return nil, err
		}
		if len(intents) == 0 {
			return nil, fmt.Errorf("read intent: %s holds no TaintIntent", file)
		}
		all = append(all, intents...)
	}
	return all, v1alpha1.CheckTogether(all)
}

func readRenders(sources []string, io streams) ([]*stream.Item, error) {
	var all []*stream.Item
	for _, source := range sources {
		items, err := render.Read(source, io.in)
		if err != nil {
			return nil, err
		}
		all = append(all, items...)
	}
	return all, nil
}

func printFindings(io streams, found []finding.Finding, quiet bool) {
	for _, f := range found {
		if !quiet || f.Severity != finding.Info {
			fmt.Fprintln(io.err, f)
		}
	}
}
