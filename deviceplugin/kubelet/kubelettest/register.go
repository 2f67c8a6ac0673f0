package kubelettest

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	api "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"

	"github.com/berth-dev/berth/deviceplugin/device"
)

// Register takes a plugin on, after having called it back.
func (k *Kubelet) Register(ctx context.Context, r *api.RegisterRequest) (*api.Empty, error) {
	err := k.register(ctx, r)
	k.mu.Lock()
	hook := k.onRegister
	k.registrations = append(k.registrations, Registration{r.GetResourceName(), r.GetEndpoint(), err})
	k.mu.Unlock()
	k.announce()
	if hook != nil {
		hook()
	}
	return &api.Empty{}, err
}

func (k *Kubelet) register(ctx context.Context, r *api.RegisterRequest) error {
	if r.GetVersion() != api.Version {
		return fmt.Errorf("version %q is not supported", r.GetVersion())
	}
	if err := device.ValidateResource(r.GetResourceName()); err != nil {
		return err
	}
	if filepath.Base(r.GetEndpoint()) != r.GetEndpoint() {
		return fmt.Errorf("endpoint %q is not a file name", r.GetEndpoint())
	}
	if k.takeFailure() {
		return errors.New("registration refused by the test")
	}
	c := &client{resource: r.GetResourceName(), socket: filepath.Join(k.dir, r.GetEndpoint())}
	if !k.addClient(c) {
		return nil // says yes and does nothing
	}
	k.mu.Lock()
	hook := k.beforeCall
	k.mu.Unlock()
	if hook != nil {
		hook(c.socket)
	}
	if err := c.connect(ctx); err != nil {
		k.dropClient(c)
		return err
	}
	k.wg.Add(1)
	go func() {
		defer k.wg.Done()
		k.run(c)
	}()
	return nil
}

func (k *Kubelet) takeFailure() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.failNext == 0 {
		return false
	}
	k.failNext--
	return true
}

// addClient is false where the registration is to be ignored.
func (k *Kubelet) addClient(c *client) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	known := slices.ContainsFunc(k.clients[c.resource], func(o *client) bool { return o.socket == c.socket })
	switch {
	case k.mode == OneClient:
		k.clients[c.resource] = []*client{c}
	case k.mode == IgnoreSamePath && known:
		return false
	default:
		k.clients[c.resource] = append(k.clients[c.resource], c)
	}
	return true
}

func (k *Kubelet) dropClient(c *client) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.clients[c.resource] = slices.DeleteFunc(k.clients[c.resource], func(o *client) bool { return o == c })
}

// run reads the client's stream until it ends, and then drops the client: or, with OneClient, whichever client is there by now.
func (k *Kubelet) run(c *client) {
	_ = c.watch(func(list *api.ListAndWatchResponse) { k.receive(c.resource, list) })
	k.mu.Lock()
	gone := c
	if current := k.clients[c.resource]; k.mode == OneClient && len(current) > 0 {
		gone = current[len(current)-1]
	}
	k.clients[c.resource] = slices.DeleteFunc(k.clients[c.resource], func(o *client) bool { return o == gone })
	if len(k.clients[c.resource]) == 0 {
		for _, d := range k.devices[c.resource] {
			d.Health = api.Unhealthy
		}
	}
	gone.disconnect()
	k.mu.Unlock()
	k.announce()
}

func (k *Kubelet) receive(resource string, list *api.ListAndWatchResponse) {
	k.mu.Lock()
	k.devices[resource] = map[string]*api.Device{}
	for _, d := range list.GetDevices() {
		k.devices[resource][d.GetID()] = d
	}
	k.lists[resource]++
	k.mu.Unlock()
	k.announce()
}

// announce wakes up those who wait for a change.
func (k *Kubelet) announce() {
	k.mu.Lock()
	defer k.mu.Unlock()
	close(k.changed)
	k.changed = make(chan struct{})
}
