package inprocess

import (
	"fmt"
	"path/filepath"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/tree"
)

// probe builds what a Component is given: everything that its parent gathered before it, and the files of the Component
// as they are handed in.
type probe func(files map[string][]byte) ([]byte, error)

// beforeComponents are the fields of a kustomization that kustomize works on before its Components (kustomize v5.8.1,
// KustTarget.accumulateTarget).
var beforeComponents = map[string]bool{
	"apiVersion": true, "kind": true, "metadata": true, "resources": true, "bases": true, "configurations": true, "crds": true,
	"configMapGenerator": true, "secretGenerator": true, "generators": true, "generatorOptions": true, "helmCharts": true,
	"helmGlobals": true, "helmChartInflationGenerator": true, "openapi": true,
}

// base rewrites a kustomization that is built by itself, and returns the directory that stands for it.
func (b *builder) base(dir string) (string, error) {
	if at, done := b.done[dir]; done {
		return at, nil
	}
	b.done[dir] = dir // a cycle is for kustomize to find
	k, err := b.open(dir)
	if err != nil || k == nil {
		return dir, err
	}
	configs, err := b.rewrite(k, func(files map[string][]byte) ([]byte, error) { return b.build(b.fs.with(files), dir) })
	if err != nil || len(configs) == 0 {
		return dir, err
	}
	var before []byte
	if !k.empty() {
		if before, err = b.build(b.fs, dir); err != nil {
			return "", err
		}
	}
	if b.done[dir], err = b.wrap(k, configs, before, false); err != nil {
		return "", err
	}
	return b.done[dir], nil
}

// component rewrites a Component of a parent. It is rewritten for each parent anew, since each gives it something else.
func (b *builder) component(dir string, above probe) (string, error) {
	k, err := b.open(dir)
	if err != nil || k == nil {
		return dir, err
	}
	if _, twice := b.fs.files[k.file]; twice {
		return "", fmt.Errorf("%s: the Component is used twice, and berth build can run an entry of Berth's in it for one parent only: use kustomize build --enable-alpha-plugins --enable-exec", k.file)
	}
	configs, err := b.rewrite(k, above)
	if err != nil || len(configs) == 0 {
		return dir, err
	}
	before, err := above(map[string][]byte{})
	if err != nil {
		return "", err
	}
	return b.wrap(k, configs, before, true)
}

// rewrite works on what a kustomization refers to, cuts Berth's entries out of it, and keeps what became of the file when
// anything did.
func (b *builder) rewrite(k *kustomization, whole probe) (configs []*item, err error) {
	changed := false
	if err := b.misplaced(k); err != nil {
		return nil, err
	}
	for _, field := range []string{"resources", "bases"} {
		did, err := b.refer(k, field, b.base)
		if err != nil {
			return nil, err
		}
		changed = changed || did
	}
	for i := range k.list("components") {
		did, err := b.referOne(k, k.list("components")[i], func(dir string) (string, error) {
			return b.component(dir, b.upTo(k, i, whole))
		})
		if err != nil {
			return nil, err
		}
		changed = changed || did
	}
	if configs, err = b.cut(k); err != nil {
		return nil, err
	}
	if !changed && len(configs) == 0 {
		return nil, nil
	}
	content, err := k.encode()
	if err != nil {
		return nil, err
	}
	b.fs.files[k.file] = content
	return configs, nil
}

// upTo makes the probe for the parent's i-th Component.
func (b *builder) upTo(k *kustomization, i int, whole probe) probe {
	return func(files map[string][]byte) ([]byte, error) {
		var after []string
		for at := 0; at+1 < len(k.root.Content); at += 2 {
			if name := k.root.Content[at].Value; !beforeComponents[name] && name != "components" {
				after = append(after, name)
			}
		}
		truncated := k.without(after...)
		list := tree.Lookup(truncated.root, "components")
		list.Content = list.Content[:i+1]
		if truncated.emptyComponent(b, list, files) {
			list.Content = list.Content[:i]
		}
		if truncated.empty() && !k.component() { // an empty Component is left out by its own parent's probe
			return nil, nil
		}
		content, err := truncated.encode()
		if err != nil {
			return nil, err
		}
		all := map[string][]byte{truncated.file: content}
		for name, file := range files {
			all[name] = file
		}
		return whole(all)
	}
}

// emptyComponent says whether nothing is left of the last Component of a list once Berth's entries are cut out of it.
func (k *kustomization) emptyComponent(b *builder, list *yaml.Node, files map[string][]byte) bool {
	last := list.Content[len(list.Content)-1].Value
	scratch := &builder{fs: b.fs.with(files), run: b.run, options: b.options}
	component, err := scratch.open(filepath.Join(k.dir, last))
	return err == nil && component != nil && component.empty()
}

// refer lets do rewrite each directory that a field refers to.
func (b *builder) refer(k *kustomization, field string, do func(string) (string, error)) (bool, error) {
	changed := false
	for _, entry := range k.list(field) {
		did, err := b.referOne(k, entry, do)
		if err != nil {
			return false, err
		}
		changed = changed || did
	}
	return changed, nil
}

func (b *builder) referOne(k *kustomization, entry *yaml.Node, do func(string) (string, error)) (bool, error) {
	dir := filepath.Join(k.dir, entry.Value)
	if !b.fs.IsDir(dir) {
		return false, nil
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	at, err := do(dir)
	if err != nil || at == dir {
		return false, err
	}
	if entry.Value, err = filepath.Rel(k.dir, at); err != nil {
		return false, err
	}
	return true, nil
}
