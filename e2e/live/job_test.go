package live_test

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-dev/berth/e2e/harness"
)

const (
	example = "../../examples/live"
	space   = "berth" // the example's namespace
)

// jobs is a cluster in which examples/live runs. kai-desktop-tower is a real node; kai-server and kai-desktop-tower-wsl are
// objects that take no pod, so that there is no home left for the Job.
type jobs struct {
	*site
	node1 *harness.Node
	cron  *batchv1.CronJob
	began *batchv1.Job // as it came out of the example
}

// TestTheJobOfTheExample runs what examples/live holds: the image that the source makes, under the name that the manifests pin,
// in a Job whose pod kube-controller-manager makes and a kubelet runs, with the account and the rights of the example.
//
// Two things are not as in the example. The pods are on the host's network and told where the API server listens, because there
// is no network for pods here and the server is on loopback; so the namespace has to admit that. And the CronJob is suspended,
// so that its runs are the ones that the test makes of it.
func TestTheJobOfTheExample(t *testing.T) {
	j := newJobs(t)
	t.Run("the Job taints the node", func(t *testing.T) {
		said := j.run(t, j.began, batchv1.JobComplete, "")
		if !has(j.node(t, j.node1.Name), ours) {
			t.Errorf("the node has %v, and the Job said:\n%s", j.node(t, j.node1.Name).Spec.Taints, said)
		}
	})
	t.Run("a run of the CronJob on the tainted node changes nothing", func(t *testing.T) {
		before := j.node(t, j.node1.Name)
		said := j.run(t, j.once("again"), batchv1.JobComplete, "")
		if !strings.Contains(said, "nothing to change") {
			t.Errorf("the Job said:\n%s", said)
		}
		after := j.node(t, j.node1.Name)
		if fmt.Sprint(after.Spec, after.Annotations, after.Labels) != fmt.Sprint(before.Spec, before.Annotations, before.Labels) {
			t.Errorf("the node changed from %v to %v", before, after)
		}
	})
	j.PatchNode(t, j.node1.Name, `{"spec":{"taints":[]}}`) // by hand
	t.Run("a step that is not safe yet fails the Job at once and says what is missing", func(t *testing.T) {
		said := j.run(t, j.unsafe(t), batchv1.JobFailed, batchv1.JobReasonPodFailurePolicy)
		if !strings.Contains(said, "Deployment default/allowed: does not tolerate berth.dev/wsl=flaky:NoSchedule") {
			t.Errorf("the Job said:\n%s", said)
		}
	})
	t.Run("a rule of RBAC that is missing is named", func(t *testing.T) {
		if err := j.client.RbacV1().ClusterRoleBindings().Delete(t.Context(), "berth-apply", metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		said := j.run(t, j.once("without-rights"), batchv1.JobFailed, batchv1.JobReasonBackoffLimitExceeded)
		if !strings.Contains(said, `the rule that is missing in a ClusterRole: {apiGroups: [""], resources: [nodes], verbs: [get]}`) {
			t.Errorf("the Job said:\n%s", said)
		}
	})
	if has(j.node(t, j.node1.Name), ours) {
		t.Error("a Job that failed tainted the node")
	}
}

func newJobs(t *testing.T) *jobs {
	t.Helper()
	j := &jobs{site: newSite(t)}
	j.StartControllers(t)
	j.serviceAccount(t)
	for _, name := range []string{"kai-server", "kai-desktop-tower-wsl"} {
		j.AddNode(t, name, nil)
		if _, err := j.client.CoreV1().Nodes().Patch(t.Context(), name, types.MergePatchType,
			[]byte(`{"status":{"allocatable":{"pods":"0"}}}`), metav1.PatchOptions{}, "status"); err != nil {
			t.Fatal(err)
		}
	}
	j.node1 = harness.NewNode(t, j.Cluster, "kai-desktop-tower")
	j.untouched(t, j.node1.Name)
	r := j.tools.RunBerth(t, "", nil, "build", example)
	if r.Code != 0 {
		t.Fatalf("berth build: %s", r.Errors)
	}
	j.install(t, harness.Objects(t, []byte(r.Out)))
	j.node1.ImportLayout(t, j.tools.Image, j.cron.Spec.JobTemplate.Spec.Template.Spec.Containers[0].Image)
	return j
}

// install creates the objects of the example, but for the Job, which waits for its image.
func (j *jobs) install(t *testing.T, objects []*unstructured.Unstructured) {
	t.Helper()
	server := harness.NewServer(t, j.Config)
	for _, o := range objects {
		switch o.GetKind() {
		case "Namespace":
			o.SetLabels(map[string]string{"pod-security.kubernetes.io/enforce": "privileged"})
		case "Job":
			j.began = &batchv1.Job{}
			convert(t, o, j.began)
			continue
		case "CronJob":
			j.cron = &batchv1.CronJob{}
			convert(t, o, j.cron)
			if err := unstructured.SetNestedField(o.Object, true, "spec", "suspend"); err != nil {
				t.Fatal(err)
			}
		}
		resource, err := server.Of(o)
		if err != nil {
			t.Fatal(err)
		}
		harness.Eventually(t, soon, func() error {
			_, err := resource.Create(t.Context(), o, metav1.CreateOptions{FieldValidation: metav1.FieldValidationStrict})
			return err
		})
	}
}

func convert(t *testing.T, from *unstructured.Unstructured, to any) {
	t.Helper()
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(from.Object, to); err != nil {
		t.Fatal(err)
	}
}

// once is what `kubectl create job NAME --from=cronjob/berth-apply` makes.
func (j *jobs) once(name string) *batchv1.Job {
	return &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{Namespace: space, Name: name, Annotations: map[string]string{"cronjob.kubernetes.io/instantiate": "manual"}},
		Spec:       *j.cron.Spec.JobTemplate.Spec.DeepCopy(),
	}
}

