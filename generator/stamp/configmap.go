package stamp

import (
	"crypto/sha256"
	"encoding/hex"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/k3s"
)

// The labels and annotations by which a ConfigMap is known again.
const (
	// LabelManagedBy has the value berth on everything that Berth adds.
	LabelManagedBy = "app.kubernetes.io/managed-by"
	// LabelIntent holds the name of the intent.
	LabelIntent = "berth.dev/intent"
	// AnnotationNode holds the node's name, which may be too long for a label.
	AnnotationNode = "berth.dev/node"
	// AnnotationPath says where on the node the file belongs.
	AnnotationPath = "berth.dev/path"
	// DataDigest is the key of the record that holds the intent's digest.
	DataDigest = "digest"

	// Flux must not read ${...} into a file that is meant for k3s (kustomize-controller, post-build substitution).
	annotationSubstitute = "kustomize.toolkit.fluxcd.io/substitute"

	managedBy = "berth"
	maxName   = 253
)

// ConfigMap is one of the objects that Berth adds to a render.
type ConfigMap struct {
	APIVersion string            `yaml:"apiVersion"`
	Kind       string            `yaml:"kind"`
	Metadata   Metadata          `yaml:"metadata"`
	Data       map[string]string `yaml:"data"`
}

// Metadata is the metadata of a ConfigMap.
type Metadata struct {
	Name        string            `yaml:"name"`
	Namespace   string            `yaml:"namespace"`
	Labels      map[string]string `yaml:"labels"`
	Annotations map[string]string `yaml:"annotations"`
}

// ConfigMaps returns the record of an intent, then the drop-in of each node, sorted by node. The dot keeps the names of
// two intents apart: an intent's name holds none.
func ConfigMaps(intent *v1alpha1.TaintIntent) []ConfigMap {
	record := newConfigMap(intent, intent.Metadata.Name)
	record.Data[DataDigest] = intent.Digest()
	all := []ConfigMap{record}
	for _, file := range k3s.DropIns(intent) {
		m := newConfigMap(intent, intent.Metadata.Name+"."+file.Node)
		m.Metadata.Annotations[AnnotationNode] = file.Node
		m.Metadata.Annotations[AnnotationPath] = "/etc/rancher/" + string(intent.Spec.Distribution) + "/" + file.Path
		m.Data[intent.Spec.DropIn.FileName] = string(file.Content)
		all = append(all, m)
	}
	return all
}

func newConfigMap(intent *v1alpha1.TaintIntent, name string) ConfigMap {
	return ConfigMap{
		APIVersion: "v1", Kind: "ConfigMap", Data: map[string]string{},
		Metadata: Metadata{
			Name: shorten("berth-" + name), Namespace: intent.Metadata.Namespace,
			Labels:      map[string]string{LabelManagedBy: managedBy, LabelIntent: intent.Metadata.Name},
			Annotations: map[string]string{annotationSubstitute: "disabled"},
		},
	}
}

// shorten keeps a name within the API's limit, and different names different.
func shorten(name string) string {
	if len(name) <= maxName {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	tail := "-" + hex.EncodeToString(sum[:])[:10]
	return name[:maxName-len(tail)] + tail
}

// Node returns the ConfigMap as a tree.
func (c ConfigMap) Node() (*yaml.RNode, error) {
	text, err := yaml.Marshal(c)
	if err != nil {
		return nil, err
	}
	return yaml.Parse(string(text))
}
