package check

import (
	"bytes"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Documents returns the YAML documents of a file, up to the first that is no YAML; nothing for a file that Flux does not see.
// They are read once for all rules, and must not be changed.
func (r *Repository) Documents(file string) []*yaml.Node {
	r.mu.Lock()
	defer r.mu.Unlock()
	known, ok := r.documents[file]
	if !ok {
		if content, err := r.Checkout.ReadFile(file); err == nil {
			known = Documents(content)
		}
		r.documents[file] = known
	}
	return known
}

// Documents returns the YAML documents of a text, up to the first that is no YAML.
func Documents(content []byte) []*yaml.Node {
	var all []*yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	for {
		var root yaml.Node
		if err := decoder.Decode(&root); err != nil {
			return all
		}
		if len(root.Content) > 0 {
			all = append(all, root.Content[0])
		}
	}
}
