package main

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/generator/flux"
	"github.com/berth-dev/berth/generator/flux/draw"
)

// graphFlags are the flags of `berth graph`.
type graphFlags struct {
	env, path string
	version   string
	output    string
	stalls    string
}

func newGraphCommand(io streams) *cobra.Command {
	var flags graphFlags
	cmd := &cobra.Command{
		Use:   "graph [DIR]",
		Short: "Show in which order Flux reconciles, and what stalls behind what",
		Long: `Build what Flux would apply from the Git checkout DIR (the current directory when it is left out),
without a cluster, keys or network, and show the order in which its Kustomizations reconcile on a
cold start.

The entrypoint is the folder that Flux is pointed at. Without --path it is found: by the
Kustomization that flux bootstrap commits, by a FluxInstance, or because nothing else leads to it.

Exit status: 0 when the graph was shown, whatever it shows; 2 when it cannot be.`,
		Example: `  berth graph
  berth graph --path clusters/dev -o mermaid
  berth graph --env prod --stalls platform-config`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runGraph(cmd.Context(), strings.Join(args, ""), flags, io)
		},
	}
	f := cmd.Flags()
	f.StringVar(&flags.env, "env", "", "the name of the environment: as in berth.yaml, or the last part of its path")
	f.StringVar(&flags.path, "path", "", "the entrypoint's path in DIR, such as clusters/dev")
	f.StringVar(&flags.version, "flux-version", "", "the version of Flux whose rules count, such as 2.8 (default: the newest)")
	f.StringVarP(&flags.output, "output", "o", "text", "one of "+strings.Join(draw.Formats, ", "))
	f.StringVar(&flags.stalls, "stalls", "", "show what stalls when this Kustomization never becomes ready")
	cmd.MarkFlagsMutuallyExclusive("env", "path")
	return cmd
}

func runGraph(ctx context.Context, dir string, flags graphFlags, io streams) error {
	checkout, err := flux.Open(path.Clean(dir))
	if err != nil {
		return err
	}
	defer checkout.Close() //nolint:errcheck // it was only read
	entry, err := entrypoint(checkout, path.Clean(dir), flags.env, flags.path)
	if err != nil {
		return err
	}
	env, err := flux.Read(ctx, checkout, flux.Options{Path: entry, Version: flags.version})
	if err != nil {
		return err
	}
	picture := draw.Picture{Environment: env, Graph: env.Graph()}
	if flags.stalls != "" {
		id, err := named(env, flags.stalls)
		if err != nil {
			return err
		}
		stall := picture.Graph.Stalls(id)
		picture.Stall = &stall
	}
	return draw.Write(io.out, flags.output, picture)
}

// named finds a Kustomization by name, or by namespace/name.
func named(env *flux.Environment, name string) (flux.ID, error) {
	var found []string
	var id flux.ID
	names := make([]string, 0, len(env.Kustomizations))
	for _, k := range env.Kustomizations {
		names = append(names, k.String())
		if k.Name == name || k.String() == name {
			found = append(found, k.String())
			id = k.ID
		}
	}
	switch len(found) {
	case 0:
		return id, fmt.Errorf("no Kustomization in %s is named %s: there are %s", env.Path, name, strings.Join(names, ", "))
	case 1:
		return id, nil
	}
	return id, fmt.Errorf("several Kustomizations are named %s: write one of %s", name, strings.Join(found, ", "))
}
