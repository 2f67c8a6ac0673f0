package bundle

import (
	"bytes"
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/header"
	"github.com/berth-dev/berth/generator/stamp"
	"github.com/berth-dev/berth/generator/stream"
)

// record makes a kustomization with the ConfigMaps that the function adds to a render: what the nodes should have, and
// the intents' digests, readable in the cluster. It stands apart from the component, which may be used many times, since
// each object may be applied from one place only.
func record(intents []*v1alpha1.TaintIntent) ([]File, error) {
	kustomization := struct {
		APIVersion string   `yaml:"apiVersion"`
		Kind       string   `yaml:"kind"`
		Resources  []string `yaml:"resources"`
	}{APIVersion: "kustomize.config.k8s.io/v1beta1", Kind: "Kustomization"}
	var files []File
	for _, intent := range intents {
		text, err := configMaps(intent)
		if err != nil {
			return nil, fmt.Errorf("record of intent %s: %w", intent.Metadata.Name, err)
		}
		head := header.New("the intent's digest and the drop-ins of its nodes", []string{intent.Metadata.Name})
		name := "berth-" + intent.Metadata.Name + ".yaml"
		files = append(files, File{Path: "record/" + name, Content: append([]byte(head), text...), Mode: modeFile})
		kustomization.Resources = append(kustomization.Resources, name)
	}
	text, err := yaml.Marshal(kustomization)
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	head := header.New("what the intents ask of the nodes, as ConfigMaps", names(intents), "Apply it from one place only.")
	return append(files, File{Path: "record/kustomization.yaml", Content: []byte(head + "---\n" + string(text)), Mode: modeFile}), nil
}

func configMaps(intent *v1alpha1.TaintIntent) ([]byte, error) {
	var out bytes.Buffer
	for _, m := range stamp.ConfigMaps(intent) {
		node, err := m.Node()
		if err != nil {
			return nil, err
		}
		text, err := stream.Encode(node, nil)
		if err != nil {
			return nil, err
		}
		out.WriteString("---\n")
		out.Write(text)
	}
	return out.Bytes(), nil
}
