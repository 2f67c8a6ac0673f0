package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/k3s"
)

// newK3sCommand returns `berth k3s`, which groups what is about a node's k3s or RKE2 configuration.
func newK3sCommand(io streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "k3s",
		Short: "Look at the k3s or RKE2 configuration of a node",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newK3sEffectiveCommand(io))
	return cmd
}

// k3sEffectiveFlags are the flags of `berth k3s effective`.
type k3sEffectiveFlags struct {
	root         string
	units        []string
	distribution string
	role         string
	output       string
}

func newK3sEffectiveCommand(io streams) *cobra.Command {
	var flags k3sEffectiveFlags
	cmd := &cobra.Command{
		Use:   "effective [--root DIR] [--unit FILE]...",
		Short: "Print the taints with which a node registers, or what would stop its agent",
		Long: `Read config.yaml, config.yaml.d and the flags of the systemd unit exactly as k3s does, and print
each taint with the file and line that asks for it. Nothing is run and nothing is changed.

DIR is the root of a machine's file system (with etc/rancher/k3s below it), a folder that holds
config.yaml or config.yaml.d, or a tree that "berth generate" wrote, with one such folder per node.

Exit status: 0 when the agent would start with all that was asked for, 1 when it would not start or
a taint would be lost, 2 when something could not be read.`,
		Example: `  # on a node
  sudo berth k3s effective
  # what "berth generate" wrote, for all nodes
  berth k3s effective --root generated
  # a copy of a node's files, and the script that joins the node
  berth k3s effective --root backup/node-1 --unit scripts/join.sh`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return runK3sEffective(flags, io) },
	}
	f := cmd.Flags()
	f.StringVar(&flags.root, "root", "/", "folder to read, see above")
	f.StringArrayVar(&flags.units, "unit", nil,
		"systemd unit, install script or start script with more flags; repeatable (default: the units below DIR)")
	f.StringVar(&flags.distribution, "distribution", string(v1alpha1.K3s), "k3s or rke2")
	f.StringVar(&flags.role, "role", "", "server or agent, where no unit says it")
	f.StringVarP(&flags.output, "output", "o", "text", "text or json")
	return cmd
}

func (f k3sEffectiveFlags) validate() error {
	for _, flag := range []struct{ name, value, a, b string }{
		{"distribution", f.distribution, string(v1alpha1.K3s), string(v1alpha1.RKE2)},
		{"output", f.output, "text", "json"},
	} {
		if flag.value != flag.a && flag.value != flag.b {
			return fmt.Errorf("--%s: %q is neither %s nor %s", flag.name, flag.value, flag.a, flag.b)
		}
	}
	if role := k3s.Role(f.role); role != "" && role != k3s.Server && role != k3s.Agent {
		return fmt.Errorf("--role: %q is neither server nor agent", f.role)
	}
	return nil
}

func runK3sEffective(f k3sEffectiveFlags, io streams) error {
	if err := f.validate(); err != nil {
		return err
	}
	reports, err := f.reports()
	if err != nil {
		return err
	}
	if f.output == "json" {
		err = writeK3sJSON(io, reports)
	} else {
		err = writeK3sText(io.out, reports)
	}
	if err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	for _, r := range reports {
		if r.Failed() {
			return &exitError{code: exitFindings}
		}
	}
	return nil
}

// reports reads everything the flags name.
func (f k3sEffectiveFlags) reports() ([]*k3s.Report, error) {
	if _, err := os.Stat(f.root); err != nil {
		return nil, fmt.Errorf("--root: %w", err)
	}
	distribution := v1alpha1.Distribution(f.distribution)
	fsys := os.DirFS(f.root)
	sites, err := k3s.Discover(fsys, distribution)
	if errors.Is(err, k3s.ErrNoConfig) && len(f.units) > 0 {
		sites, err = []k3s.Site{{Base: "config.yaml"}}, nil // a node without files, all in flags
	}
	if err != nil {
		return nil, fmt.Errorf("--root %s: %w", f.root, err)
	}
	var all []*k3s.Report
	for _, site := range sites {
		starts, err := f.starts(fsys, site)
		if err != nil {
			return nil, err
		}
		reports, err := k3s.EffectiveOf(k3s.Input{
			FS: fsys, Site: site, Distribution: distribution, Role: k3s.Role(f.role),
		}, starts)
		if err != nil {
			return nil, err
		}
		all = append(all, reports...)
	}
	return all, nil
}

// starts reads the units that were named, or else those of the machine.
func (f k3sEffectiveFlags) starts(fsys fs.FS, site k3s.Site) ([]*k3s.Start, error) {
	distribution := v1alpha1.Distribution(f.distribution)
	var starts []*k3s.Start
	read := func(fsys fs.FS, name, shown string) error {
		start, err := k3s.ReadStart(fsys, name, shown, distribution)
		starts = append(starts, start)
		return err
	}
	for _, unit := range f.units {
		if err := read(os.DirFS(filepath.Dir(unit)), filepath.Base(unit), filepath.ToSlash(unit)); err != nil {
			return nil, fmt.Errorf("--unit %s: %w", unit, err)
		}
	}
	if len(f.units) == 0 && site.Rooted {
		for _, unit := range k3s.Units(fsys, distribution) {
			if err := read(fsys, unit, unit); err != nil {
				return nil, err
			}
		}
	}
	return starts, nil
}

func writeK3sJSON(io streams, reports []*k3s.Report) error {
	enc := json.NewEncoder(io.out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(struct {
		Nodes []*k3s.Report `json:"nodes"`
	}{reports})
}
