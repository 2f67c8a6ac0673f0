package daemonset

import (
	"fmt"
	"strconv"

	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/tree"
)

// offered sums up what the evidence saw on the expected nodes.
func (r *run) offered() map[string]int64 {
	all := map[string]int64{}
	seen := (&prover{plugin: r.plugin}).choose(r.in.Evidence)
	if seen == nil {
		return all
	}
	for _, node := range r.plugin.Spec.Nodes {
		for _, n := range seen.Spec.Nodes {
			for resource, count := range n.Allocatable {
				if n.Name == node {
					all[resource] += count
				}
			}
		}
	}
	return all
}

// rollout warns of a Deployment that needs more devices than there are, at rest or while it is rolled out: the new pod
// waits for the device of the old one, which stays until the new one is ready.
func (s *switcher) rollout() {
	if s.Object.Kind != "Deployment" {
		return
	}
	root, err := s.Item.Node()
	if err != nil {
		return
	}
	spec := tree.Lookup(root.YNode(), s.Object.At.Join("spec")...)
	replicas := number(spec, 1, "replicas")
	pods := replicas + surge(spec, replicas)
	for _, resource := range sorted(s.consumer.Resources) {
		count, offered := s.consumer.Resources[resource], s.seen[resource]
		switch {
		case replicas*count > offered:
			s.report(finding.Warning, "too-few-devices", s.Object.At.Join("spec", "replicas"),
				fmt.Sprintf("%d replicas ask for %d of %s, and the nodes offer %d", replicas, replicas*count, resource, offered), "run fewer")
		case pods*count > offered:
			s.report(finding.Warning, "rollout-waits", s.Object.At.Join("spec", "strategy"),
				fmt.Sprintf("a rollout runs %d pods, which ask for %d of %s, and the nodes offer %d: the new pod waits for the device of the old one for ever", pods, pods*count, resource, offered),
				"set strategy: {type: Recreate}, or rollingUpdate: {maxSurge: 0, maxUnavailable: 1}")
		}
	}
}

// surge is how many pods a rollout adds. Kubernetes' default is a quarter, rounded up.
func surge(spec *yaml.Node, replicas int64) int64 {
	if valueOf(spec, "strategy", "type") == "Recreate" {
		return 0
	}
	text := valueOf(spec, "strategy", "rollingUpdate", "maxSurge")
	if text == "" {
		text = "25%"
	}
	value := intstr.Parse(text)
	more, err := intstr.GetScaledValueFromIntOrPercent(&value, int(replicas), true)
	if err != nil {
		return 1
	}
	return int64(more)
}

func number(node *yaml.Node, otherwise int64, path ...string) int64 {
	if n, err := strconv.ParseInt(valueOf(node, path...), 10, 32); err == nil {
		return n
	}
	return otherwise
}
