package flux

import (
	"cmp"
	"encoding/json"
	"fmt"

	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
)

// group is the API group of Flux Kustomizations. kustomize's own files have another one.
const group = "kustomize.toolkit.fluxcd.io"

func isKustomization(o *Object) bool {
	return o.Group() == group && o.Kind == kustomizev1.KustomizationKind
}

// decode reads a Kustomization from the object that declares it.
func decode(o *Object) *Kustomization {
	k := &Kustomization{Object: o, Parent: o.Kustomization}
	k.ID = ID{cmp.Or(o.Namespace, o.Kustomization.Namespace), o.Name}
	var typed kustomizev1.Kustomization
	if err := decodeObject(o, &typed); err != nil {
		k.problem(NotDecodable, fmt.Sprintf("%s: %v", o.Object, err))
		return k
	}
	k.Spec = typed.Spec
	k.Path = cleanPath(k.Spec.Path)
	return k
}

// decodeObject reads an object into a type of Flux's API, as the API server would: unknown fields are dropped.
func decodeObject(o *Object, into any) error {
	text, err := o.node.MarshalJSON()
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

func (k *Kustomization) problem(reason Reason, message string) {
	k.Problems = append(k.Problems, Problem{Reason: reason, Message: message, Source: k.Place()})
}
