package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-dev/berth/deviceplugin/config"
	"github.com/berth-dev/berth/deviceplugin/drm/drmtest"
	"github.com/berth-dev/berth/deviceplugin/kubelet/kubelettest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const i915 = "gpu.intel.com/i915"

func igpu() drmtest.Card {
	return drmtest.Card{Address: "0000:00:02.0", Vendor: "0x8086", Device: "0x4680", Driver: "i915", NUMA: "0", Nodes: []string{"card0", "renderD128"}}
}

// host is a machine on disk.
func host(t *testing.T, tree drmtest.Tree) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "h")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := tree.Write(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func command(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), config.Source{Args: args, ReadFile: os.ReadFile, Usage: &errs}, &out)
	return code, out.String(), errs.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Error(diff)
	}
}

func TestOncePrintsWhatWouldBeAdvertised(t *testing.T) {
	dgpu := drmtest.Card{Address: "0000:03:00.0", Vendor: "0x8086", Device: "0x56a0", Driver: "xe", NUMA: "-1", Nodes: []string{"card1", "renderD129"}}
	dir := host(t, drmtest.Tree{}.Add(igpu()).Add(dgpu).Link("dev/dri/by-path/pci-0000:00:02.0-card", "../card0"))
	for _, output := range []string{"table", "json"} {
		code, stdout, stderr := command(t, "-once", "-o="+output, "-prefix="+dir, "-shared-dev-num=2", "-enable-monitoring")
		if code != 0 || stderr != "" {
			t.Errorf("exit code %d, %s", code, stderr)
		}
		golden(t, "once."+output, stdout)
	}
}

func TestOnceOnANodeWithNothingSaysWhyAndSucceeds(t *testing.T) {
	tree := drmtest.Tree{}.Add(drmtest.Card{Address: "0000:03:00.0", Vendor: "0x8086", Device: "0x56a0"})
	tree["sys/bus/pci/devices/0000:03:00.0/vendor"] = tree["sys/devices/pci0000:00/0000:03:00.0/vendor"]
	tree["sys/bus/pci/devices/0000:03:00.0/device"] = tree["sys/devices/pci0000:00/0000:03:00.0/device"]
	class := *tree["sys/devices/pci0000:00/0000:03:00.0/vendor"]
	class.Data = []byte("0x030000\n")
	tree["sys/bus/pci/devices/0000:03:00.0/class"] = &class
	tree.Link("sys/bus/pci/devices/0000:03:00.0/driver", "../../drivers/vfio-pci")
	dir := host(t, tree)
	code, stdout, _ := command(t, "-once", "-prefix="+dir)
	want := "no devices found; looked for gpu.intel.com/{driver}: a GPU with vendor 0x8086, driver i915 or xe; " +
		"there is 0000:03:00.0 vendor 0x8086 device 0x56a0 driver vfio-pci\n"
	if code != 0 || stdout != want {
		t.Errorf("exit code %d:\n%s", code, cmp.Diff(want, stdout))
	}
	if code, stdout, _ := command(t, "-once", "-o=json", "-prefix="+dir); code != 0 || strings.TrimSpace(stdout) != "[]" {
		t.Errorf("exit code %d: %s", code, stdout)
	}
}

func TestPrintConfigPrintsWhatWouldBeUsed(t *testing.T) {
	code, stdout, stderr := command(t, "-print-config", "-shared-dev-num=10", "-enable-monitoring")
	if code != 0 || stderr != "" {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	golden(t, "config.yaml", stdout)
}

func TestExitCodes(t *testing.T) {
	for _, test := range []struct {
		args   []string
		code   int
		stderr string
	}{
		{[]string{"-version"}, 0, ""},
		{[]string{"-help"}, 0, "Usage of berth-device-plugin"},
		{[]string{"-shared-dev-num=0"}, 2, "berth-device-plugin: sharedDevices: 0 is not between 1 and 10000\n"},
		{[]string{"-nonsense"}, 2, "flag provided but not defined: -nonsense"},
	} {
		if code, _, stderr := command(t, test.args...); code != test.code || !strings.Contains(stderr, test.stderr) {
			t.Errorf("%v: exit code %d, %s", test.args, code, stderr)
		}
	}
}

// lines is a log that can be read while it is written.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.b.String(), text)
}

// program is the whole plugin, running on a machine with a kubelet.
type program struct {
	t       *testing.T
	tree    string
	kubelet *kubelettest.Kubelet
	plugins string
	address string
	log     *lines
	stop    func()
}

func startProgram(t *testing.T, tree drmtest.Tree, args ...string) *program {
	t.Helper()
	p := &program{t: t, tree: host(t, tree), log: &lines{}}
	p.plugins = filepath.Join(p.tree, "p")
	if err := os.Mkdir(p.plugins, 0o750); err != nil {
		t.Fatal(err)
	}
	p.startKubelet()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p.address = l.Addr().String()
	_ = l.Close()
	args = append([]string{"-prefix=" + p.tree, "-device-plugin-dir=" + p.plugins, "-listen=" + p.address, "-log-format=text"}, args...)
	cfg, _, err := config.Load(config.Source{Args: args, Usage: io.Discard, ReadFile: os.ReadFile})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		serve(ctx, cfg, slog.New(slog.NewTextHandler(p.log, nil)))
	}()
	p.stop = sync.OnceFunc(func() {
		cancel()
		<-done
		p.kubelet.Stop()
	})
	t.Cleanup(p.stop)
	return p
}

func (p *program) startKubelet() {
	p.t.Helper()
	k, err := kubelettest.Start(p.plugins, kubelettest.OneClient)
	if err != nil {
		p.t.Fatal(err)
	}
	p.kubelet = k
}

