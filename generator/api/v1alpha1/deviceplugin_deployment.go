package v1alpha1

// Deployment says how the plugin's DaemonSet runs.
type Deployment struct {
	// Image of the plugin, with tag and digest: registry/name:tag@sha256:... The tag is for people, the digest is what runs.
	Image string `json:"image" jsonschema:"minLength=1"`
	// AllowTagOnly permits an image without a digest. A tag can be moved, so that the same file may run something else
	// tomorrow.
	AllowTagOnly bool `json:"allowTagOnly,omitempty"`
	// Architectures are those that the image has. Nodes of another one get no pod. Default: what the preset's image has,
	// amd64 for Intel's, and amd64, arm and arm64 for Berth's.
	Architectures []string `json:"architectures,omitempty" jsonschema:"uniqueItems=true"`
	// TargetNamespace is where the plugin runs. It is a namespace of its own, and is written too: hostPath volumes need Pod
	// Security's level privileged, which no other namespace should have to grant. Default: the plugin's name and -plugin.
	TargetNamespace string `json:"namespace,omitempty" jsonschema:"maxLength=63,pattern=^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"`
	// NamespaceLabels are further labels of the namespace, such as those that a policy engine looks for. They win over
	// Berth's own.
	NamespaceLabels map[string]string `json:"namespaceLabels,omitempty"`
	// Nodes are the nodes that are expected to offer the resource, by their registered names. Evidence is asked of each.
	Nodes []string `json:"nodes" jsonschema:"minItems=1,uniqueItems=true"`
	// OnlyNodes keeps the plugin on nodes alone. Default: false for Berth's plugin, which costs a node without a device
	// little and finds one that is added; true for Intel's image, whose pod never starts on a node without /dev/dri.
	OnlyNodes *bool `json:"onlyNodes,omitempty"`
	// NodeSelector are labels that a node must carry to get the plugin, beside everything else.
	NodeSelector map[string]string `json:"nodeSelector,omitempty"`
	// Tolerate are names of taints in the TaintIntent. The plugin must tolerate every taint of nodes that keeps pods away.
	Tolerate []string `json:"tolerate,omitempty" jsonschema:"uniqueItems=true"`
	// PriorityClassName decides who is evicted first. Default: system-node-critical, since without the plugin the node's
	// devices are gone.
	PriorityClassName string `json:"priorityClassName,omitempty" jsonschema:"default=system-node-critical"`
	// Resources are the requests and limits of the plugin's container.
	Resources *ContainerResources `json:"resources,omitempty"`
	// SELinuxType is the type of the process on nodes with SELinux, such as container_device_plugin_t. Left out, the
	// container runtime chooses.
	SELinuxType string `json:"seLinuxType,omitempty" jsonschema:"pattern=^[A-Za-z0-9_]+$"`
	// PodMonitor adds a PodMonitor for the Prometheus operator. Left out, none is written.
	PodMonitor *PodMonitor `json:"podMonitor,omitempty"`
}

// ContainerResources are a container's requests and limits, by the names cpu and memory.
type ContainerResources struct {
	// Requests is what the scheduler sets aside.
	Requests map[string]string `json:"requests,omitempty"`
	// Limits is the most that the container gets.
	Limits map[string]string `json:"limits,omitempty"`
}

// PodMonitor says how Prometheus finds the plugin's metrics.
type PodMonitor struct {
	// Labels are what the Prometheus object's podMonitorSelector looks for.
	Labels map[string]string `json:"labels,omitempty"`
	// Interval between two scrapes, such as 30s. Left out, it is Prometheus's own.
	Interval string `json:"interval,omitempty" jsonschema:"pattern=^([0-9]+(ms|s|m|h))+$"`
}

// FluxKustomization is the Flux Kustomization that applies the plugin: one of its own, so that its Ready condition
// answers whether the plugin came up, and so that a plugin that does not come up holds nothing else back.
type FluxKustomization struct {
	// Name of the object. Default: the plugin's name and -plugin.
	Name string `json:"name,omitempty" jsonschema:"maxLength=63,pattern=^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$"`
	// Namespace of the object. Default: flux-system.
	Namespace string `json:"namespace,omitempty" jsonschema:"default=flux-system,maxLength=63,pattern=^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"`
	// Path is the folder of the plugin's files in the repository, beginning with ./, such as ./platform-gpu. The files are
	// written there. Default: ./ and the name.
	Path string `json:"path,omitempty" jsonschema:"pattern=^\\./"`
	// File is where the object itself is written: a folder that the cluster's entrypoint builds, and a name, such as
	// clusters/base/intel-gpu-plugin.yaml. The kustomization.yaml there has to list it. Default: the name, .yaml, in
	// clusters/base.
	File string `json:"file,omitempty"`
	// DependsOn are Flux Kustomizations that must be ready first, by name, or namespace/name. The CNI's is the usual one.
	DependsOn []string `json:"dependsOn,omitempty" jsonschema:"uniqueItems=true"`
	// Wait makes Ready mean that the plugin runs on every node, instead of that it was applied. Default: true.
	Wait *bool `json:"wait,omitempty" jsonschema:"default=true"`
	// Interval between two reconciliations. Default: 5m.
	Interval string `json:"interval,omitempty" jsonschema:"default=5m,pattern=^([0-9]+(ms|s|m|h))+$"`
	// RetryInterval after one that failed. Default: 1m.
	RetryInterval string `json:"retryInterval,omitempty" jsonschema:"default=1m,pattern=^([0-9]+(ms|s|m|h))+$"`
	// Timeout of one reconciliation with its rollout, which takes each node in turn. It must be shorter than the interval.
	// Default: 3m.
	Timeout string `json:"timeout,omitempty" jsonschema:"default=3m,pattern=^([0-9]+(ms|s|m|h))+$"`
	// SourceRef is the source that holds the path. Default: the GitRepository flux-system.
	SourceRef *FluxSourceRef `json:"sourceRef,omitempty"`
	// SubstituteFrom are names of ConfigMaps with variables for ${...}, such as cluster-vars.
	SubstituteFrom []string `json:"substituteFrom,omitempty" jsonschema:"uniqueItems=true"`
}

// FluxSourceRef names a Flux source.
type FluxSourceRef struct {
	// Kind is GitRepository, OCIRepository or Bucket. Default: GitRepository.
	Kind string `json:"kind,omitempty" jsonschema:"enum=GitRepository,enum=OCIRepository,enum=Bucket,default=GitRepository"`
	// Name of the source. Default: flux-system.
	Name string `json:"name,omitempty" jsonschema:"default=flux-system"`
	// Namespace of the source. Default: that of the Kustomization.
	Namespace string `json:"namespace,omitempty"`
}
