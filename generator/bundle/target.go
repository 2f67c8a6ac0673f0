package bundle

import (
	"regexp"
	"strings"

	"github.com/berth-dev/berth/generator/edit"
	"github.com/berth-dev/berth/generator/finding"
)

// targets finds the selector for an object's patch. kustomize runs the components of a kustomization before its
// namePrefix, nameSuffix and namespace, and matches a selector against the name that an object has then; used in a
// kustomization above, the same Component sees the names of the render. A selector has to fit both.
type targets struct {
	renames map[finding.Object]renames
	// namespaces lists the namespaces in which an object of a kind and name stands.
	namespaces map[[2]string][]string
}

func newTargets(renders []Render) targets {
	t := targets{renames: map[finding.Object]renames{}, namespaces: map[[2]string][]string{}}
	for _, r := range renders {
		own := r.renames()
		for _, item := range r.Items {
			t.renames[finding.Object{APIVersion: item.APIVersion, Kind: item.Kind, Namespace: item.Namespace, Name: item.Name}] = own
			key := [2]string{item.Kind, item.Name}
			t.namespaces[key] = append(t.namespaces[key], item.Namespace)
		}
	}
	return t
}

func (t targets) of(patch edit.Patch) edit.Selector {
	o, own := patch.Object, t.renames[patch.Object]
	selector := patch.Target
	selector.Name = regexp.QuoteMeta(o.Name)
	if before := strings.TrimSuffix(strings.TrimPrefix(o.Name, own.prefix), own.suffix); before != o.Name && before != "" {
		selector.Name += "|" + regexp.QuoteMeta(before)
	}
	selector.Namespace = t.namespace(o, own)
	return selector
}

// namespace returns the pattern of the namespaces that an object may be in. An object without one counts as being in
// "default" until a kustomization gives it one.
func (t targets) namespace(o finding.Object, own renames) string {
	others := 0
	inDefault := false
	for _, namespace := range t.namespaces[[2]string{o.Kind, o.Name}] {
		if namespace != o.Namespace {
			others++
			inDefault = inDefault || namespace == "" || namespace == "default"
		}
	}
	switch {
	case others == 0 && (o.Namespace == "" || own.namespace == o.Namespace):
		return "" // whatever it was before
	case o.Namespace == "" || o.Namespace == "default":
		return "default"
	case inDefault:
		return regexp.QuoteMeta(o.Namespace)
	}
	return regexp.QuoteMeta(o.Namespace) + "|default"
}
