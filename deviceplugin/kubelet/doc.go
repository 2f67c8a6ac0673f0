// Package kubelet serves one resource to the kubelet, and keeps it registered for as long as the process lives. It knows nothing of
// what the devices are.
//
// A Plugin goes from session to session. A session listens on a socket with a name of its own, serves the five methods of the device
// plugin API, and only then registers, since the kubelet calls back before it answers. It ends as soon as one thing is no longer as it
// was then, and the next session begins:
//
//   - the kubelet's stream ended: it never opens another by itself;
//   - our socket is gone: a kubelet removes all sockets when it starts;
//   - kubelet.sock is another file, or the same inode with another change time;
//   - the kubelet answered the registration and did not open a stream;
//   - another instance that served the same resource left: a kubelet up to 1.36 then forgets the resource, and our stream stays open.
//
// Every stream reads the device list from the Feed with a position of its own, and ends with its own context, so one that is stale can
// neither take a change from the next nor stop its server. The name is new each time because a kubelet may ignore a second
// registration of a name it still knows. A plugin that stops only ends its own sockets: another instance may be serving the same
// resource during a rollout.
//
// Sources: pkg/kubelet/cm/devicemanager of Kubernetes 1.36 and 1.37, and the proto file of the device plugin API v1beta1.
package kubelet
