package bundle

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/header"
)

// script makes a shell script that taints the nodes that exist. `kubectl taint --overwrite` changes the value of that
// key and effect and nothing else, and succeeds when there is nothing to change; without --overwrite it fails on the
// second run even for an identical taint (kubectl, pkg/cmd/taint).
func script(intents []*v1alpha1.TaintIntent) File {
	var b strings.Builder
	b.WriteString("#!/bin/sh\n")
	b.WriteString(header.New("taints for the nodes that exist already", names(intents),
		"", "k3s applies node-taint only when a node registers; this is for nodes that have registered.",
		"It may be run again at any time. It adds or corrects the taints listed here and touches no other;",
		"a taint that the intent no longer lists is not removed. KUBECTL names another kubectl, such as",
		"KUBECTL='k3s kubectl'."))
	b.WriteString("set -u\nfailed=\n\n")
	b.WriteString("taint() {\n  ${KUBECTL:-kubectl} taint nodes \"$1\" \"$2\" --overwrite || failed=\"$failed $1\"\n}\n\n")
	for _, intent := range intents {
		for _, node := range intent.TaintedNodes() {
			for _, taint := range intent.NodeTaints(node) {
				fmt.Fprintf(&b, "taint %s '%s'\n", node, taint)
			}
		}
	}
	b.WriteString("\nif [ -n \"$failed\" ]; then\n  echo \"not tainted:$failed\" >&2\n  exit 1\nfi\n")
	return File{Path: "taint-nodes.sh", Content: []byte(b.String()), Mode: modeScript}
}
