package main

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/berth-dev/berth/deviceplugin/drm/drmtest"
)

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
