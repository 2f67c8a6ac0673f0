package v1alpha1

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/berth-dev/berth/generator/api/strict"
)

// maxName is the length of a label's value, in which the names of intents end up.
const maxName = 63

// Validate checks a defaulted intent by the rules of the Kubernetes API and by its own. The error is a strict.Problems;
// it names lines when the intent was read from a file.
func (i *TaintIntent) Validate() error {
	v := &validator{intent: i}
	v.metadata()
	v.spec()
	v.taints()
	v.nodes()
	v.allow()
	v.deny()
	v.workloadsTwice()
	return v.problems.Err()
}

// validator collects the problems of one intent.
type validator struct {
	intent   *TaintIntent
	problems strict.Problems
}

func (v *validator) fail(path, format string, args ...any) {
	v.problems = append(v.problems, v.intent.origin.Problem(path, format, args...))
}

// check records what one of apimachinery's validation functions returned about a value.
func (v *validator) check(path, what, value string, errs []string) {
	if len(errs) > 0 {
		v.fail(path, "%s %q is not valid: %s", what, value, rule(errs))
	}
}

// resolved records a value that waits for Flux, and tells whether it does not.
func (v *validator) resolved(path, value string) bool {
	if isUnresolved(value) {
		v.fail(path, "%q %s", value, unresolved)
		return false
	}
	return true
}

func (v *validator) metadata() {
	meta := v.intent.Metadata
	switch {
	case meta.Name == "":
		v.fail("metadata.name", "is missing: the name tells one intent from another")
	case !v.resolved("metadata.name", meta.Name):
	case len(meta.Name) > maxName:
		v.fail("metadata.name", "%q has %d characters: at most %d fit into a label", meta.Name, len(meta.Name), maxName)
	default:
		v.check("metadata.name", "the name", meta.Name, validation.IsDNS1123Subdomain(meta.Name))
	}
	if v.resolved("metadata.namespace", meta.Namespace) {
		v.check("metadata.namespace", "the namespace", meta.Namespace, validation.IsDNS1123Label(meta.Namespace))
	}
	v.labels("metadata.labels", meta.Labels)
	for _, key := range sortedKeys(meta.Annotations) {
		v.check(strict.Child("metadata.annotations", key), "the key", key, validation.IsQualifiedName(strings.ToLower(key)))
	}
}

// labels checks keys and values as the API server checks those of an object.
func (v *validator) labels(path string, labels map[string]string) {
	for _, key := range sortedKeys(labels) {
		at := strict.Child(path, key)
		if v.resolved(at, key) {
			v.check(at, "the label's key", key, validation.IsQualifiedName(key))
		}
		if v.resolved(at, labels[key]) {
			v.check(at, "the label's value", labels[key], validation.IsValidLabelValue(labels[key]))
		}
	}
}
