package harness

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Tools are the binaries that the tests run.
type Tools struct {
	Etcd, APIServer, Kubelet string
	Containerd, Ctr, Runc    string
	Shims                    string // folder with containerd-shim-runc-v2
	CNI                      string // folder with the plugins of the pods' network; "" where there is none
	Plugin, Probe            string
	PluginImage              string // OCI layout
	Controllers, Scheduler   string
	Berth                    string
	KustomizeController      string
	CRDs                     string // folder with the CRDs of others: flux/, gateway-api/
	Image                    string // OCI layout with berth's image
}

// FindTools looks for the binaries in the folder that BERTH_E2E_BIN names, where `make e2e` puts them. Without the variable the test is
// skipped; with it, a binary that is missing is a failure, except those that containers need: see ContainerTools.
func FindTools(t *testing.T) Tools {
	t.Helper()
	dir := os.Getenv("BERTH_E2E_BIN")
	if dir == "" {
		t.Skip("SKIPPED: BERTH_E2E_BIN does not name a folder with the binaries: run make e2e")
	}
	tools := Tools{
		Etcd: filepath.Join(dir, "etcd"), APIServer: filepath.Join(dir, "kube-apiserver"), Kubelet: filepath.Join(dir, "kubelet"),
		Plugin: filepath.Join(dir, "berth-device-plugin"), Probe: filepath.Join(dir, "probe"),
		PluginImage: filepath.Join(dir, "images", "berth-device-plugin"),
		Controllers: filepath.Join(dir, "kube-controller-manager"), Scheduler: filepath.Join(dir, "kube-scheduler"),
		Berth: filepath.Join(dir, "berth"), KustomizeController: filepath.Join(dir, "kustomize-controller"), CRDs: filepath.Join(dir, "crds"),
		Image: filepath.Join(dir, "images", "berth"),
	}
	for _, name := range []string{
		tools.Etcd, tools.APIServer, tools.Kubelet, tools.Plugin, tools.Probe, tools.Controllers, tools.Scheduler, tools.Berth,
		tools.KustomizeController, tools.CRDs, tools.PluginImage, tools.Image,
	} {
		if _, err := os.Stat(name); err != nil {
			t.Fatalf("%v: run make e2e", err)
		}
	}
	tools.Containerd = find(dir, "containerd")
	tools.Ctr = find(dir, "ctr")
	tools.Runc = find(dir, "runc")
	tools.Shims = filepath.Dir(find(dir, "containerd-shim-runc-v2"))
	tools.CNI = findCNI(filepath.Join(dir, "debian/usr/lib/cni"), "/opt/cni/bin", "/usr/lib/cni")
	return tools
}

// findCNI gives the first of some folders that has CNI plugins.
func findCNI(dirs ...string) string {
	for _, dir := range dirs {
		if _, err := os.Stat(filepath.Join(dir, "ptp")); err == nil {
			return dir
		}
	}
	return ""
}

// find looks in the distribution's packages, as unpacked by `make e2e`, and then in the PATH. It gives "" where there is none.
func find(dir, name string) string {
	for _, in := range []string{"usr/bin", "usr/sbin"} {
		file := filepath.Join(dir, "debian", in, name)
		if _, err := os.Stat(file); err == nil {
			return file
		}
	}
	file, _ := exec.LookPath(name)
	return file
}

// cannotRunContainers says why there can be no node here; nil where there can.
func (tools Tools) cannotRunContainers() error {
	if os.Geteuid() != 0 {
		return fmt.Errorf("this needs root, for mount namespaces and device nodes")
	}
	for name, file := range map[string]string{"containerd": tools.Containerd, "ctr": tools.Ctr, "runc": tools.Runc, "containerd-shim-runc-v2": tools.Shims} {
		if file == "" || file == "." {
			return fmt.Errorf("there is no %s: install containerd and runc", name)
		}
	}
	if out, err := exec.Command(tools.Runc, "--version").CombinedOutput(); err != nil {
		return fmt.Errorf("runc does not run: %w: %s", err, out)
	}
	if _, err := exec.LookPath("nsenter"); err != nil {
		return fmt.Errorf("there is no nsenter: install util-linux")
	}
	return nil
}
