package rules

import (
	"encoding/base64"
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/flux"
	"github.com/berth-dev/berth/generator/tree"
)

var encryptedUndecrypted = &check.Rule{
	Code: "encrypted-undecrypted", Group: check.Secrets, Severity: finding.Error,
	Title: "An encrypted object stands in a path without decryption",
	Help: `kustomize-controller decrypts SOPS only where spec.decryption says so. Elsewhere it applies the object with ENC[...] as its
values, and the API server refuses the field sops, or, for a Secret with stringData, stores the cipher text as the secret.

Add spec.decryption with provider: sops and the Secret that holds the key.`,
	Environment: func(p *check.Pass) {
		for o := range p.Objects() {
			if o.Encrypted && o.Kustomization.Spec.Decryption == nil && !o.NotApplied {
				p.Report(check.On(o, nil, fmt.Sprintf("it is encrypted with SOPS, and Kustomization %s has no spec.decryption", o.Kustomization.ID),
					"add spec.decryption to the Kustomization"))
			}
		}
	},
}

var plainSecret = &check.Rule{
	Code: "plain-secret", Group: check.Secrets, Severity: finding.Warning,
	Title: "A Secret stands in Git in plain text",
	Help: `Base64 is no encryption: whoever can read the repository can read the Secret, in every old commit too. Values that are only
variables, and empty ones, are not reported.

Encrypt the file with SOPS or make the Secret with External Secrets, and change what it holds. A Secret that holds nothing
secret may be ignored with that reason.`,
	Environment: func(p *check.Pass) {
		for o := range p.Objects() {
			if is(o, "", "Secret") && !o.Encrypted && !o.NotApplied {
				if keys := plainKeys(o); len(keys) > 0 {
					p.Report(check.On(o, nil, "it holds "+some(keys, 3)+" in plain text", "encrypt it with SOPS, or make it with External Secrets, and change what it holds"))
				}
			}
		}
	},
}

// plainKeys are the keys of a Secret whose values can be read.
func plainKeys(o *flux.Object) []string {
	root := o.Node()
	if o.Template != "" {
		root = parse(o.Template)
	}
	var all []string
	for _, field := range []string{"data", "stringData"} {
		mapping := tree.Lookup(root, field)
		for _, key := range keys(mapping) {
			if value := decoded(field, tree.Lookup(mapping, key)); value != "" && !strings.Contains(value, "${") && !strings.Contains(value, "ENC[") {
				all = append(all, key)
			}
		}
	}
	return all
}

func decoded(field string, node *yaml.Node) string {
	if node == nil || node.Kind != yaml.ScalarNode || tree.IsNull(node) {
		return ""
	}
	value := strings.TrimSpace(node.Value)
	if field == "data" && !strings.Contains(value, "${") {
		if plain, err := base64.StdEncoding.DecodeString(value); err == nil {
			value = string(plain)
		}
	}
	return strings.TrimSpace(value)
}
