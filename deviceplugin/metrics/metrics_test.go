package metrics_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/berth-dev/berth/deviceplugin/metrics"
)

const resource = "gpu.intel.com/i915"

func TestPrometheusReadsWhatWeWrite(t *testing.T) {
	m := metrics.New("v1\"\\\nx")
	m.Offered(resource, 3, 1)
	m.Registered(resource, nil)
	m.Registered(resource, errors.New("refused"))
	m.Streaming(resource, 1)
	m.Allocated(resource, 2, nil)
	m.Allocated(resource, 1, errors.New("unknown"))
	m.Scanned(1500*time.Microsecond, time.Now(), nil)
	m.Scanned(time.Millisecond, time.Now(), errors.New("unreadable"))
	var b bytes.Buffer
	m.Write(&b)
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(b.String()))
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	got := map[string]float64{}
	for name, family := range families {
		for _, metric := range family.GetMetric() {
			labels := make([]string, 0, len(metric.GetLabel()))
			for _, l := range metric.GetLabel() {
				labels = append(labels, l.GetName()+"="+l.GetValue())
			}
			got[strings.TrimPrefix(name, "berth_device_plugin_")+" "+strings.Join(labels, " ")] = metric.GetGauge().GetValue() + metric.GetCounter().GetValue()
		}
		if family.GetHelp() == "" {
			t.Errorf("%s has no help", name)
		}
	}
	want := map[string]float64{
		"build_info version=v1\"\\\nx":                                   1,
		"devices resource=gpu.intel.com/i915 health=Healthy":             3,
		"devices resource=gpu.intel.com/i915 health=Unhealthy":           1,
		"registrations_total resource=gpu.intel.com/i915 result=success": 1,
		"registrations_total resource=gpu.intel.com/i915 result=error":   1,
		"stream_open resource=gpu.intel.com/i915":                        1,
		"allocations_total resource=gpu.intel.com/i915 result=success":   1,
		"allocations_total resource=gpu.intel.com/i915 result=error":     1,
		"allocated_devices_total resource=gpu.intel.com/i915":            2,
		"scans_total result=success":                                     1,
		"scans_total result=error":                                       1,
		"scan_seconds_total ":                                            0.0025,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestReadyMeansRegisteredAndStreaming(t *testing.T) {
	m := metrics.New("v1")
	expect := func(want string) {
		t.Helper()
		if got := fmt.Sprint(m.Ready()); !strings.Contains(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	expect("not looked at yet")
	m.Scanned(0, time.Now(), nil)
	expect("<nil>") // a node without devices has nothing to register
	m.Offered(resource, 1, 0)
	expect("registered false")
	m.Streaming(resource, 1)
	m.Registered(resource, nil)
	expect("<nil>")
	m.Streaming(resource, 0)
	expect("open streams 0")
}

func TestAliveMeansThatTheDevicesAreLookedAt(t *testing.T) {
	m := metrics.New("v1")
	now := time.Now()
	m.Scanned(0, now, nil)
	if err := m.Alive(now.Add(time.Minute), time.Minute); err != nil {
		t.Error(err)
	}
	if err := m.Alive(now.Add(2*time.Minute), time.Minute); err == nil || !strings.Contains(err.Error(), "2m0s ago") {
		t.Errorf("got %v", err)
	}
}
