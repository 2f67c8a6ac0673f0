package metrics

import (
	"fmt"
	"io"
	"sync"
	"time"
)

const namePrefix = "berth_device_plugin_"

// Metrics holds the numbers. It is safe to use from several goroutines, and is the Observer of package kubelet.
type Metrics struct {
	mu                          sync.Mutex
	info, devices, streams      *family
	registrations, allocations  *family
	allocated, scans, scanSpent *family
	lastScan                    time.Time
	expected                    map[string]bool // resources that should be registered and streaming
	registered                  map[string]bool
	open                        map[string]int
}

// New returns metrics of a program of this version.
func New(version string) *Metrics {
	m := &Metrics{
		info:          newFamily("gauge", "build_info", "Always 1; the version is in the label.", "version"),
		devices:       newFamily("gauge", "devices", "Devices as the kubelet is told, shares counted one by one.", "resource", "health"),
		streams:       newFamily("gauge", "stream_open", "Streams that the kubelet has open: 1 is right.", "resource"),
		registrations: newFamily("counter", "registrations_total", "Registrations with the kubelet.", "resource", "result"),
		allocations:   newFamily("counter", "allocations_total", "Allocate calls, one for each container.", "resource", "result"),
		allocated:     newFamily("counter", "allocated_devices_total", "Devices in Allocate calls that succeeded.", "resource"),
		scans:         newFamily("counter", "scans_total", "Looks at the devices of the node.", "result"),
		scanSpent:     newFamily("counter", "scan_seconds_total", "Time spent looking at the devices of the node."),
		expected:      map[string]bool{}, registered: map[string]bool{}, open: map[string]int{},
	}
	m.info.set(1, version)
	for _, result := range []string{"success", "error"} {
		m.scans.set(0, result)
	}
	return m
}

func result(err error) string {
	if err != nil {
		return "error"
	}
	return "success"
}

// Registered counts a registration.
func (m *Metrics) Registered(resource string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.registrations.add(1, resource, result(err))
	m.registered[resource] = err == nil
}

// Streaming takes the number of streams that the kubelet has open.
func (m *Metrics) Streaming(resource string, open int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.streams.set(float64(open), resource)
	m.open[resource] = open
}

// Allocated counts an Allocate call for one container.
func (m *Metrics) Allocated(resource string, devices int, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.allocations.add(1, resource, result(err))
	if err == nil {
		m.allocated.add(float64(devices), resource)
	}
}

// Offered takes the number of devices of a resource. From now on the plugin is ready only while the kubelet streams it.
func (m *Metrics) Offered(resource string, healthy, unhealthy int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expected[resource] = true
	m.devices.set(float64(healthy), resource, "Healthy")
	m.devices.set(float64(unhealthy), resource, "Unhealthy")
	m.streams.add(0, resource)
}

// Scanned counts a scan that ended at the time at.
func (m *Metrics) Scanned(spent time.Duration, at time.Time, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.scans.add(1, result(err))
	m.scanSpent.add(spent.Seconds())
	m.lastScan = at
}

// Write gives all metrics in the text format of Prometheus, in the same order every time.
func (m *Metrics) Write(w io.Writer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range []*family{m.info, m.devices, m.streams, m.registrations, m.allocations, m.allocated, m.scans, m.scanSpent} {
		f.write(w)
	}
}

// Ready is nil when the node was looked at and every resource is registered and streaming. A node without devices has nothing to
// register, and is ready.
func (m *Metrics) Ready() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.lastScan.IsZero() {
		return fmt.Errorf("the devices were not looked at yet")
	}
	for resource := range m.expected {
		if !m.registered[resource] || m.open[resource] == 0 {
			return fmt.Errorf("the kubelet does not stream %s: registered %v, open streams %d", resource, m.registered[resource], m.open[resource])
		}
	}
	return nil
}

// Alive is nil while the devices are looked at often enough.
func (m *Metrics) Alive(now time.Time, within time.Duration) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if ago := now.Sub(m.lastScan); ago > within {
		return fmt.Errorf("the devices were last looked at %v ago", ago.Round(time.Second))
	}
	return nil
}
