package v1alpha1

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Digest is "sha256:" and the hash of what the intent says, in hex. How it is written does not change it: comments, the
// order of keys, defaults that are spelled out, the short or the structured form of a taint, and annotations, which hosts
// add to. The hash is over encoding/json's form of the defaulted object, so a new field changes no digest as long as it is
// left out.
func (i *TaintIntent) Digest() string {
	plain := *i
	plain.Metadata.Annotations = nil
	plain.Default()
	plain.Spec.Taints = make([]NamedTaint, len(i.Spec.Taints))
	for at, named := range i.Spec.Taints {
		plain.Spec.Taints[at] = named.structured()
	}
	data, err := json.Marshal(plain)
	if err != nil {
		panic("v1alpha1: a TaintIntent holds nothing that JSON cannot: " + err.Error())
	}
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// structured is the taint in its long spelling. One that does not resolve stays as it is.
func (n NamedTaint) structured() NamedTaint {
	taint, err := n.Resolve()
	if err != nil {
		return n
	}
	n.Taint, n.Key, n.Value, n.Effect = "", taint.Key, taint.Value, taint.Effect
	return n
}
