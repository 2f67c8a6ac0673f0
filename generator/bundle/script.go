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
	b.WriteString(header.New("taints and labels for the nodes that exist already", names(intents),
		"", "k3s applies node-taint and node-label only when a node registers; this is for nodes that have registered.",
		"It may be run again at any time. It adds or corrects the taints and labels listed here and touches no other;",
		"one that the intent no longer lists is not removed. KUBECTL names another kubectl, such as",
		"KUBECTL='k3s kubectl'."))
	b.WriteString("set -u\nfailed=\n\n")
	b.WriteString(shellFunction("taint"))
	if labelled(intents) {
		b.WriteString(shellFunction("label"))
	}
	for _, intent := range intents {
		for _, node := range intent.NodeNames() {
			for _, label := range intent.NodeLabels(node) {
				fmt.Fprintf(&b, "label %s '%s'\n", node, label)
			}
			for _, taint := range intent.NodeTaints(node) {
				fmt.Fprintf(&b, "taint %s '%s'\n", node, taint)
			}
		}
	}
	done := "tainted"
	if labelled(intents) {
		done = "tainted or labelled"
	}
	b.WriteString("\nif [ -n \"$failed\" ]; then\n  echo \"not " + done + ":$failed\" >&2\n  exit 1\nfi\n")
	return File{Path: "taint-nodes.sh", Content: []byte(b.String()), Mode: modeScript}
}

func labelled(intents []*v1alpha1.TaintIntent) bool {
	for _, intent := range intents {
		for _, node := range intent.NodeNames() {
			if len(intent.NodeLabels(node)) > 0 {
				return true
			}
		}
	}
	return false
}

// shellFunction calls a command of kubectl's for a node, and notes the node once when it fails.
func shellFunction(command string) string {
	return command + `() {
  ${KUBECTL:-kubectl} ` + command + ` nodes "$1" "$2" --overwrite && return
  case "$failed " in
    *" $1 "*) ;;
    *) failed="$failed $1" ;;
  esac
}

`
}