// offers waits until the kubelet may hand out n devices.
func (p *program) offers(n int) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := p.kubelet.Wait(ctx, i915, func(s kubelettest.State) bool { return len(s.Allocatable) == n && s.Connected > 0 }); err != nil {
		p.t.Fatalf("%v\n%s", err, p.log.b.String())
	}
}

func (p *program) get(path string) (int, string) {
	p.t.Helper()
	response, err := http.Get("http://" + p.address + path)
	if err != nil {
		return 0, err.Error()
	}
	defer response.Body.Close() //nolint:errcheck // of a test
	body, _ := io.ReadAll(response.Body)
	return response.StatusCode, string(body)
}

func (p *program) rename(from, to string) {
	p.t.Helper()
	if err := os.Rename(filepath.Join(p.tree, from), filepath.Join(p.tree, to)); err != nil {
		p.t.Fatal(err)
	}
}

func eventually(t *testing.T, check func() error) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		err := check()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

func TestANodeThatVanishesIsUnhealthyAtOnceAndHealthyWhenItIsBack(t *testing.T) {
	p := startProgram(t, drmtest.Tree{}.Add(igpu()))
	p.offers(1)
	for range 5 {
		p.rename("dev/dri/renderD128", "dev/dri/gone")
		p.offers(0)
		if s := p.kubelet.State(i915); len(s.Capacity) != 1 {
			t.Fatalf("capacity is %v", s.Capacity)
		}
		p.rename("dev/dri/gone", "dev/dri/renderD128")
		p.offers(1)
	}
}

func TestAKubeletRestartAndAHotPlugAfterIt(t *testing.T) {
	p := startProgram(t, drmtest.Tree{}.Add(igpu()), "-scan-interval=100ms")
	p.offers(1)
	for n := 2; n < 8; n++ {
		p.kubelet.Stop()
		p.startKubelet()
		p.offers(n - 1)
		more := drmtest.Card{
			Address: fmt.Sprintf("0000:%02d:00.0", n), Vendor: "0x8086", Device: "0x56a0", Driver: "i915",
			Nodes: []string{fmt.Sprintf("card%d", n), fmt.Sprintf("renderD%d", 128+n)},
		}
		tree := drmtest.Tree{}.Add(more)
		delete(tree, "sys/bus/pci/drivers/i915/bind")
		if err := tree.Write(p.tree); err != nil {
			t.Fatal(err)
		}
		p.offers(n)
	}
}

func TestAResourceThatTurnsUpLaterIsRegistered(t *testing.T) {
	p := startProgram(t, drmtest.Tree{"sys/class/drm/version": {}, "dev/dri/x": {}}, "-scan-interval=100ms")
	eventually(t, func() error {
		if code, body := p.get("/readyz"); code != http.StatusOK {
			return fmt.Errorf("a node without devices is not ready: %d %s", code, body)
		}
		return nil
	})
	time.Sleep(500 * time.Millisecond)
	if n := p.log.count("no devices found"); n != 1 {
		t.Errorf("%d lines say that there is nothing", n)
	}
	if err := (drmtest.Tree{}.Add(igpu())).Write(p.tree); err != nil {
		t.Fatal(err)
	}
	p.offers(1)
}

func TestProbesMetricsAndTheGroupOfTheRenderNode(t *testing.T) {
	p := startProgram(t, drmtest.Tree{}.Add(igpu()), "-shared-dev-num=3")
	p.offers(3)
	eventually(t, func() error {
		if code, body := p.get("/readyz"); code != http.StatusOK {
			return fmt.Errorf("readyz: %d %s", code, body)
		}
		return nil
	})
	if code, body := p.get("/healthz"); code != http.StatusOK || body != "ok\n" {
		t.Errorf("healthz: %d %s", code, body)
	}
	_, body := p.get("/metrics")
	for _, want := range []string{
		`berth_device_plugin_devices{resource="gpu.intel.com/i915",health="Healthy"} 3`,
		`berth_device_plugin_registrations_total{resource="gpu.intel.com/i915",result="success"} 1`,
		`berth_device_plugin_stream_open{resource="gpu.intel.com/i915"} 1`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("metrics lack %s:\n%s", want, body)
		}
	}
	if n := p.log.count("node=/dev/dri/renderD128 gid=0"); n != 1 {
		t.Errorf("the group was logged %d times", n)
	}
	p.kubelet.Stop()
	eventually(t, func() error {
		if code, body := p.get("/readyz"); code != http.StatusServiceUnavailable {
			return fmt.Errorf("without a kubelet it is ready: %d %s", code, body)
		}
		return nil
	})
	p.startKubelet()
	p.offers(3)
}

func TestAPortThatIsTakenDoesNotKeepTheDevicesFromBeingServed(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // of a test
	p := startProgram(t, drmtest.Tree{}.Add(igpu()), "-listen="+l.Addr().String())
	p.offers(1)
	eventually(t, func() error {
		if p.log.count("serving metrics and probes: trying again") != 1 {
			return fmt.Errorf("nothing was said about the port")
		}
		return nil
	})
}

func TestTheLogIsJSONUnlessTextIsWanted(t *testing.T) {
	var b bytes.Buffer
	newLogger(config.Config{LogLevel: "warn", LogFormat: "json"}, &b).Info("not this")
	newLogger(config.Config{LogLevel: "warn", LogFormat: "json"}, &b).Warn("this", "node", "/dev/dri/card0")
	var line map[string]string
	if err := json.Unmarshal(b.Bytes(), &line); err != nil || line["msg"] != "this" || line["node"] != "/dev/dri/card0" {
		t.Errorf("%v: %s", err, b.String())
	}
}
