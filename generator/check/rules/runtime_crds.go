package rules

import "github.com/berth-dev/berth/generator/api/v1alpha1"

// runtimeCRDs are the habits of controllers that Berth knows. CDI: cdi-operator's manifest holds the CRD of CDI alone, the
// others are resources of the operator (kubevirt/containerized-data-importer: pkg/operator/resources). KubeVirt: likewise
// with the CRD of KubeVirt (kubevirt/kubevirt: pkg/virt-operator/resource).
var runtimeCRDs = []v1alpha1.RuntimeCRD{
	{MadeBy: v1alpha1.KindRef{APIVersion: "cdi.kubevirt.io/v1beta1", Kind: "CDI"}, Kinds: []string{
		"CDIConfig.cdi.kubevirt.io", "DataImportCron.cdi.kubevirt.io", "DataSource.cdi.kubevirt.io", "DataVolume.cdi.kubevirt.io",
		"ObjectTransfer.cdi.kubevirt.io", "StorageProfile.cdi.kubevirt.io", "VolumeCloneSource.cdi.kubevirt.io",
		"VolumeImportSource.cdi.kubevirt.io", "VolumeUploadSource.cdi.kubevirt.io",
	}},
	{MadeBy: v1alpha1.KindRef{APIVersion: "kubevirt.io/v1", Kind: "KubeVirt"}, Kinds: []string{
		"VirtualMachine.kubevirt.io", "VirtualMachineInstance.kubevirt.io", "VirtualMachineInstancePreset.kubevirt.io",
		"VirtualMachineInstanceReplicaSet.kubevirt.io", "VirtualMachineInstanceMigration.kubevirt.io",
		"VirtualMachineInstancetype.instancetype.kubevirt.io", "VirtualMachineClusterInstancetype.instancetype.kubevirt.io",
		"VirtualMachinePreference.instancetype.kubevirt.io", "VirtualMachineClusterPreference.instancetype.kubevirt.io",
		"VirtualMachinePool.pool.kubevirt.io", "VirtualMachineSnapshot.snapshot.kubevirt.io", "MigrationPolicy.migrations.kubevirt.io",
	}},
}

// chartGroups are the API groups whose CRDs a well-known chart brings with it, by the chart's name.
var chartGroups = map[string][]string{
	"cert-manager":              {"cert-manager.io", "acme.cert-manager.io"},
	"cilium":                    {"cilium.io"},
	"cloudnative-pg":            {"postgresql.cnpg.io"},
	"external-secrets":          {"external-secrets.io", "generators.external-secrets.io"},
	"grafana-operator":          {"grafana.integreatly.org"},
	"istio-base":                {"networking.istio.io", "security.istio.io"},
	"kube-prometheus-stack":     {"monitoring.coreos.com"},
	"kyverno":                   {"kyverno.io", "policies.kyverno.io"},
	"longhorn":                  {"longhorn.io"},
	"metallb":                   {"metallb.io"},
	"prometheus-operator-crds":  {"monitoring.coreos.com"},
	"rook-ceph":                 {"ceph.rook.io"},
	"sealed-secrets":            {"bitnami.com"},
	"snapshot-controller":       {"snapshot.storage.k8s.io"},
	"system-upgrade-controller": {"upgrade.cattle.io"},
	"tailscale-operator":        {"tailscale.com"},
	"traefik":                   {"traefik.io"},
	"volsync":                   {"volsync.backube"},
}
