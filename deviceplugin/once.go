package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/berth-dev/berth/deviceplugin/config"
	"github.com/berth-dev/berth/deviceplugin/device"
	"github.com/berth-dev/berth/deviceplugin/discover"
	"github.com/berth-dev/berth/deviceplugin/drm"
)

// advertised is a resource as -once shows it.
type advertised struct {
	Resource string   `json:"resource"`
	Devices  []listed `json:"devices"`
}

type listed struct {
	Device    string         `json:"device"`
	Shares    int            `json:"shares"`
	NUMA      *int64         `json:"numaNode,omitempty"`
	Nodes     []device.Node  `json:"nodes"`
	Mounts    []device.Mount `json:"mounts,omitempty"`
	Env       []device.Env   `json:"env,omitempty"`
	CDI       []string       `json:"cdi,omitempty"`
	RenderGID *uint32        `json:"renderGid,omitempty"`
}

// once prints what this node would advertise. What could not be read is a remark and not a failure.
func once(cfg config.Config, output string, stdout, stderr io.Writer) error {
	fsys := os.DirFS(root(cfg))
	result := discover.Scan(fsys, cfg.Resources)
	if result.Err != nil {
		fmt.Fprintln(stderr, "berth-device-plugin: not everything could be read:", result.Err)
	}
	all := make([]advertised, 0, len(result.Resources))
	for _, r := range result.Resources {
		a := advertised{Resource: r.Name}
		for _, d := range r.Devices {
			a.Devices = append(a.Devices, listed{
				Device: d.Identity, Shares: r.Shares, NUMA: d.NUMA,
				Nodes: d.Grant.Nodes, Mounts: d.Grant.Mounts, Env: d.Grant.Env, CDI: d.Grant.CDI,
				RenderGID: renderGID(cfg, d),
			})
		}
		all = append(all, a)
	}
	if output == "json" {
		e := json.NewEncoder(stdout)
		e.SetIndent("", "  ")
		return e.Encode(all)
	}
	return table(all, nothing(cfg, result, fsys), stdout)
}

func renderGID(cfg config.Config, d device.Device) *uint32 {
	for _, p := range d.Grant.HostPaths() {
		if gid, ok := drm.RenderGroup(os.DirFS(root(cfg)), p); ok {
			return &gid
		}
	}
	return nil
}

func table(all []advertised, nothing string, stdout io.Writer) error {
	if len(all) == 0 {
		fmt.Fprintln(stdout, nothing)
		return nil
	}
	w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "RESOURCE\tDEVICE\tSHARES\tNUMA\tRENDER GID\tNODES")
	for _, a := range all {
		for _, d := range a.Devices {
			nodes := device.Grant{Nodes: d.Nodes}.HostPaths()
			fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\n", a.Resource, d.Device, d.Shares, number(d.NUMA), number(d.RenderGID), strings.Join(nodes, ","))
		}
	}
	return w.Flush()
}

func number[T any](n *T) string {
	if n == nil {
		return "-"
	}
	return fmt.Sprint(*n)
}

// root is what stands for / when looking at sys and dev.
func root(cfg config.Config) string {
	if cfg.Prefix == "" {
		return "/"
	}
	return cfg.Prefix
}
