package k3s

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"

	"github.com/berth-dev/berth/generator/finding"
)

// checkKubelet finds what beats node-taint inside the kubelet: its own flag, and a registerWithTaints in a later drop-in
// of kubelet.conf.d (a list there replaces the list, RFC 7396). k3s writes node-taint into the first drop-in of that
// folder, 00-k3s-defaults.conf, and copies what the kubelet arguments config and config-dir name behind it.
func (e *effective) checkKubelet() {
	for _, v := range e.values("kubelet-arg") {
		name, value, _ := strings.Cut(strings.TrimLeft(v.Text, "-"), "=")
		switch name {
		case "register-with-taints":
			e.add(finding.Finding{Code: "kubelet-overrides", Severity: finding.Error, Source: v.Source,
				Message: fmt.Sprintf("the kubelet flag register-with-taints=%s replaces all of node-taint", value),
				Action:  "Move these taints to node-taint."})
		case "config-dir":
			e.kubeletDir(localPath(value))
		case "config":
			e.kubeletFile(localPath(value))
		}
	}
	e.kubeletDir(e.dataDir() + "/agent/etc/kubelet.conf.d")
}

func (e *effective) dataDir() string {
	dir := "/var/lib/rancher/" + string(e.Distribution)
	for _, key := range []string{"data-dir", "d"} {
		if v, ok := e.config.merged.last(key); ok {
			dir = v.Text
		}
	}
	if e.Invocation != nil {
		for _, v := range e.Invocation.flag("data-dir", "d") {
			dir = v.Text
		}
	}
	return localPath(dir)
}

// kubeletDir looks at the files that the kubelet reads: *.conf, at any depth.
func (e *effective) kubeletDir(dir string) {
	if !e.Site.Rooted {
		return
	}
	defaults := fmt.Sprintf("00-%s-defaults.conf", e.Distribution)
	_ = fs.WalkDir(e.FS, resolve(e.FS, dir), func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && path.Ext(p) == ".conf" && path.Base(p) != defaults {
			e.kubeletFile(p)
		}
		return nil // an absent folder is the usual case
	})
}

func (e *effective) kubeletFile(p string) {
	content, err := fs.ReadFile(e.FS, resolve(e.FS, p))
	if err != nil || !e.Site.Rooted {
		return
	}
	root := lines(content)
	if root == nil || root.Kind != yamlv3.MappingNode {
		return
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == "registerWithTaints" {
			e.add(finding.Finding{Code: "kubelet-overrides", Severity: finding.Error, Source: at(p, root.Content[i].Line),
				Message: "registerWithTaints in the kubelet's configuration replaces all of node-taint",
				Action:  "Move these taints to node-taint."})
		}
	}
}
