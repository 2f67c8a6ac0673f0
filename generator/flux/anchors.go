package flux

import (
	"bytes"
	"fmt"
	"path"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// maxNodes is how many YAML nodes a document may grow to when its anchors are expanded. The largest CRDs have some 50,000.
const maxNodes = 2_000_000

// checkAnchors refuses a file whose anchors kustomize cannot expand: one that contains itself makes kustomize exhaust the
// stack, which ends the process, and anchors of anchors exhaust the memory. Any other fault is left to kustomize to tell.
func checkAnchors(name string, content []byte) error {
	if !bytes.Contains(content, []byte("&")) || !bytes.Contains(content, []byte("*")) {
		return nil
	}
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	for {
		var root yaml.Node
		if err := decoder.Decode(&root); err != nil {
			return nil //nolint:nilerr // the end, or a fault for kustomize to tell
		}
		if err := anchorsOf(&root); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
}

// anchorsOf says what is wrong with the anchors of a document.
func anchorsOf(root *yaml.Node) error {
	e := expansion{sizes: map[*yaml.Node]int{}, open: map[*yaml.Node]bool{}}
	size, at := e.size(root)
	switch {
	case at != nil:
		return fmt.Errorf("line %d: the anchor %s contains itself", at.Line, at.Value)
	case size > maxNodes:
		return fmt.Errorf("its anchors expand to more than %d nodes", maxNodes)
	}
	return nil
}

// expansion counts the nodes of a document with its anchors expanded.
type expansion struct {
	sizes map[*yaml.Node]int
	open  map[*yaml.Node]bool
}

// size returns the number of nodes, or the alias that closes a circle.
func (e expansion) size(node *yaml.Node) (int, *yaml.Node) {
	if node.Kind == yaml.AliasNode {
		if e.open[node.Alias] {
			return 0, node
		}
		return e.size(node.Alias)
	}
	if n, ok := e.sizes[node]; ok {
		return n, nil
	}
	e.open[node] = true
	n := 1
	for _, child := range node.Content {
		size, circle := e.size(child)
		if circle != nil {
			return 0, circle
		}
		n = min(n+size, maxNodes+1)
	}
	e.open[node] = false
	e.sizes[node] = n
	return n, nil
}

// checkFolder refuses a folder without a kustomization.yaml that holds a file which kustomize must not read: the library
// reads all of them from the disk to make a kustomization.yaml.
func (b *builder) checkFolder(a *artifact, dir string) error {
	for _, child := range a.children[dir] {
		if isKustomizationFile(child) {
			return nil
		}
	}
	for _, file := range a.files {
		if ext := path.Ext(file); !within(file, dir) || ext != ".yaml" && ext != ".yml" {
			continue
		}
		content, err := b.checkout.read(a.inCheckout(file))
		if err != nil {
			return err
		}
		if err := checkAnchors(a.inCheckout(file), content); err != nil {
			return err
		}
	}
	return nil
}
