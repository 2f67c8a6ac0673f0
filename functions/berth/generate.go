package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/generator/bundle"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/outdir"
)

// generateFlags are the flags of `berth generate`.
type generateFlags struct {
	from   []string
	know   []string
	output string
	check  bool
	quiet  bool
	write  outdir.Options
}

func newGenerateCommand(io streams) *cobra.Command {
	var flags generateFlags
	cmd := &cobra.Command{
		Use:   "generate FILE... [--from RENDER] -o DIR",
		Short: "Write what works without any kustomize plugin: drop-ins, patches, a script, a DaemonSet",
		Long: `Write into DIR what follows from the TaintIntents and DevicePlugins in the files. Of a TaintIntent:

  k3s/NODE/config.yaml.d/FILE  the drop-in of each node (rke2/ for RKE2), for Ansible or scp
  component/                   a kustomize Component with guarded patches, for Flux
  helm-values/                 an overlay for each values file that the intent names, for helm -f
  record/                      the same drop-ins and the intents' digests as ConfigMaps
  taint-nodes.sh               a re-runnable script of kubectl taint commands

Of a DevicePlugin, for which DIR is the root of the repository:

  PATH/                        namespace, DaemonSet and kustomization, where spec.flux.path says
  FILE                         the Flux Kustomization, where spec.flux.file says
  consumers/NAME/              a kustomize Component with guarded patches; empty at stage: advertise

RENDER is what the patches are for: a kustomization directory, a file with a YAML stream, or - for
standard input. Repeat --from where several Flux Kustomizations hold the workloads. A render must not
have gone through berth already. A DevicePlugin at stage: advertise needs none, nor does a TaintIntent
whose entries are all about values files (helmValues).

One DIR is for one set of intents: name all of them in each run. Files that berth did not write are
never overwritten without --force, and only berth's own files are removed, when the intents no longer
ask for them.

Exit status: 0 when DIR is as the intents ask, 1 when --check found a difference or an entry of an
intent could not be carried out, 2 when something could not be read or written.`,
		Example: `  berth generate taints.yaml --from apps -o generated
  berth generate taints.yaml --from apps -o generated --check
  helm template chart | berth generate taints.yaml --from - -o generated
  berth generate intel-gpu.yaml --intent taints.yaml --from apps -o .`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return runGenerate(args, flags, io) },
	}
	f := cmd.Flags()
	f.StringArrayVar(&flags.from, "from", nil, "a render: a kustomization directory, a YAML file or -; may be repeated")
	f.StringArrayVar(&flags.know, "intent", nil, "a TaintIntent that knows the nodes, for which nothing is written; may be repeated")
	f.StringVarP(&flags.output, "output", "o", "", "the directory to write to")
	f.BoolVar(&flags.check, "check", false, "compare instead of writing; exit 1 when something differs")
	f.BoolVar(&flags.write.Force, "force", false, "overwrite files that berth did not write, or wrote for other intents too")
	f.BoolVar(&flags.write.Prune, "prune", false, "remove the files of intents that are not named")
	f.BoolVarP(&flags.quiet, "quiet", "q", false, "print warnings and errors only")
	if err := cmd.MarkFlagRequired("output"); err != nil {
		panic(err) // the flag was defined above
	}
	return cmd
}

func runGenerate(args []string, flags generateFlags, io streams) error {
	in, err := readInputs(args, flags.know)
	if err != nil {
		return err
	}
	renders, err := in.renders(flags.from, io)
	if err != nil {
		return err
	}
	all := in.of(flags.output)
	files, found, err := bundle.All(all, renders)
	if err != nil {
		return err
	}
	printFindings(io, found, flags.quiet)
	if finding.HasErrors(found) {
		return &exitError{code: exitFindings, err: errors.New("nothing was written: mend the errors above first")}
	}
	changes, err := outdir.Compare(flags.output, files, all.Owners())
	if err != nil {
		return err
	}
	if flags.check {
		return printCheck(io, flags.output, changes)
	}
	return writeOut(io, flags, files, changes)
}

func printFindings(io streams, found []finding.Finding, quiet bool) {
	for _, f := range found {
		if !quiet || f.Severity != finding.Info {
			fmt.Fprintln(io.err, f)
		}
	}
}