// unsafe is a run with another intent: it allows a Deployment that does not tolerate the taint.
func (j *jobs) unsafe(t *testing.T) *batchv1.Job {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(example, "taints.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	config := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: space, Name: "unsafe"},
		Data:       map[string]string{"taints.yaml": string(text) + "    - {workload: {kind: Deployment, namespace: default, name: allowed}, tolerate: [wsl], reason: test}\n"},
	}
	if _, err := j.client.CoreV1().ConfigMaps(space).Create(t.Context(), config, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	deployment := `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"namespace":"default","name":"allowed"},"spec":{"replicas":0,` +
		`"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"x"}]}}}}`
	j.create(t, []byte(deployment))
	job := j.once("unsafe")
	job.Spec.Template.Spec.Volumes[0].ConfigMap.Name = config.Name
	return job
}

// run creates a Job, waits until it has ended in a way and for a reason, and gives what its last pod printed.
func (j *jobs) run(t *testing.T, job *batchv1.Job, end batchv1.JobConditionType, reason string) string {
	t.Helper()
	server, err := url.Parse(j.Config.Host)
	if err != nil {
		t.Fatal(err)
	}
	pod := &job.Spec.Template.Spec
	pod.HostNetwork = true
	pod.Containers[0].Env = append(pod.Containers[0].Env,
		corev1.EnvVar{Name: "KUBERNETES_SERVICE_HOST", Value: server.Hostname()}, corev1.EnvVar{Name: "KUBERNETES_SERVICE_PORT", Value: server.Port()})
	if _, err := j.client.BatchV1().Jobs(space).Create(t.Context(), job, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	harness.Eventually(t, 4*time.Minute, func() error {
		got, err := j.client.BatchV1().Jobs(space).Get(t.Context(), job.Name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		for _, c := range got.Status.Conditions {
			switch {
			case c.Status != corev1.ConditionTrue || c.Type != batchv1.JobComplete && c.Type != batchv1.JobFailed:
			case c.Type != end || reason != "" && c.Reason != reason:
				return harness.Fatal{Err: fmt.Errorf("the Job is %s, %s: %s: %s", c.Type, c.Reason, c.Message, j.printed(t, job.Name))}
			default:
				return nil
			}
		}
		return fmt.Errorf("%w: %+v", errWaiting, got.Status)
	})
	return j.printed(t, job.Name)
}

func (j *jobs) printed(t *testing.T, job string) string {
	t.Helper()
	list, err := j.client.CoreV1().Pods(space).List(t.Context(), metav1.ListOptions{LabelSelector: "batch.kubernetes.io/job-name=" + job})
	if err != nil || len(list.Items) == 0 {
		t.Fatalf("%d pods of %s, %v", len(list.Items), job, err)
	}
	pod := list.Items[len(list.Items)-1]
	if pod.Spec.NodeName != j.node1.Name {
		t.Errorf("pod %s ran on %q", pod.Name, pod.Spec.NodeName)
	}
	said := j.node1.Logged(t, &pod, "berth")
	if ended := pod.Status.ContainerStatuses[0].State.Terminated; ended != nil && ended.ExitCode != 0 && !strings.Contains(said, strings.TrimSpace(ended.Message)) {
		t.Errorf("the pod's status does not repeat the log:\n%s", ended.Message)
	}
	return said
}
