package world

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// operator is a controller that makes CRDs when it meets an object, and not before: what berth.yaml calls runtimeCRDs.
type operator struct {
	namespace, deployment string
	meets                 kind
	makes                 []kind
}

var operators = []operator{
	{"cdi", "cdi-operator", clusterWide("cdi.kubevirt.io", "v1beta1", "CDI"), []kind{
		clusterWide("cdi.kubevirt.io", "v1beta1", "StorageProfile"),
		namespaced("cdi.kubevirt.io", "v1beta1", "DataVolume"),
	}},
	{"kubevirt", "virt-operator", namespaced("kubevirt.io", "v1", "KubeVirt"), []kind{
		namespaced("kubevirt.io", "v1", "VirtualMachine"),
	}},
}

// operate does what the operators that run do.
func (w *World) operate(ctx context.Context) error {
	for _, op := range operators {
		deployment, err := w.typed.AppsV1().Deployments(op.namespace).Get(ctx, op.deployment, metav1.GetOptions{})
		if apierrors.IsNotFound(err) || err == nil && deployment.Status.AvailableReplicas == 0 {
			continue
		}
		if err != nil {
			return err
		}
		met, err := w.objects(ctx, op.meets)
		if err != nil {
			return err
		}
		if len(met) == 0 {
			continue
		}
		if err := w.bring(ctx, op.makes...); err != nil {
			return err
		}
	}
	return nil
}
