package manifest

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/stream"
	"github.com/berth-dev/berth/generator/tree"
)

// Vendored is an upstream's manifest in the one form.
type Vendored struct {
	// Content is the documents, without a header.
	Content []byte
	// Objects counts them.
	Objects int
	// Changes are the fields whose meaning is not upstream's: the images that were pinned, and nothing else.
	Changes []Difference
	// Images are all images in the result, in its order.
	Images []string
}

// Vendor puts an upstream's manifest into the one form and pins its images: pins are references with tag and digest, each
// for every image of the same repository. It is an error when the meaning of anything else would change, or when a pin is
// for no image.
func Vendor(file string, upstream []byte, pins []string) (*Vendored, error) {
	items, err := stream.ReadDocuments(file, upstream)
	if err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return nil, fmt.Errorf("%s holds no object", file)
	}
	v := &Vendored{Objects: len(items)}
	used := map[string]bool{}
	nodes := make([]*yaml.RNode, 0, len(items))
	for _, item := range items {
		node, err := item.Node()
		if err != nil {
			return nil, err
		}
		node = node.Copy()
		Normalize(node.YNode())
		eachImage(node.YNode(), func(image *yaml.Node) {
			v.pin(image, pins, used)
			v.Images = append(v.Images, image.Value)
		})
		nodes = append(nodes, node)
	}
	for _, pin := range pins {
		if !used[pin] {
			return nil, fmt.Errorf("%s has no image of %s: the images are %s", file, repository(pin), strings.Join(v.Images, ", "))
		}
	}
	if v.Content, err = Encode(nodes...); err != nil {
		return nil, err
	}
	v.Changes, err = v.prove(upstream)
	return v, err
}

func (v *Vendored) pin(image *yaml.Node, pins []string, used map[string]bool) {
	for _, pin := range pins {
		if repository(pin) == repository(image.Value) {
			image.Value, used[pin] = pin, true
		}
	}
}

// prove compares what came with what is written. Only images may differ.
func (v *Vendored) prove(upstream []byte) ([]Difference, error) {
	changes, err := Compare(upstream, v.Content)
	if err != nil {
		return nil, err
	}
	for _, c := range changes {
		if len(c.Path) == 0 || c.Path[len(c.Path)-1] != "image" {
			return nil, fmt.Errorf("the form cannot be changed without changing the meaning: %s", c)
		}
	}
	return changes, nil
}

// eachImage calls do for the image of every container, wherever a pod template stands.
func eachImage(node *yaml.Node, do func(*yaml.Node)) {
	node = tree.Resolve(node)
	if node.Kind == yaml.MappingNode {
		for _, list := range []string{"initContainers", "containers", "ephemeralContainers"} {
			containers := tree.Lookup(node, list)
			if containers == nil || containers.Kind != yaml.SequenceNode {
				continue
			}
			for _, container := range containers.Content {
				if image := tree.Lookup(container, "image"); image != nil && image.Kind == yaml.ScalarNode {
					do(image)
				}
			}
		}
	}
	for _, child := range node.Content {
		eachImage(child, do)
	}
}

// repository is an image without tag and digest, and without the registry that Docker supplies.
func repository(image string) string {
	name, _, _ := strings.Cut(image, "@")
	if at := strings.LastIndexByte(name, ':'); at > strings.LastIndexByte(name, '/') {
		name = name[:at]
	}
	name = strings.TrimPrefix(strings.TrimPrefix(name, "docker.io/"), "library/")
	return name
}
