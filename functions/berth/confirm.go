package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/live"
	"github.com/berth-dev/berth/generator/manifest"
)

// confirmFlags are the flags of `berth confirm`.
type confirmFlags struct {
	cluster clusterFlags
	plugin  string
	output  string
	by      string
	at      string
	wait    time.Duration
}

func newConfirmCommand(io streams) *cobra.Command {
	var flags confirmFlags
	cmd := &cobra.Command{
		Use:   "confirm PLUGIN",
		Short: "Look whether every expected node offers a device plugin's resource, and write the evidence",
		Long: `Read a DevicePlugin from the file PLUGIN and look at the running cluster: the plugin's DaemonSet has
the image with the digest that the file names, a ready pod of it runs on every expected node, and
each of these nodes has the resource that the consumers ask for in its status.allocatable.

Then write the DeviceEvidence that stage: consume needs, into the file that the plugin's
spec.evidence names. As long as something is missing nothing is written, and the reason is given
for each node.

Exit status: 0 when the evidence was written, 1 when something is missing, 2 when the cluster or the
file could not be read or written.`,
		Example: `  berth confirm intel-gpu.yaml
  berth confirm intel-gpu.yaml --wait 5m
  berth confirm intel-gpu.yaml -o - --by jane`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return runConfirm(args[0], flags, io) },
	}
	f := cmd.Flags()
	flags.cluster.add(f)
	f.StringVar(&flags.plugin, "plugin", "", "name of the DevicePlugin, where the file holds several")
	f.StringVarP(&flags.output, "output", "o", "", "file to write, or - for standard output (default: the plugin's spec.evidence)")
	f.StringVar(&flags.by, "by", "berth confirm", "who looked, for spec.seenBy")
	f.StringVar(&flags.at, "at", "", "when, for spec.seenAt (default: now, in UTC)")
	f.DurationVar(&flags.wait, "wait", 0, "watch until everything is there, for so long")
	return cmd
}

func runConfirm(file string, flags confirmFlags, io streams) error {
	plugin, err := flags.read(file)
	if err != nil {
		return err
	}
	target, err := flags.target(file, plugin)
	if err != nil {
		return err
	}
	cluster, err := flags.cluster.open()
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	sighting, err := flags.look(ctx, cluster, plugin, io)
	if err != nil {
		return err
	}
	if flags.at == "" {
		flags.at = time.Now().UTC().Format(time.RFC3339)
	}
	evidence, missing, err := sighting.Evidence(plugin, live.Looker{By: flags.by, At: flags.at, With: "berth confirm " + filepath.ToSlash(file)})
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		var b strings.Builder
		writeFindings(&b, missing)
		fmt.Fprint(io.err, b.String())
		return &exitError{code: exitFindings, err: errors.New("nothing was written: keep stage: advertise, mend the above and confirm again")}
	}
	return writeEvidence(io, target, plugin, evidence)
}

// read returns the plugin of the file.
func (f confirmFlags) read(file string) (*v1alpha1.DevicePlugin, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read plugin: %w", err)
	}
	all, err := v1alpha1.ReadDevicePlugins(file, text)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, plugin := range all {
		if f.plugin == "" && len(all) == 1 || f.plugin == plugin.Metadata.Name {
			return plugin, nil
		}
		names = append(names, plugin.Metadata.Name)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("read plugin: %s holds no DevicePlugin", file)
	}
	return nil, fmt.Errorf("read plugin: %s holds %s: choose one with --plugin", file, strings.Join(names, ", "))
}

// look looks once, or until everything is there. When the time is over it looks once more, so that what came last counts.
func (f confirmFlags) look(ctx context.Context, cluster *live.Cluster, plugin *v1alpha1.DevicePlugin, io streams) (*live.Sighting, error) {
	var sighting *live.Sighting
	said := ""
	once := func(s *live.Snapshot) (bool, error) {
		sighting = live.Sight(s, plugin)
		if len(sighting.Missing) == 0 || f.wait == 0 {
			return true, nil
		}
		if now := howFar(plugin, sighting); now != said {
			fmt.Fprintln(io.err, now)
			said = now
		}
		return false, nil
	}
	waiting, stop := within(ctx, f.wait)
	defer stop()
	err := cluster.Follow(waiting, live.Plugins, following(io, once))
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("confirm %s: %w; nothing was written", plugin.Metadata.Name, ctx.Err())
	case err == nil, waiting.Err() == nil:
		return sighting, err
	}
	snapshot, err := cluster.ReadPlugins(ctx)
	if err != nil {
		return nil, err
	}
	return live.Sight(snapshot, plugin), nil
}

// howFar says in one line how far it is, and what is waited for.
func howFar(plugin *v1alpha1.DevicePlugin, s *live.Sighting) string {
	return fmt.Sprintf("%d of %d nodes offer it; waiting: %s", len(s.Nodes), len(plugin.Spec.Nodes), reason(s.Missing[0]))
}

func reason(f finding.Finding) string {
	return strings.TrimSpace(objectText(f.Object) + " " + f.Message)
}

// target is the file to write: - for standard output.
func (f confirmFlags) target(file string, plugin *v1alpha1.DevicePlugin) (string, error) {
	target := f.output
	if target == "" && plugin.Spec.Evidence != "" {
		target = filepath.Join(filepath.Dir(file), filepath.FromSlash(plugin.Spec.Evidence))
	}
	if target == "" || target == "-" {
		return "-", nil
	}
	text, err := os.ReadFile(target)
	if errors.Is(err, os.ErrNotExist) {
		return target, nil
	}
	if err != nil {
		return "", fmt.Errorf("read evidence: %w", err)
	}
	before, err := v1alpha1.ReadDeviceEvidence(target, text)
	if err != nil || len(before) != 1 || before[0].Spec.Plugin != plugin.Metadata.Name {
		return "", fmt.Errorf("%s is in the way: it holds something else than the evidence of %s; move it, or name another file with -o", target, plugin.Metadata.Name)
	}
	return target, nil
}

func writeEvidence(io streams, target string, plugin *v1alpha1.DevicePlugin, evidence *v1alpha1.DeviceEvidence) error {
	node, err := manifest.Node(evidence)
	if err != nil {
		return err
	}
	text, err := manifest.Encode(node)
	if err != nil {
		return err
	}
	if target == "-" {
		_, err = io.out.Write(text)
		return err
	}
	if err := os.WriteFile(target, text, 0o644); err != nil { //nolint:gosec // a file for Git
		return fmt.Errorf("write evidence: %w", err)
	}
	fmt.Fprintf(io.err, "wrote %s: %d nodes offer what the consumers of %s ask for; commit it, then set stage: consume\n", target, len(evidence.Spec.Nodes), plugin.Metadata.Name)
	return nil
}
