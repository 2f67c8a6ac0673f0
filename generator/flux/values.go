package flux

import (
	"encoding/base64"
	"fmt"
	"strings"

	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/tree"
)

// valueSources are the objects of an environment that can give values: to variables, and to HelmReleases.
type valueSources struct {
	objects map[objectKey]*Object
	// makers are the objects that make a Secret or ConfigMap in the cluster, by what they make.
	makers map[objectKey]*Object
}

type state int

const (
	absent state = iota // nothing makes it
	unseen              // it is made, or may be, where the checkout does not show it
	seen
)

// lookup is what a reference to a ConfigMap or Secret leads to.
type lookup struct {
	state  state
	data   map[string]string
	object *Object
	reason string
}

func newValueSources() *valueSources {
	return &valueSources{objects: map[objectKey]*Object{}, makers: map[objectKey]*Object{}}
}

// add notes an object. The first one of a name wins, since both of them would overwrite each other in the cluster.
func (v *valueSources) add(o *Object) {
	key := objectKey{o.Group(), o.Kind, o.Namespace, o.Name}
	if _, ok := v.objects[key]; !ok {
		v.objects[key] = o
	}
	if kind, name := made(o); kind != "" {
		v.makers[objectKey{"", kind, o.Namespace, name}] = o
	}
}

// made returns the kind and name of what a controller makes from an object.
func made(o *Object) (kind, name string) {
	switch o.Kind {
	case "ExternalSecret":
		if target := tree.Lookup(o.Node(), "spec", "target", "name"); target != nil && target.Value != "" {
			return "Secret", target.Value
		}
		return "Secret", o.Name
	case "SealedSecret", "SopsSecret", "OnePasswordItem":
		return "Secret", o.Name
	}
	return "", ""
}

// find looks for the ConfigMap or Secret of a reference. A Secret that nothing makes in plain text may well be in the
// cluster, since that is where secrets are supposed to be; a ConfigMap that nothing makes is missing.
func (v *valueSources) find(namespace string, ref kustomizev1.SubstituteReference) lookup {
	key := objectKey{"", ref.Kind, namespace, ref.Name}
	name := fmt.Sprintf("%s %s/%s", ref.Kind, namespace, ref.Name)
	if o := v.objects[key]; o != nil {
		if o.Encrypted {
			return lookup{state: unseen, object: o, reason: name + " is encrypted with SOPS"}
		}
		return lookup{state: seen, object: o, data: dataOf(o)}
	}
	if maker := v.makers[key]; maker != nil {
		return lookup{state: unseen, object: maker, reason: fmt.Sprintf("%s is made in the cluster by %s", name, maker.Object)}
	}
	if ref.Kind == "Secret" {
		return lookup{state: unseen, reason: name + " is not in the repository"}
	}
	return lookup{state: absent, reason: name + " is made by nothing in this environment"}
}

// known says whether a reference leads to an object that has been built.
func (v *valueSources) known(namespace string, ref kustomizev1.SubstituteReference) bool {
	return v.objects[objectKey{"", ref.Kind, namespace, ref.Name}] != nil
}

// dataOf returns the data of a ConfigMap, or that of a Secret as the API server would decode it.
func dataOf(o *Object) map[string]string {
	data := map[string]string{}
	each(o.Node(), "data", func(key, value string) {
		if o.Kind == "Secret" {
			decoded, err := base64.StdEncoding.DecodeString(strings.TrimSpace(value))
			if err != nil {
				return // the API server refuses the object
			}
			value = string(decoded)
		}
		data[key] = value
	})
	if o.Kind == "Secret" {
		each(o.Node(), "stringData", func(key, value string) { data[key] = value })
	}
	return data
}

func each(root *yaml.Node, field string, f func(key, value string)) {
	mapping := tree.Lookup(root, field)
	if mapping == nil || mapping.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if value := tree.Resolve(mapping.Content[i+1]); value.Kind == yaml.ScalarNode && !tree.IsNull(value) {
			f(mapping.Content[i].Value, value.Value)
		}
	}
}
