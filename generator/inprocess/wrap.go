package inprocess

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/stream"
	"github.com/berth-dev/berth/generator/tree"
)

type item = stream.Item

// madeUpDir is the name of the directories in memory, beside those that they stand for.
const madeUpDir = ".berth-build"

// wrap runs the function for each config on what a kustomization builds, and makes the kustomization around it that says
// the same with patches and resources. It returns its directory.
func (b *builder) wrap(k *kustomization, configs []*item, before []byte, component bool) (string, error) {
	after := before
	for _, config := range configs {
		var err error
		if after, err = b.call(config, after); err != nil {
			return "", err
		}
	}
	patches, added, err := compare(before, after)
	if err != nil {
		return "", fmt.Errorf("%s: %w", k.file, err)
	}
	b.made++
	dir := filepath.Join(filepath.Dir(k.dir), madeUpDir, strconv.Itoa(b.made))
	around := b.around(k, dir, component)
	if len(patches.Content) > 0 {
		set(around, "patches", patches)
	}
	if len(added) > 0 {
		b.addedIn(around, dir, added, component)
	}
	content, err := yaml.String(around)
	if err != nil {
		return "", err
	}
	b.fs.files[filepath.Join(dir, "kustomization.yaml")] = []byte(content)
	return dir, nil
}

// around begins the kustomization around another one, with what kustomize reads at the root of a build only.
func (b *builder) around(k *kustomization, dir string, component bool) *yaml.Node {
	around := tree.Map("apiVersion", tree.Text("kustomize.config.k8s.io/v1beta1"), "kind", tree.Text("Kustomization"))
	field := "resources"
	if component {
		around = tree.Map("apiVersion", tree.Text("kustomize.config.k8s.io/v1alpha1"), "kind", tree.Text("Component"))
		field = "components"
	}
	if !k.empty() {
		inner, err := filepath.Rel(dir, k.dir)
		if err != nil {
			panic("inprocess: two absolute paths: " + err.Error())
		}
		set(around, field, tree.List(tree.Text(inner)))
	}
	for _, name := range []string{"sortOptions", "buildMetadata", "openapi"} {
		if value := tree.Lookup(k.root, name); value != nil {
			set(around, name, yaml.NewRNode(value).Copy().YNode())
		}
	}
	if schema := tree.Lookup(around, "openapi", "path"); schema != nil {
		if content, err := b.fs.ReadFile(filepath.Join(k.dir, schema.Value)); err == nil {
			schema.Value = "openapi" + filepath.Ext(schema.Value)
			b.fs.files[filepath.Join(dir, schema.Value)] = content
		}
	}
	return around
}

// addedIn lists new objects behind the others. A Component works on its resources before its Components, so that there
// they need a Component of their own.
func (b *builder) addedIn(around *yaml.Node, dir string, added []byte, component bool) {
	if !component {
		b.fs.files[filepath.Join(dir, "added.yaml")] = added
		push(around, "resources", "added.yaml")
		return
	}
	b.made++
	beside := filepath.Join(filepath.Dir(dir), strconv.Itoa(b.made))
	b.fs.files[filepath.Join(beside, "added.yaml")] = added
	b.fs.files[filepath.Join(beside, "kustomization.yaml")] = []byte("apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [added.yaml]\n")
	push(around, "components", "../"+strconv.Itoa(b.made))
}

func set(node *yaml.Node, key string, value *yaml.Node) {
	node.Content = append(node.Content, tree.Text(key), value)
}

func push(node *yaml.Node, key, value string) {
	if list := tree.Lookup(node, key); list != nil {
		list.Content = append(list.Content, tree.Text(value))
		return
	}
	set(node, key, tree.List(tree.Text(value)))
}

// call runs the function on a stream of objects and returns the stream that it leaves.
func (b *builder) call(config *item, objects []byte) ([]byte, error) {
	items, err := stream.ReadDocuments("", objects)
	if err != nil {
		return nil, err
	}
	list := tree.List()
	for _, i := range items {
		node, err := i.Node()
		if err != nil {
			return nil, err
		}
		list.Content = append(list.Content, node.YNode())
	}
	node, err := config.Node()
	if err != nil {
		return nil, err
	}
	in, err := yaml.String(tree.Map("apiVersion", tree.Text("config.kubernetes.io/v1"), "kind", tree.Text("ResourceList"),
		"items", list, "functionConfig", node.YNode()))
	if err != nil {
		return nil, err
	}
	out, err := b.run([]byte(in))
	if err != nil {
		return nil, err
	}
	return documents(out)
}

// documents turns the items of a ResourceList into a stream.
func documents(in []byte) ([]byte, error) {
	list, err := stream.ReadList(in)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	for _, i := range list.Items {
		node, err := i.Node()
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
