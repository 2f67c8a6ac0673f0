package v1alpha1

import "slices"

// Carrier says where in the matched object the scheduling fields of pods are written, for kinds that do not say so
// themselves, or that say it in several places.
type Carrier struct {
	// Paths are dotted paths of toleration lists in the object, such as spec.worker.tolerations: those of a kind that
	// Berth does not know, or some of those that a known kind has. [] stands for each item of a list, {} for each value
	// of a map. Left out, every place that Berth knows of the kind is written.
	Paths []string `json:"paths,omitempty" jsonschema:"minItems=1,uniqueItems=true"`
	// NodeAffinity are the places of the node affinities (Kubernetes' NodeAffinity) that belong to paths, in the same
	// order, such as spec.worker.affinity.nodeAffinity. They are needed where an affinity must be written and Berth does
	// not know its place.
	NodeAffinity []string `json:"nodeAffinity,omitempty" jsonschema:"minItems=1"`
	// Pods are the objects that a Flux Kustomization or an Argo CD Application applies, which patches in it change.
	Pods []Pod `json:"pods,omitempty" jsonschema:"minItems=1"`
	// Helm names places in a HelmRelease, a HelmChart or HelmChartConfig of k3s, or an Argo CD Application.
	Helm *Helm `json:"helm,omitempty"`
	// HelmValues names places in a values file for helm -f. berth generate writes an overlay file beside it.
	HelmValues *HelmValues `json:"helmValues,omitempty"`
}

// Helm names places in the values of a chart, or in what it renders.
type Helm struct {
	// Values are dotted paths of toleration lists in the values, such as prometheus-node-exporter.tolerations.
	Values []string `json:"values,omitempty" jsonschema:"minItems=1,uniqueItems=true"`
	// Pods are objects that the chart of a HelmRelease renders, which a postRenderers patch changes.
	Pods []Pod `json:"pods,omitempty" jsonschema:"minItems=1"`
}

// HelmValues names places in a values file.
type HelmValues struct {
	// File is the values file, relative to the intent's own file, with slashes.
	File string `json:"file" jsonschema:"minLength=1"`
	// Paths are dotted paths of toleration lists in the file, such as tolerations.
	Paths []string `json:"paths" jsonschema:"minItems=1,uniqueItems=true"`
}

// Pod is an object with a pod template that something else renders, so that Berth does not see it.
type Pod struct {
	// Kind is one of Kubernetes' own kinds with a pod template, such as DaemonSet.
	Kind string `json:"kind" jsonschema:"enum=CronJob,enum=DaemonSet,enum=Deployment,enum=Job,enum=Pod,enum=ReplicaSet,enum=StatefulSet"`
	// Namespace of the object. Left out, it may be in any.
	Namespace string `json:"namespace,omitempty" jsonschema:"pattern=^[-a-z0-9]+$"`
	// Name is the object's exact name.
	Name string `json:"name" jsonschema:"pattern=^[-.a-z0-9]+$"`
	// Tolerations are those that the object has before it is patched. They are kept. Left out, it has none.
	Tolerations []Toleration `json:"tolerations,omitempty"`
	// Replace writes the whole list without testing first that the object has exactly those tolerations.
	Replace bool `json:"replace,omitempty"`
}

// Toleration is one of Kubernetes' tolerations.
type Toleration struct {
	// Key of the taint. Left out, the operator is Exists and any key matches.
	Key string `json:"key,omitempty"`
	// Operator is Equal, the default, or Exists.
	Operator string `json:"operator,omitempty" jsonschema:"enum=Equal,enum=Exists"`
	// Value of the taint, for Equal.
	Value string `json:"value,omitempty"`
	// Effect of the taint. Left out, any effect matches.
	Effect Effect `json:"effect,omitempty" jsonschema:"enum=NoSchedule,enum=PreferNoSchedule,enum=NoExecute"`
	// TolerationSeconds is how long a NoExecute taint is tolerated, in seconds. Left out, for ever.
	TolerationSeconds *int64 `json:"tolerationSeconds,omitempty"`
}

// places names each place that the carrier chooses, so that two carriers can be compared. None means every place.
func (c Carrier) places() []string {
	places := slices.Clone(c.Paths)
	pods := c.Pods
	if c.Helm != nil {
		pods = append(slices.Clone(pods), c.Helm.Pods...)
		for _, path := range c.Helm.Values {
			places = append(places, "values "+path)
		}
	}
	for _, pod := range pods {
		places = append(places, pod.String())
	}
	if c.HelmValues != nil {
		for _, path := range c.HelmValues.Paths {
			places = append(places, "file "+c.HelmValues.File+" "+path)
		}
	}
	return places
}

// String names the pod's object as people do: DaemonSet monitoring/node-exporter.
func (p Pod) String() string {
	if p.Namespace == "" {
		return p.Kind + " " + p.Name
	}
	return p.Kind + " " + p.Namespace + "/" + p.Name
}

// IsZero tells whether nothing is selected.
func (w Workload) IsZero() bool {
	return w.APIVersion == "" && w.Kind == "" && w.Namespace == "" && w.Name == "" && len(w.Labels) == 0
}
