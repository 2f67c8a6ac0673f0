package world

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// provision makes a volume for each claim that waits; the volume controller binds the two.
func (w *World) provision(ctx context.Context) error {
	claims, err := w.typed.CoreV1().PersistentVolumeClaims("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, claim := range claims.Items {
		if claim.Status.Phase == corev1.ClaimBound || claim.Spec.VolumeName != "" {
			continue
		}
		_, err := w.typed.CoreV1().PersistentVolumes().Create(ctx, volumeFor(claim), metav1.CreateOptions{})
		if err != nil && !apierrors.IsAlreadyExists(err) {
			return err
		}
	}
	return nil
}

func volumeFor(claim corev1.PersistentVolumeClaim) *corev1.PersistentVolume {
	class := ""
	if claim.Spec.StorageClassName != nil {
		class = *claim.Spec.StorageClassName
	}
	return &corev1.PersistentVolume{
		ObjectMeta: metav1.ObjectMeta{Name: "pv-" + string(claim.UID)},
		Spec: corev1.PersistentVolumeSpec{
			StorageClassName: class, AccessModes: claim.Spec.AccessModes, VolumeMode: claim.Spec.VolumeMode,
			Capacity:                      corev1.ResourceList{corev1.ResourceStorage: claim.Spec.Resources.Requests[corev1.ResourceStorage]},
			ClaimRef:                      &corev1.ObjectReference{Kind: "PersistentVolumeClaim", Namespace: claim.Namespace, Name: claim.Name, UID: claim.UID},
			PersistentVolumeReclaimPolicy: corev1.PersistentVolumeReclaimRetain,
			PersistentVolumeSource:        corev1.PersistentVolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: "/nowhere"}},
		},
	}
}
