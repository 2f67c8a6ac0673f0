package v1alpha1

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/berth-dev/berth/generator/api/strict"
)

// maxName is the length of a label's value, in which the names of objects end up.
const maxName = 63

// collector gathers the problems of one object.
type collector struct {
	origin   *strict.Index
	problems strict.Problems
}

// fail records a fault, unless it may follow from one that decoding has found.
func (c *collector) fail(path, format string, args ...any) {
	if !c.origin.Trusted(path) {
		return
	}
	c.problems = append(c.problems, c.origin.Problem(path, format, args...))
}

// check records what one of apimachinery's validation functions returned about a value.
func (c *collector) check(path, what, value string, errs []string) {
	if len(errs) > 0 {
		c.fail(path, "%s %q is not valid: %s", what, value, rule(errs))
	}
}

// resolved records a value that waits for Flux, and tells whether it does not.
func (c *collector) resolved(path, value string) bool {
	if isUnresolved(value) {
		c.fail(path, "%q %s", value, unresolved)
		return false
	}
	return true
}

// oneOf checks an enumeration.
func (c *collector) oneOf(path, value string, allowed ...string) {
	if !slices.Contains(allowed, value) {
		c.fail(path, "there is no %q: write %s", value, strings.Join(allowed, " or "))
	}
}

// name checks metadata.name of an object that the messages call what. It holds no dot, so that it can be put together
// with a node's name and stay apart from it.
func (c *collector) name(what, name string) {
	const path = "metadata.name"
	switch {
	case name == "":
		c.fail(path, "is missing: the name tells one %s from another", what)
	case !c.resolved(path, name):
	case len(name) > maxName:
		c.fail(path, "%q has %d characters: at most %d fit into a label", name, len(name), maxName)
	default:
		c.check(path, "the name", name, validation.IsDNS1123Label(name))
	}
}

// marks checks the labels and annotations of an object.
func (c *collector) marks(labels, annotations map[string]string) {
	c.labels("metadata.labels", labels)
	for _, key := range sortedKeys(annotations) {
		c.check(strict.Child("metadata.annotations", key), "the key", key, validation.IsQualifiedName(strings.ToLower(key)))
	}
}

// labels checks keys and values as the API server checks those of an object.
func (c *collector) labels(path string, labels map[string]string) {
	for _, key := range sortedKeys(labels) {
		at := strict.Child(path, key)
		if c.resolved(at, key) {
			c.check(at, "the label's key", key, validation.IsQualifiedName(key))
		}
		if c.resolved(at, labels[key]) {
			c.check(at, "the label's value", labels[key], validation.IsValidLabelValue(labels[key]))
		}
	}
}
