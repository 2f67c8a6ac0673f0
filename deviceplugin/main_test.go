package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-dev/berth/deviceplugin/config"
	"github.com/berth-dev/berth/deviceplugin/drm/drmtest"
	"github.com/berth-dev/berth/internal/golden"
)

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

func TestOncePrintsWhatWouldBeAdvertised(t *testing.T) {
	dgpu := drmtest.Card{Address: "0000:03:00.0", Vendor: "0x8086", Device: "0x56a0", Driver: "xe", NUMA: "-1", Nodes: []string{"card1", "renderD129"}}
	dir := host(t, drmtest.Tree{}.Add(igpu()).Add(dgpu).Link("dev/dri/by-path/pci-0000:00:02.0-card", "../card0"))
	for _, output := range []string{"table", "json"} {
		code, stdout, stderr := command(t, "-once", "-o="+output, "-prefix="+dir, "-shared-dev-num=2", "-enable-monitoring")
		if code != 0 || stderr != "" {
			t.Errorf("exit code %d, %s", code, stderr)
		}
		golden.Check(t, "testdata/once."+output, stdout)
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
	golden.Check(t, "testdata/config.yaml", stdout)
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

func TestTheLogIsJSONUnlessTextIsWanted(t *testing.T) {
	var b bytes.Buffer
	newLogger(config.Config{LogLevel: "warn", LogFormat: "json"}, &b).Info("not this")
	newLogger(config.Config{LogLevel: "warn", LogFormat: "json"}, &b).Warn("this", "node", "/dev/dri/card0")
	var line map[string]string
	if err := json.Unmarshal(b.Bytes(), &line); err != nil || line["msg"] != "this" || line["node"] != "/dev/dri/card0" {
		t.Errorf("%v: %s", err, b.String())
	}
}
