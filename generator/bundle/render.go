package bundle

import (
	"os"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/render"
	"github.com/berth-dev/berth/generator/stream"
)

// Render is what a bundle is made for: the objects of one source.
type Render struct {
	// Dir is the kustomization directory that was built; empty for a stream.
	Dir   string
	Items []*stream.Item
}

// ReadRender reads a source, as render.Read does.
func ReadRender(source string, items []*stream.Item) Render {
	if render.File(source) == "" {
		return Render{Items: items}
	}
	return Render{Dir: source, Items: items}
}

// renames are the fields of a render's own kustomization that take effect only after its components have run.
type renames struct{ prefix, suffix, namespace string }

func (r Render) renames() renames {
	if r.Dir == "" {
		return renames{}
	}
	text, err := os.ReadFile(render.File(r.Dir))
	if err != nil {
		return renames{}
	}
	var k types.Kustomization
	if yaml.Unmarshal(text, &k) != nil {
		return renames{}
	}
	return renames{prefix: k.NamePrefix, suffix: k.NameSuffix, namespace: k.Namespace}
}

func allItems(renders []Render) []*stream.Item {
	var all []*stream.Item
	for _, r := range renders {
		all = append(all, r.Items...)
	}
	return all
}
