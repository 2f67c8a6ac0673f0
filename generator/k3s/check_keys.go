package k3s

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/api/strict"
	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
)

// serverKeys are the keys that only `k3s server` and `rke2 server` know (docs.k3s.io/cli/server, docs.rke2.io's server
// reference, and k3s-io/k3s pkg/cli/cmds). A flag of the agent is valid on servers too and does not stand here.
var serverKeys = []string{
	"advertise-address", "advertise-port", "agent-token", "agent-token-file", "cluster-cidr", "cluster-dns",
	"cluster-domain", "cluster-init", "cluster-reset", "cluster-reset-restore-path", "cni", "datastore-cafile",
	"datastore-certfile", "datastore-endpoint", "datastore-keyfile", "default-local-storage-path", "disable",
	"disable-agent", "disable-apiserver", "disable-cloud-controller", "disable-controller-manager", "disable-etcd",
	"disable-helm-controller", "disable-kube-proxy", "disable-network-policy", "disable-scheduler",
	"egress-selector-mode", "embedded-registry", "enable-pprof", "enable-servicelb", "etcd-arg",
	"etcd-disable-snapshots", "etcd-expose-metrics", "etcd-s3", "etcd-s3-access-key", "etcd-s3-bucket",
	"etcd-s3-config-secret", "etcd-s3-endpoint", "etcd-s3-endpoint-ca", "etcd-s3-folder", "etcd-s3-insecure",
	"etcd-s3-proxy", "etcd-s3-region", "etcd-s3-secret-key", "etcd-s3-skip-ssl-verify", "etcd-s3-timeout",
	"etcd-snapshot-compress", "etcd-snapshot-dir", "etcd-snapshot-name", "etcd-snapshot-retention",
	"etcd-snapshot-schedule-cron", "flannel-backend", "flannel-external-ip", "flannel-ipv6-masq", "helm-job-image",
	"https-listen-port", "ingress-controller", "kube-apiserver-arg", "kube-cloud-controller-arg",
	"kube-cloud-controller-manager-arg", "kube-controller-arg", "kube-controller-manager-arg", "kube-scheduler-arg",
	"secrets-encryption", "secrets-encryption-provider", "service-cidr", "service-node-port-range",
	"servicelb-namespace", "supervisor-metrics", "tls-san", "tls-san-security", "write-kubeconfig",
	"write-kubeconfig-group", "write-kubeconfig-mode",
}

// checkKeys looks at every key of every file, whether or not a later file replaced it.
func (e *effective) checkKeys() {
	for _, file := range e.config.files {
		shared := file.ours || slices.ContainsFunc(file.entries, func(en entry) bool { return en.key == nodeTaint })
		for _, en := range file.entries {
			src := at(file.path, en.line)
			switch {
			case en.key == "":
				e.addStopping(e.stopsOnUnknown(), noKey(src))
			case misspelled(en.key):
				e.addStopping(e.stopsOnUnknown(), e.unknownKey(src, en))
			case slices.Contains(serverKeys, en.key) && (e.report.Role == Agent || e.report.Role == "" && shared):
				e.addStopping(e.stopsOnUnknown(), e.serverKey(src, en.key))
			}
		}
	}
}

// nodeKeys are the real keys among which a misspelled one is told from node-taint.
var nodeKeys = []string{nodeTaint, nodeLabel, "node-name", "node-ip", "node-external-ip", "node-internal-dns", "node-external-dns"}

// misspelled reports whether a key looks like node-taint and is not.
func misspelled(key string) bool {
	if slices.Contains(nodeKeys, key) {
		return false
	}
	plain := strings.Trim(strings.ToLower(key), " -")
	switch plain {
	case "taint", "taints", "register-with-taints":
		return true
	}
	return strict.Nearest(plain, nodeKeys) == nodeTaint
}

func (e *effective) unknownKey(src finding.Source, en entry) finding.Finding {
	f := finding.Finding{Code: "unknown-key", Severity: finding.Error, Source: src,
		Message: fmt.Sprintf("there is no flag %q, so its taints are never applied: %s", en.key, e.onUnknown()),
		Action:  "Did you mean node-taint?"}
	if en.appends {
		f.Action = "Did you mean node-taint+?"
	}
	return f
}

// noKey is about a top-level list of maps, which yaml.v2 takes for a list of its own items, without names.
func noKey(src finding.Source) finding.Finding {
	return finding.Finding{Code: "config-invalid", Severity: finding.Error, Source: src,
		Message: "an entry has no flag name, and nothing of it is applied",
		Action:  "Write one `flag-name: value` per line, without a dash in front."}
}

func (e *effective) serverKey(src finding.Source, key string) finding.Finding {
	f := finding.Finding{Code: "server-only-key", Severity: finding.Warning, Source: src,
		Message: fmt.Sprintf("only a server knows %s: on an agent %s", key, e.onAgent()),
		Action:  "Move it to a file that only servers have."}
	if e.stopsOnUnknown() {
		f.Severity = finding.Error
	}
	return f
}

// stopsOnUnknown: k3s filters keys that the command does not know for the server only, RKE2 for the agent as well.
func (e *effective) stopsOnUnknown() bool {
	return e.report.Role == Agent && e.Distribution == v1alpha1.K3s
}

func (e *effective) onAgent() string {
	if e.Distribution == v1alpha1.RKE2 {
		return "it is skipped with a warning"
	}
	return `k3s exits with "flag provided but not defined"`
}

func (e *effective) onUnknown() string {
	switch {
	case e.Distribution == v1alpha1.RKE2 || e.report.Role == Server:
		return "it is skipped with a warning"
	case e.report.Role == Agent:
		return e.onAgent()
	}
	return "a server skips it with a warning, and on an agent " + e.onAgent()
}
