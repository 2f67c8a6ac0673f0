package scheduler

import (
	"context"
	"math"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apiserver/pkg/admission"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	api "k8s.io/kubernetes/pkg/apis/core"
	apiv1 "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/pkg/apis/core/v1/helper"
	daemoncontroller "k8s.io/kubernetes/pkg/controller/daemon"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/feature"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeaffinity"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodename"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeunschedulable"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/tainttoleration"
	"k8s.io/kubernetes/plugin/pkg/admission/defaulttolerationseconds"
)

// kubernetes answers with Kubernetes' own code.
type kubernetes struct {
	filters  []fwk.FilterPlugin
	affinity fwk.PreFilterPlugin
	defaults *defaulttolerationseconds.Plugin
}

func newKubernetes(t *testing.T) *kubernetes {
	t.Helper()
	k := &kubernetes{defaults: defaulttolerationseconds.NewDefaultTolerationSeconds()}
	k.defaults.InspectFeatureGates(utilfeature.DefaultFeatureGate)
	features := feature.NewSchedulerFeaturesFromGates(utilfeature.DefaultFeatureGate)
	add := func(p fwk.Plugin, err error) fwk.Plugin {
		if err != nil {
			t.Fatal(err)
		}
		k.filters = append(k.filters, p.(fwk.FilterPlugin))
		return p
	}
	add(nodename.New(t.Context(), nil, nil, features))
	add(nodeunschedulable.New(t.Context(), nil, nil, features))
	add(tainttoleration.New(t.Context(), nil, nil, features))
	k.affinity = add(nodeaffinity.New(t.Context(), &config.NodeAffinityArgs{}, nil, features)).(fwk.PreFilterPlugin)
	return k
}

// admitted is the pod as the API server stores it.
func (k *kubernetes) admitted(t *testing.T, pod *corev1.Pod) *corev1.Pod {
	t.Helper()
	var internal api.Pod
	if err := apiv1.Convert_v1_Pod_To_core_Pod(pod.DeepCopy(), &internal, nil); err != nil {
		t.Fatal(err)
	}
	attributes := admission.NewAttributesRecord(&internal, nil, api.Kind("Pod").WithVersion("v1"), "apps", pod.Name, api.Resource("pods").WithVersion("v1"), "", admission.Create, nil, false, nil)
	if err := k.defaults.Admit(t.Context(), attributes, nil); err != nil {
		t.Fatal(err)
	}
	out := &corev1.Pod{}
	if err := apiv1.Convert_core_Pod_To_v1_Pod(&internal, out, nil); err != nil {
		t.Fatal(err)
	}
	return out
}

// schedules runs the scheduler's filters.
func (k *kubernetes) schedules(ctx context.Context, pod *corev1.Pod, node *corev1.Node) bool {
	info := framework.NewNodeInfo()
	info.SetNode(node)
	state := framework.NewCycleState()
	result, status := k.affinity.PreFilter(ctx, state, pod, []fwk.NodeInfo{info})
	if !status.IsSuccess() && !status.IsSkip() {
		return false
	}
	if !result.AllNodes() && !result.NodeNames.Has(node.Name) {
		return false
	}
	for _, filter := range k.filters {
		if filter == k.affinity.(fwk.FilterPlugin) && status.IsSkip() {
			continue
		}
		if !filter.Filter(ctx, state, pod, info).IsSuccess() {
			return false
		}
	}
	return len(noderesources.Fits(pod, info, nil, noderesources.ResourceRequestsOptions{})) == 0
}

// admits runs the kubelet's admission.
func (k *kubernetes) admits(pod *corev1.Pod, node *corev1.Node) bool {
	handler := lifecycle.NewPredicateAdmitHandler(
		func(context.Context, bool) (*corev1.Node, error) { return node, nil }, refuse{},
		func(*framework.NodeInfo, *lifecycle.PodAdmitAttributes) error { return nil })
	return handler.Admit(&lifecycle.PodAdmitAttributes{Pod: pod, Operation: lifecycle.AddOperation}).Admit
}

// refuse leaves a refused pod refused.
type refuse struct{}

func (refuse) HandleAdmissionFailure(_ context.Context, _ *corev1.Pod, reasons []lifecycle.PredicateFailureReason) ([]lifecycle.PredicateFailureReason, error) {
	return reasons, nil
}

// daemon asks the DaemonSet controller.
func (k *kubernetes) daemon(spec corev1.PodSpec, node *corev1.Node) (pod *corev1.Pod, starts, stays bool) {
	set := &appsv1.DaemonSet{}
	set.Name, set.Namespace = "w", "apps"
	set.Spec.Template.Spec = *spec.DeepCopy()
	starts, stays = daemoncontroller.NodeShouldRunDaemonPod(klog.Background(), node, set)
	pod = daemoncontroller.NewPod(set, node.Name)
	pod.Spec.NodeName = spec.NodeName
	return pod, starts, stays
}

// evicts says after how many seconds the taint eviction controller deletes a pod; -1 is never.
func evicts(pod *corev1.Pod, node *corev1.Node) int64 {
	var taints []corev1.Taint
	for _, taint := range node.Spec.Taints {
		if taint.Effect == corev1.TaintEffectNoExecute {
			taints = append(taints, taint)
		}
	}
	tolerated, used := helper.GetMatchingTolerations(klog.Background(), taints, pod.Spec.Tolerations)
	if len(taints) > 0 && !tolerated {
		return 0
	}
	seconds := int64(math.MaxInt64)
	for _, t := range used {
		if t.TolerationSeconds != nil {
			seconds = min(seconds, max(*t.TolerationSeconds, 0))
		}
	}
	if seconds == math.MaxInt64 {
		return -1
	}
	return seconds
}
