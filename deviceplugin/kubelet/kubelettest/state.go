package kubelettest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"google.golang.org/protobuf/proto"
	api "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"
)

// State is what the kubelet knows of a resource.
type State struct {
	Capacity    []string // all IDs, sorted
	Allocatable []string // the healthy ones
	Devices     map[string]*api.Device
	Lists       int // received so far
	Connected   int // clients
}

// State gives what the kubelet knows of a resource now.
func (k *Kubelet) State(resource string) State {
	k.mu.Lock()
	defer k.mu.Unlock()
	s := State{Devices: map[string]*api.Device{}, Lists: k.lists[resource], Connected: len(k.clients[resource])}
	for id, d := range k.devices[resource] {
		s.Devices[id] = proto.Clone(d).(*api.Device)
		if d.GetHealth() == api.Healthy {
			s.Allocatable = append(s.Allocatable, id)
		}
	}
	s.Capacity = slices.Sorted(maps.Keys(s.Devices))
	slices.Sort(s.Allocatable)
	return s
}

// Registrations gives the calls of Register so far.
func (k *Kubelet) Registrations() []Registration {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.registrations)
}

// Wait waits until the state of a resource is as the caller wants it.
func (k *Kubelet) Wait(ctx context.Context, resource string, ok func(State) bool) error {
	for {
		k.mu.Lock()
		changed := k.changed
		k.mu.Unlock()
		s := k.State(resource)
		if ok(s) {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("waiting for %s: %w: capacity %v, allocatable %v, %d clients, registrations %v",
				resource, ctx.Err(), s.Capacity, s.Allocatable, s.Connected, k.Registrations())
		}
	}
}

// Resources lists the resources that were ever registered.
func (k *Kubelet) Resources() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Sorted(maps.Keys(k.devices))
}

// Plugin is a client for the plugin that serves a resource.
func (k *Kubelet) Plugin(resource string) (api.DevicePluginClient, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	clients := k.clients[resource]
	if len(clients) == 0 {
		return nil, errors.New("no plugin is connected for " + resource)
	}
	plugin := clients[len(clients)-1].api()
	if plugin == nil {
		return nil, errors.New("the plugin for " + resource + " is not connected")
	}
	return plugin, nil
}

// CloseStream drops the connection to the plugin without touching any socket file.
func (k *Kubelet) CloseStream(resource string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, c := range k.clients[resource] {
		c.disconnect()
	}
}
