// Command berth-device-plugin makes a node advertise its devices, and lets pods open them without being privileged.
//
// It is started on every node by a DaemonSet. Data flows one way:
//
//	config    flags, environment, YAML file  -> what to offer under which name
//	discover  sysfs and /dev (drm, generic)  -> which devices are there now
//	inventory what was there before          -> a list for each resource, and its changes
//	kubelet   the list                       -> the kubelet, for as long as the process lives
//
// metrics is told of everything and is asked by /metrics, /healthz and /readyz; inotify says when a folder changed.
//
// With -once it prints what the node would advertise and exits; with -print-config, what it would go by.
package main
