// Package kubelettest is a kubelet for tests: the part of it that deals with device plugins, as strict as the real one.
//
// Like the real one it removes every socket in its folder when it starts, calls back inside Register and asks for the options, opens
// ListAndWatch once and never again, and keeps the last list it received. What it does with a second registration of a resource
// differs between versions, and so do the Modes. It follows pkg/kubelet/cm/devicemanager of Kubernetes 1.36.3 and 1.37.2.
package kubelettest
