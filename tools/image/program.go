package main

import (
	"fmt"
	"slices"
	"strings"
)

const (
	sourceURL  = "https://github.com/berth-dev/berth"
	repository = "ghcr.io/berth-dev/"
)

// program is what an image holds.
type program struct {
	name        string
	mainPackage string
	description string
	tags        string              // of the build
	user        string              // and group, as numbers: Kubernetes can tell that 65532 is not root, and not that a name is not
	ports       map[string]struct{} // that it listens on
	source      []string            // folders of the module that the binary is built from
}

// programs are sorted by name.
func programs() []program {
	return []program{
		{
			name: "berth", mainPackage: "./functions/berth", user: "65532:65532", source: []string{"functions", "generator"},
			description: "Decides which workload may dock at which Kubernetes node, from files in Git",
		},
		{ // root, because the kubelet's folder for plugins is root's
			name: "berth-device-plugin", mainPackage: "./deviceplugin", user: "0:0", source: []string{"deviceplugin"},
			tags: "grpcnotrace", ports: map[string]struct{}{"8080/tcp": {}},
			description: "A device plugin for Kubernetes: GPUs, serial sticks and other devices for pods without privileges",
		},
	}
}

// chosen gives the programs that are named; all, where none is.
func chosen(names []string) ([]program, error) {
	all := programs()
	if len(names) == 0 {
		return all, nil
	}
	var some []program
	for _, name := range names {
		i := slices.IndexFunc(all, func(p program) bool { return p.name == name })
		if i < 0 {
			return nil, fmt.Errorf("%q is no program: there are %s", name, nameList(all))
		}
		some = append(some, all[i])
	}
	return some, nil
}

func nameList(all []program) string {
	names := make([]string, 0, len(all))
	for _, p := range all {
		names = append(names, p.name)
	}
	return strings.Join(names, ", ")
}

// labels are annotations of the index and labels of the images.
func (p program) labels(version string) map[string]string {
	return map[string]string{
		"org.opencontainers.image.title":       p.name,
		"org.opencontainers.image.description": p.description,
		"org.opencontainers.image.source":      sourceURL,
		"org.opencontainers.image.version":     version,
		"org.opencontainers.image.licenses":    "Apache-2.0",
	}
}
