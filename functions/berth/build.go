package main

import (
	"bytes"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/generator/inprocess"
)

// buildFlags are the flags of `berth build`.
type buildFlags struct {
	output         string
	loadRestrictor string
}

const (
	restrictRoot = "LoadRestrictionsRootOnly"
	restrictNone = "LoadRestrictionsNone"
)

func newBuildCommand(io streams) *cobra.Command {
	var flags buildFlags
	cmd := &cobra.Command{
		Use:   "build [DIR]",
		Short: "kustomize build with berth's function in the same process",
		Long: `Build a kustomization directory (default: the current one) as kustomize build does, and run berth
where its kinds stand under transformers:, in the directory, its bases and its Components.

The output is that of ` + "`kustomize build --enable-alpha-plugins --enable-exec`" + `, without the two flags that are
easy to forget: without --enable-exec kustomize skips a function silently and succeeds. No plugin
runs: another one in the tree is an error, and so are the few things that cannot be done in the same
process (a transformer or validator behind berth's entry, origin annotations).

Exit status: 0, 1 when an entry of an intent could not be carried out, 2 when the directory could not
be built.`,
		Example: `  berth build clusters/prod
  berth build . | kubectl diff -f -`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			return runBuild(dir, flags, io)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&flags.output, "output", "o", "", "the file to write to instead of standard output")
	f.StringVar(&flags.loadRestrictor, "load-restrictor", restrictRoot, restrictNone+" lets kustomizations load files outside of their own directories")
	return cmd
}

func runBuild(dir string, flags buildFlags, io streams) error {
	options := inprocess.Options{LoadRestrictionsNone: flags.loadRestrictor == restrictNone}
	if flags.loadRestrictor != restrictRoot && flags.loadRestrictor != restrictNone {
		return fmt.Errorf("--load-restrictor: there is no %q: write %s or %s", flags.loadRestrictor, restrictRoot, restrictNone)
	}
	function := func(in []byte) ([]byte, error) {
		var out bytes.Buffer
		err := runFunction(streams{in: bytes.NewReader(in), out: &out, err: io.err})
		return out.Bytes(), err
	}
	out, err := inprocess.Build(dir, function, options)
	if err != nil {
		return err
	}
	if flags.output != "" {
		return os.WriteFile(flags.output, out, 0o644)
	}
	_, err = io.out.Write(out)
	return err
}
