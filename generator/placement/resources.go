package placement

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// resources looks at what the pod requests: whether the node offers so much at all, not whether it is free.
func (j *judgement) resources() {
	for _, name := range slices.Sorted(maps.Keys(j.pod.requests)) {
		want := j.pod.requests[name]
		switch {
		case want.IsZero():
		case j.node.Allocatable != nil:
			j.offered(name, want)
		case extended(name) && j.node.Promised != nil && !j.pod.past():
			j.promised(name)
		case extended(name): // every node has some CPU and memory, and nothing is known of how much
			j.unknown(CodeResourceUnknown, fmt.Sprintf("requests %s, and it is not known what the node offers", name), giveNodes)
		}
	}
}

// offered compares a request with what a node is known to offer.
func (j *judgement) offered(name corev1.ResourceName, want resource.Quantity) {
	offered, found := j.node.Allocatable[name]
	switch {
	case !found && extended(name) && j.pod.past():
		j.note(CodeResource, fmt.Sprintf("requests %s, which the node does not offer; the kubelet lets a pod that the scheduler did not place start without it", name))
	case !found && extended(name):
		j.block(CodeResource, fmt.Sprintf("requests %s, which the node does not offer", name), "let a device plugin advertise it there first, or remove the request")
	case want.Cmp(offered) > 0:
		j.block(CodeResource, fmt.Sprintf("requests %s of %s, and the node offers %s", want.String(), name, offered.String()), "request less")
	case extended(name):
		j.add(Permits, CodeOffered, fmt.Sprintf("requests %s, which the node offers", name), "")
	}
}

// promised looks at what the DevicePlugins say.
func (j *judgement) promised(name corev1.ResourceName) {
	there, claimed := j.node.Promised[name]
	switch {
	case there:
		j.add(Permits, CodeOffered, fmt.Sprintf("requests %s, which a DevicePlugin is to offer here", name), "switch to the request only once berth confirm has seen it advertised")
	case claimed:
		j.block(CodeResource, fmt.Sprintf("requests %s, and the DevicePlugin that offers it does not name this node", name), "add the node to the DevicePlugin's nodes, if it has the device")
	default:
		j.unknown(CodeResourceUnknown, fmt.Sprintf("requests %s, and it is not known what the node offers", name), giveNodes)
	}
}

// extended says whether a resource is one that something outside Kubernetes advertises: its name has a prefix that is
// not Kubernetes' own (Kubernetes: pkg/apis/core/v1/helper, IsExtendedResourceName).
func extended(name corev1.ResourceName) bool {
	text := string(name)
	return strings.Contains(text, "/") && !strings.Contains(text, corev1.ResourceDefaultNamespacePrefix)
}
