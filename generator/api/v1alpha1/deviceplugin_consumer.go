package v1alpha1

// Consumer is a workload that uses a device.
type Consumer struct {
	// Workload says which objects of the render are meant.
	Workload Workload `json:"workload"`
	// Container is the container that opens the device, or an init container.
	Container string `json:"container,omitempty" jsonschema:"maxLength=63,pattern=^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"`
	// Resources are what the container requests, by resource, and how many of it. Requests and limits are written alike:
	// the API server wants them equal for what a device plugin offers.
	Resources map[string]int64 `json:"resources"`
	// ReplacesHostPath is the folder or device node on the host, such as /dev/dri, that the pod mounts today. The volumes of
	// it and of what is below it, and their mounts, are removed: a hostPath makes the node visible and not openable, and the
	// plugin's answer brings both.
	ReplacesHostPath string `json:"replacesHostPath,omitempty" jsonschema:"pattern=^/[^/]"`
	// Env are variables of the container, such as the one in which a program looks for its render node. Berth's plugin sets
	// GPU_RENDER_NODE by itself.
	Env map[string]string `json:"env,omitempty"`
	// Helm names the places in a HelmRelease.
	Helm *ConsumerHelm `json:"helm,omitempty"`
	// Optional is for a workload that not every render holds: matching nothing is then no error.
	Optional bool `json:"optional,omitempty"`
}

// ConsumerHelm names places in a HelmRelease: in its values, or, through post-renderers, in what its chart renders.
type ConsumerHelm struct {
	// Resources is the dotted path in spec.values of the container's resources, such as resources.
	Resources string `json:"resources,omitempty"`
	// Env is the dotted path in spec.values of the container's variables, as a map of names and values.
	Env string `json:"env,omitempty"`
	// Remove are dotted paths in spec.values that mount replacesHostPath: a map, such as persistence.dri, which is removed,
	// or a list of volumes or mounts, such as extraVolumes, of which the entries for the device are.
	Remove []string `json:"remove,omitempty" jsonschema:"uniqueItems=true"`
	// Pods are objects of the chart that are patched after it was rendered. Nobody can see them before, so that their names
	// are taken on trust.
	Pods []ConsumerPod `json:"pods,omitempty"`
}

// ConsumerPod is an object with a pod template that a chart renders.
type ConsumerPod struct {
	// Kind is Deployment, StatefulSet or DaemonSet.
	Kind string `json:"kind" jsonschema:"enum=DaemonSet,enum=Deployment,enum=StatefulSet"`
	// Name of the object, as the chart renders it.
	Name string `json:"name" jsonschema:"minLength=1"`
	// Volumes are the names of the pod's volumes that mount replacesHostPath.
	Volumes []string `json:"volumes,omitempty" jsonschema:"uniqueItems=true"`
	// MountPaths are where the container mounts them. Default: replacesHostPath.
	MountPaths []string `json:"mountPaths,omitempty" jsonschema:"uniqueItems=true"`
}
