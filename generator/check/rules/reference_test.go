package rules

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
)

// The reference below clusters/ is clean but for the decisions that prod still has to make. Broken in each way that has
// cost somebody hours, it shows the finding that would have saved them.
func TestTheReferenceBrokenInEachWay(t *testing.T) {
	for name, c := range map[string]struct {
		edits [][3]string // file, what stands there, and what stands there instead
		code  string
		file  string
	}{
		"a path without substitution ships the token": {
			[][3]string{{"clusters/base/apps-vms.yaml", "  postBuild:\n    substituteFrom:\n      - kind: ConfigMap\n        name: cluster-vars\n", ""}},
			"substitution-missing", "clusters/apps/vms/build-agent.yaml"},
		"a shell's variable that is not escaped": {
			[][3]string{{"clusters/apps/vms/build-agent.yaml", "$${HOSTNAME:-this machine}", "${HOSTNAME}"}}, "shell-expansion", "clusters/apps/vms/build-agent.yaml"},
		"a variable that nobody sets": {
			[][3]string{{"clusters/apps/wave-0/plex.yaml", "${PLEX_CONFIG_SIZE}", "${PLEX_SIZE}"}}, "variable-undefined", "clusters/apps/wave-0/plex.yaml"},
		"prod inherits an address of dev": {
			[][3]string{{"clusters/prod/kustomization.yaml", "        K3S_API_HOST: TBD-PROD-K3S-API-HOST\n", ""}}, "variable-inherited", "clusters/prod/kustomization.yaml"},
		"a placeholder in dev": {
			[][3]string{{"clusters/dev/kustomization.yaml", "GATEWAY_VIP: 192.168.1.200", "GATEWAY_VIP: TBD-DEV-VIP"}}, "placeholder", "clusters/dev/kustomization.yaml"},
		"the VIP of the Gateway outside of the pool": {
			[][3]string{{"clusters/dev/kustomization.yaml", "GATEWAY_VIP: 192.168.1.200", "GATEWAY_VIP: 192.168.1.230"}}, "constraint-broken", "clusters/dev/kustomization.yaml"},
		"an address of dev in a manifest": {
			[][3]string{{"clusters/apps/wave-0/plex.yaml", "https://plex.${DOMAIN}", "https://192.168.1.200/${DOMAIN}"}}, "value-hardcoded", "clusters/apps/wave-0/plex.yaml"},
		"a number where text belongs": {
			[][3]string{{"clusters/base/cluster-vars.yaml", `BACKUP_RETAIN: '"3"'`, `BACKUP_RETAIN: "3"`}}, "value-type-changed", "clusters/apps/wave-2/backup.yaml"},
		"the storage profile in one pass with the CDI": {
			[][3]string{{"clusters/platform-config/kustomization.yaml", "resources:\n", "resources:\n  - ../platform-config-cdi\n"},
				{"clusters/base/platform-config-cdi.yaml", "./clusters/platform-config-cdi", "./clusters/platform-gpu"}},
			"crd-deadlock", "clusters/platform-config-cdi/storage-profile.yaml"},
		"machines that do not wait for the storage profile": {
			[][3]string{{"clusters/base/apps-vms.yaml", "    - name: platform-config-cdi\n", ""}}, "storage-profile-late", "clusters/apps/vms/build-agent.yaml"},
		"an overlay with a resource of its own": {
			[][3]string{{"clusters/dev/kustomization.yaml", "  - ../base\n", "  - ../base\n  - more.yaml\n"}, {"clusters/dev/more.yaml", "", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: more, namespace: flux-system}\n"}},
			"overlay-adds", "clusters/dev/more.yaml"},
		"an overlay that patches a Kustomization": {
			[][3]string{{"clusters/dev/kustomization.yaml", "patches:\n", "patches:\n  - target: {kind: Kustomization, name: platform}\n    patch: |\n      - {op: replace, path: /spec/wait, value: false}\n"}},
			"overlay-patches", "clusters/dev/kustomization.yaml"},
		"a dependency that was renamed": {
			[][3]string{{"clusters/base/apps-wave-1.yaml", "    - name: apps-wave-0\n", "    - name: apps-wave-zero\n"}}, "depends-on-missing", "clusters/base/apps-wave-1.yaml"},
		"tiers that wait for each other": {
			[][3]string{{"clusters/base/platform.yaml", "  dependsOn:\n", "  dependsOn:\n    - name: apps-wave-0\n"}}, "depends-on-cycle", "clusters/base/apps-wave-0.yaml"},
		"a folder that was renamed": {
			[][3]string{{"clusters/base/apps-wave-2.yaml", "./clusters/apps/wave-2", "./clusters/apps/wave2"}}, "path-not-found", "clusters/base/apps-wave-2.yaml"},
		"the device plugin in a tier that gates the applications": {
			[][3]string{{"clusters/platform/kustomization.yaml", "resources:\n", "resources:\n  - gpu.yaml\n"}, {"clusters/platform/gpu.yaml", "", devicePluginManifest}},
			"optional-gates", "clusters/base/platform.yaml"},
		"an image of a device plugin without digest": {
			[][3]string{{"clusters/platform-gpu/kustomization.yaml", "resources:\n", "resources:\n  - gpu.yaml\n"}, {"clusters/platform-gpu/gpu.yaml", "", devicePluginManifest}},
			"image-unpinned", "clusters/platform-gpu/gpu.yaml"},
		"a remote base": {
			[][3]string{{"clusters/platform-gpu/kustomization.yaml", "resources:\n", "resources:\n  - https://github.com/intel/intel-device-plugins-for-kubernetes//deployments/gpu_plugin/base?ref=v0.37.0\n"}},
			"remote-base", "clusters/platform-gpu/kustomization.yaml"},
		"a device that Plex cannot open": {
			[][3]string{{"clusters/apps/wave-0/plex.yaml", "            - name: config\n              mountPath: /config\n", "            - name: config\n              mountPath: /config\n            - name: dri\n              mountPath: /dev/dri\n"},
				{"clusters/apps/wave-0/plex.yaml", "      volumes:\n", "      volumes:\n        - name: dri\n          hostPath: {path: /dev/dri}\n"}},
			"device-hostpath", "clusters/apps/wave-0/plex.yaml"},
		"a resource that no node advertises": {
			[][3]string{{"clusters/apps/wave-0/plex.yaml", "              memory: 1Gi\n", "              memory: 1Gi\n            limits:\n              nvidia.com/gpu: 1\n"}},
			"resource-unadvertised", "clusters/apps/wave-0/plex.yaml"},
		"a consumer before the evidence": {
			[][3]string{{"clusters/apps/wave-0/plex.yaml", "              memory: 1Gi\n", "              memory: 1Gi\n            limits:\n              gpu.intel.com/i915: 1\n"}},
			"stage-not-consume", "clusters/apps/wave-0/plex.yaml"},
		"the allowlist without the component": {
			[][3]string{{"clusters/base/platform.yaml", "../generated/component", "../platform-gpu"}, {"clusters/platform-gpu/kustomization.yaml", "kind: Kustomization\n", "kind: Component\n"},
				{"clusters/platform-gpu/kustomization.yaml", "v1beta1", "v1alpha1"}},
			"allow-not-arrived", "clusters/platform/node-exporter.yaml"},
		"an intent that changed after berth generate": {
			[][3]string{{"clusters/taints.yaml", "value: flaky", "value: broken"}}, "record-stale", "clusters/generated/record"},
		"a generated file that was edited": {
			[][3]string{{"clusters/generated/taint-nodes.sh", "flaky", "other"}}, "generated-stale", "clusters/generated/taint-nodes.sh"},
		"an encrypted file in a path without decryption": {
			[][3]string{{"clusters/apps/wave-0/kustomization.yaml", "resources:\n", "resources:\n  - secret.yaml\n"},
				{"clusters/apps/wave-0/secret.yaml", "", "apiVersion: v1\nkind: Secret\nmetadata: {name: claim, namespace: plex}\nstringData: {claim: \"ENC[x]\"}\nsops: {mac: \"ENC[x]\"}\n"}},
			"encrypted-undecrypted", "clusters/apps/wave-0/secret.yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := reference(t)
			for _, e := range c.edits {
				change(t, filepath.Join(dir, filepath.FromSlash(e[0])), e[1], e[2])
			}
			var others []string
			for _, f := range findings(t, dir) {
				if f.Code == c.code && strings.HasPrefix(f.File, c.file) {
					return
				}
				if f.Severity != finding.Info {
					others = append(others, line(f))
				}
			}
			t.Errorf("no %s in %s, but\n%s", c.code, c.file, strings.Join(others, "\n"))
		})
	}
}

