package flux

import (
	"bytes"
	"fmt"

	"sigs.k8s.io/yaml"
)

// JSON returns the object as JSON, its fields in the order in which kustomize leaves them.
func (o *Object) JSON() ([]byte, error) {
	text, err := o.node.MarshalJSON()
	if err != nil {
		return nil, fmt.Errorf("render %s: %w", o, err)
	}
	return text, nil
}

// YAML returns the object as the controller's build writes it (sigs.k8s.io/kustomize/api/resource.Resource.AsYAML).
func (o *Object) YAML() ([]byte, error) {
	text, err := o.JSON()
	if err != nil {
		return nil, err
	}
	if text, err = yaml.JSONToYAML(text); err != nil {
		return nil, fmt.Errorf("render %s: %w", o, err)
	}
	return text, nil
}

// Applied are the objects that Flux applies: all but those that tell it to leave them alone.
func (k *Kustomization) Applied() []*Object {
	applied := make([]*Object, 0, len(k.Objects))
	for _, o := range k.Objects {
		if !o.NotApplied {
			applied = append(applied, o)
		}
	}
	return applied
}

// YAML returns the objects that are applied as a stream. Without spec.commonMetadata and without an object that is left
// alone, these are the bytes whose digest the controller writes into status.history.
func (k *Kustomization) YAML() ([]byte, error) {
	var b bytes.Buffer
	for i, o := range k.Applied() {
		text, err := o.YAML()
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteString("---\n")
		}
		b.Write(text)
	}
	return b.Bytes(), nil
}

// Complete says whether everything that the Kustomization would apply was built and is known: nothing of it comes from
// elsewhere, is encrypted, or holds a variable whose value the checkout does not show.
func (k *Kustomization) Complete() bool {
	if !k.Built {
		return false
	}
	for _, p := range k.Problems {
		if p.Elsewhere() {
			return false
		}
	}
	for _, o := range k.Objects {
		if o.Encrypted {
			return false
		}
		for _, use := range o.Uses {
			if use.Unseen && !o.SubstitutionDisabled {
				return false
			}
		}
	}
	return true
}

// Elsewhere says that nothing is wrong: what the controller would fetch is not in the checkout.
func (p Problem) Elsewhere() bool { return p.Reason == SourceNotAvailable || p.Reason == RemoteBase }
