package main

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/berth-dev/berth/deviceplugin/config"
	"github.com/berth-dev/berth/deviceplugin/discover"
	"github.com/berth-dev/berth/deviceplugin/drm"
)

// nothing says in one line why a node has no devices: what was looked for, and what is there instead.
func nothing(cfg config.Config, result discover.Result, fsys fs.FS) string {
	there := make([]string, 0, len(result.Cards))
	for _, c := range result.Cards {
		there = append(there, c.String())
	}
	if len(there) == 0 {
		there = drm.Displays(fsys)
	}
	seen := "no GPU is bound to a driver and no display controller is on the PCI bus"
	if len(there) > 0 {
		seen = "there is " + strings.Join(there, "; ")
	}
	return fmt.Sprintf("no devices found; looked for %s; %s", strings.Join(discover.LookedFor(cfg.Resources), "; "), seen)
}
