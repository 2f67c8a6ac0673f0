package main

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/generator/flux"
)

// renderFlags are the flags of `berth render`.
type renderFlags struct {
	env, path       string
	version         string
	kustomization   string
	output          string
	requireComplete bool
}

// renderFormats are how the objects are written.
var renderFormats = []string{"yaml", "json"}

func newRenderCommand(io streams) *cobra.Command {
	var flags renderFlags
	cmd := &cobra.Command{
		Use:   "render [DIR]",
		Short: "Print what Flux would apply, built and with its variables replaced",
		Long: `Build what Flux would apply from the Git checkout DIR (the current directory when it is left out),
without a cluster, keys or network, replace the variables, and print the objects: of one Kustomization,
or of all of them in the order in which they reconcile.

For one Kustomization the YAML is what kustomize-controller itself builds, byte for byte. It then adds
the labels kustomize.toolkit.fluxcd.io/name and /namespace, and completes what the API server would.

Standard error says what stands in the way, with file and line, and what the checkout does not show.

Exit status: 0 when the objects were printed; 1 when the controller would refuse some, after the others
were printed; 2 when nothing can be built; 3 when --require-complete demands what is not shown.`,
		Example: `  berth render --env dev
  berth render --path clusters/dev --kustomization apps-wave-0
  berth render --env prod -o json | jq '.[].objects[].kind'`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runRender(cmd.Context(), path.Clean(strings.Join(args, "")), flags, io)
		},
	}
	f := cmd.Flags()
	f.StringVar(&flags.env, "env", "", "the name of the environment: as in berth.yaml, or the last part of its path")
	f.StringVar(&flags.path, "path", "", "the entrypoint's path in DIR, such as clusters/dev")
	f.StringVar(&flags.version, "flux-version", "", "the version of Flux whose rules count, such as 2.8 (default: the newest)")
	f.StringVar(&flags.kustomization, "kustomization", "", "print this Kustomization's objects alone; a name, or namespace/name")
	f.StringVarP(&flags.output, "output", "o", "yaml", "one of "+strings.Join(renderFormats, ", "))
	f.BoolVar(&flags.requireComplete, "require-complete", false, "exit 3 when the checkout does not show everything")
	cmd.MarkFlagsMutuallyExclusive("env", "path")
	return cmd
}

func runRender(ctx context.Context, dir string, flags renderFlags, io streams) error {
	if !slices.Contains(renderFormats, flags.output) {
		return fmt.Errorf("--output %q: must be one of %s", flags.output, strings.Join(renderFormats, ", "))
	}
	checkout, err := flux.Open(dir)
	if err != nil {
		return err
	}
	defer checkout.Close() //nolint:errcheck // it was only read
	entry, err := entrypoint(checkout, dir, flags.env, flags.path)
	if err != nil {
		return err
	}
	env, err := flux.Read(ctx, checkout, flux.Options{Path: entry, Version: flags.version})
	if err != nil {
		return err
	}
	asked, err := askedFor(env, flags.kustomization)
	if err != nil {
		return err
	}
	if err := writeRender(io.out, flags, asked); err != nil {
		return err
	}
	return renderVerdict(io, asked, flags)
}

// askedFor renders the named Kustomization, or all in the order in which they reconcile.
func askedFor(env *flux.Environment, name string) ([]rendering, error) {
	if name != "" {
		id, err := named(env, name)
		if err != nil {
			return nil, err
		}
		return []rendering{renderingOf(env.Kustomization(id))}, nil
	}
	var all []rendering
	for _, n := range env.Graph().Nodes {
		all = append(all, renderingOf(n.Kustomization))
	}
	return all, nil
}
