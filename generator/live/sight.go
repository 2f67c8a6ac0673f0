package live

import (
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/daemonset"
	"github.com/berth-dev/berth/generator/finding"
)

// ReadPlugins reads what Sight looks at: nodes, pods and DaemonSets.
func (c *Cluster) ReadPlugins(ctx context.Context) (*Snapshot, error) { return c.read(ctx, Plugins) }

// Sighting is what was seen of a device plugin.
type Sighting struct {
	// Nodes are the expected nodes and what each offers, in the plugin's order.
	Nodes []v1alpha1.NodeEvidence
	// Missing says what keeps the sighting from being evidence, for each node that is not there yet.
	Missing []finding.Finding
}

// Sight looks for a device plugin: its DaemonSet with the image that the file names, a ready pod of it on every expected
// node, and what these nodes offer. What is missing is a finding with its reason.
func Sight(s *Snapshot, plugin *v1alpha1.DevicePlugin) *Sighting {
	l := &lookout{Snapshot: s, plugin: plugin, seen: &Sighting{}}
	if l.daemonSet() {
		for _, name := range plugin.Spec.Nodes {
			l.nodeOf(name)
		}
	}
	return l.seen
}

type lookout struct {
	*Snapshot
	plugin *v1alpha1.DevicePlugin
	seen   *Sighting
}

func (l *lookout) miss(about *finding.Object, code, message, action string) {
	l.seen.Missing = append(l.seen.Missing, finding.Finding{Code: code, Severity: finding.Error, Object: about, Message: message, Action: action})
}

func (l *lookout) object() finding.Object {
	return finding.Object{APIVersion: "apps/v1", Kind: "DaemonSet", Namespace: l.plugin.Spec.TargetNamespace, Name: l.plugin.PluginName()}
}

// daemonSet looks at the DaemonSet as a whole; false means that there is no point in looking at nodes.
func (l *lookout) daemonSet() bool {
	about := l.object()
	if l.plugin.ImageDigest() == "" {
		l.miss(nil, "image-without-digest", "the image of the DevicePlugin has no digest, so that nobody can say what was seen", "add the digest, deploy it, and confirm again")
		return false
	}
	i := slices.IndexFunc(l.Workloads, func(w Workload) bool { return w.String() == about.String() })
	if i < 0 {
		l.miss(&about, "daemonset-missing", "is not in the cluster", "deploy what berth generate wrote")
		return false
	}
	if image := otherImage(l.Workloads[i].Template, l.plugin.ImageDigest()); image != "" {
		l.miss(&about, "another-image", fmt.Sprintf("has the image %s, and the DevicePlugin asks for %s", image, l.plugin.Spec.Image), "deploy what berth generate wrote")
		return false
	}
	if behind := l.Workloads[i].Behind; behind != "" {
		l.miss(&about, "rollout-incomplete", behind, "wait for the rollout, or say --wait")
	}
	return true
}

// otherImage returns the first container's image when none of the containers has the digest. An image with a digest is
// what runs: the container runtime checks it.
func otherImage(pod corev1.PodSpec, digest string) string {
	for _, c := range pod.Containers {
		if strings.HasSuffix(c.Image, "@"+digest) {
			return ""
		}
	}
	if len(pod.Containers) == 0 {
		return "none"
	}
	return pod.Containers[0].Image
}

// nodeOf looks at one expected node.
func (l *lookout) nodeOf(name string) {
	node := l.node(name)
	if node == nil {
		l.miss(nodeObject(name), "node-missing", "is expected to offer the devices and is not in the cluster", "let it join, or take it out of spec.nodes")
		return
	}
	if why := l.podOn(name); why != "" {
		l.miss(nodeObject(name), "plugin-not-ready", why, "look at the pod's events: kubectl describe pod -n "+l.plugin.Spec.TargetNamespace)
		return
	}
	offers := v1alpha1.NodeEvidence{Name: name, Allocatable: map[string]int64{}}
	for _, resource := range l.plugin.Claims() {
		if amount, there := node.Status.Allocatable[corev1.ResourceName(resource)]; there {
			offers.Allocatable[resource] = amount.Value()
		}
	}
	if l.offersAll(node, offers) {
		l.seen.Nodes = append(l.seen.Nodes, offers)
	}
}

// podOn says why the plugin does not run on a node, or nothing.
func (l *lookout) podOn(node string) string {
	set := l.object()
	for _, pod := range l.podsOn(node) {
		owned := slices.ContainsFunc(pod.OwnerReferences, func(o metav1.OwnerReference) bool { return o.Kind == set.Kind && o.Name == set.Name })
		if !owned || pod.Namespace != set.Namespace {
			continue
		}
		if image := otherImage(pod.Spec, l.plugin.ImageDigest()); image != "" {
			return fmt.Sprintf("runs the image %s in pod %s", image, pod.Name)
		}
		for _, c := range pod.Status.Conditions {
			if c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue {
				return ""
			}
		}
		return fmt.Sprintf("has the pod %s, which is not ready%s", pod.Name, waiting(pod))
	}
	return "has no pod of " + set.String()
}

// waiting is what the kubelet says a container waits for.
func waiting(pod *corev1.Pod) string {
	for _, c := range pod.Status.ContainerStatuses {
		if w := c.State.Waiting; w != nil {
			return strings.TrimSuffix(": "+w.Reason+", "+w.Message, ", ")
		}
	}
	return ""
}

// offersAll says whether a node offers each resource that a consumer asks for; without consumers, any of the plugin's.
func (l *lookout) offersAll(node *corev1.Node, offers v1alpha1.NodeEvidence) bool {
	wanted := daemonset.Wanted(l.plugin)
	all := true
	for _, resource := range l.plugin.Claims() {
		if wanted[resource] > 0 && offers.Allocatable[resource] < 1 {
			all = false
			l.miss(nodeObject(node.Name), "resource-not-offered", lacks(node, resource), "look at the plugin's log on that node")
		}
	}
	if len(wanted) > 0 {
		return all
	}
	for _, count := range offers.Allocatable {
		if count > 0 {
			return true
		}
	}
	l.miss(nodeObject(node.Name), "resource-not-offered", "offers none of "+strings.Join(l.plugin.Claims(), ", "), "look at the plugin's log on that node")
	return false
}

func lacks(node *corev1.Node, resource string) string {
	capacity, there := node.Status.Capacity[corev1.ResourceName(resource)]
	switch {
	case !there:
		return "does not know " + resource + ": no plugin has registered it there"
	case capacity.IsZero():
		return "has a capacity of 0 of " + resource + ": the plugin is gone, or found no device"
	}
	return fmt.Sprintf("has a capacity of %d of %s and none that is allocatable: the plugin reports them as unhealthy", capacity.Value(), resource)
}