const devicePluginManifest = `apiVersion: apps/v1
kind: DaemonSet
metadata: {name: gpu, namespace: intel-gpu-plugin}
spec:
  selector: {matchLabels: {app: gpu}}
  template:
    metadata: {labels: {app: gpu}}
    spec:
      containers: [{name: plugin, image: "docker.io/intel/intel-gpu-plugin:0.37.0"}]
`

func TestTheReferenceIsCleanButForWhatProdHasToDecide(t *testing.T) {
	notes := 0
	for _, f := range findings(t, reference(t)) {
		if f.Code == "placeholder" && f.Severity == finding.Info && f.Environments[0] == "prod" {
			notes++
			continue
		}
		t.Error(line(f))
	}
	if notes != 7 {
		t.Errorf("%d placeholders", notes)
	}
}

// reference copies what the reference consists of.
func reference(t *testing.T) string {
	t.Helper()
	dir, root := t.TempDir(), filepath.Join("..", "..", "..")
	if err := os.CopyFS(filepath.Join(dir, "clusters"), os.DirFS(filepath.Join(root, "clusters"))); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, check.FileName))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, check.FileName, text)
	return dir
}

// change replaces a text that has to be in a file, or makes a file that is not there.
func change(t *testing.T, file, old, replacement string) {
	t.Helper()
	if old == "" {
		write(t, filepath.Dir(file), filepath.Base(file), []byte(replacement))
		return
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), old) {
		t.Fatalf("%s does not hold %q", file, old)
	}
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(string(text), old, replacement)), 0o644); err != nil {
		t.Fatal(err)
	}
}
