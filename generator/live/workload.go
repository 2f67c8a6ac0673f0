package live

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/generator/finding"
)

// Workload is an object of the cluster that makes pods.
type Workload struct {
	finding.Object
	Labels map[string]string
	Owners []metav1.OwnerReference
	// Template is what new pods are made from, before admission.
	Template corev1.PodSpec
	// Behind says what of the workload's pods is not of the template yet; empty when all are.
	Behind string
}

func workload(apiVersion, kind string, meta *metav1.ObjectMeta, template corev1.PodSpec, behind string) Workload {
	return Workload{
		Object: finding.Object{APIVersion: apiVersion, Kind: kind, Namespace: meta.Namespace, Name: meta.Name},
		Labels: meta.Labels, Owners: meta.OwnerReferences, Template: template, Behind: behind,
	}
}

func ofDeployment(d *appsv1.Deployment) Workload {
	return workload("apps/v1", "Deployment", &d.ObjectMeta, d.Spec.Template.Spec, behind(progress{
		seen: d.Status.ObservedGeneration >= d.Generation, wanted: replicas(d.Spec.Replicas), updated: d.Status.UpdatedReplicas, all: d.Status.Replicas,
	}))
}

func ofStatefulSet(s *appsv1.StatefulSet) Workload {
	return workload("apps/v1", "StatefulSet", &s.ObjectMeta, s.Spec.Template.Spec, behind(progress{
		seen: s.Status.ObservedGeneration >= s.Generation, wanted: replicas(s.Spec.Replicas), updated: s.Status.UpdatedReplicas, all: s.Status.Replicas,
	}))
}

func ofDaemonSet(d *appsv1.DaemonSet) Workload {
	return workload("apps/v1", "DaemonSet", &d.ObjectMeta, d.Spec.Template.Spec, behind(progress{
		seen: d.Status.ObservedGeneration >= d.Generation, wanted: d.Status.DesiredNumberScheduled, updated: d.Status.UpdatedNumberScheduled,
		all: d.Status.DesiredNumberScheduled,
	}))
}

func ofReplicaSet(r *appsv1.ReplicaSet) Workload {
	return workload("apps/v1", "ReplicaSet", &r.ObjectMeta, r.Spec.Template.Spec, "")
}

func ofCronJob(c *batchv1.CronJob) Workload {
	return workload("batch/v1", "CronJob", &c.ObjectMeta, c.Spec.JobTemplate.Spec.Template.Spec, "")
}

func ofJob(j *batchv1.Job) Workload {
	return workload("batch/v1", "Job", &j.ObjectMeta, j.Spec.Template.Spec, "")
}

// progress is how far a rollout is. Whether the pods are ready is not asked: a pod of a node that is to be tainted because
// it is flaky may never be.
type progress struct {
	seen                 bool // the controller has seen the newest template
	wanted, updated, all int32
}

// behind follows `kubectl rollout status` (kubectl, pkg/polymorphichelpers/rollout_status.go) up to the pods' readiness.
func behind(p progress) string {
	switch {
	case !p.seen:
		return "its controller has not seen the newest template"
	case p.updated < p.wanted:
		return fmt.Sprintf("%d of %d pods are of the newest template", p.updated, p.wanted)
	case p.all > p.updated:
		return fmt.Sprintf("%d pods of an older template still run", p.all-p.updated)
	}
	return ""
}

// replicas of a spec that leaves them out are 1 (Kubernetes API reference, apps/v1).
func replicas(n *int32) int32 {
	if n == nil {
		return 1
	}
	return *n
}
