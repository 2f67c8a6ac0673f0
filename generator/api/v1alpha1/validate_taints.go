package v1alpha1

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/berth-dev/berth/generator/api/strict"
)

func (v *validator) taints() {
	byName, byTaint := map[string]string{}, map[Taint]string{}
	for i, named := range v.intent.Spec.Taints {
		path := strict.Item("spec.taints", i)
		v.taintName(path+".name", named.Name)
		if first, twice := byName[named.Name]; twice && named.Name != "" {
			v.fail(path+".name", "the name %s was given before, %s: names are unique", named.Name, v.intent.origin.Where(first))
		} else {
			byName[named.Name] = path
		}
		v.taintLabel(path+".label", named.Label)
		if !v.taint(path, named) {
			continue
		}
		taint, _ := named.Resolve()
		if first, twice := byTaint[taint]; twice {
			v.fail(path, "%s is the same taint as the one %s: give it one name", taint, v.intent.origin.Where(first))
			continue
		}
		byTaint[taint] = path
	}
}

// taintLabel checks a label in the spelling of kubelet's --node-labels.
func (v *validator) taintLabel(path, label string) {
	switch {
	case label == "" || !v.resolved(path, label):
	case !strings.Contains(label, "="):
		v.fail(path, "the label %q has no value: write key=value, such as %s=true", label, label)
	default:
		parsed := ParseLabel(label)
		v.check(path, "the label's key", parsed.Key, validation.IsQualifiedName(parsed.Key))
		v.check(path, "the label's value", parsed.Value, validation.IsValidLabelValue(parsed.Value))
	}
}

func (v *validator) taintName(path, name string) {
	switch {
	case name == "":
		v.fail(path, "is missing: nodes and allow entries refer to a taint by its name")
	case v.resolved(path, name):
		v.check(path, "the name", name, validation.IsValidLabelValue(name))
	}
}

// taint checks what a taint says, pointing at the part that is wrong, and tells whether it is sound.
func (v *validator) taint(path string, named NamedTaint) bool {
	before := len(v.problems)
	if named.Taint == "" && (named.Key != "" || named.Value != "" || named.Effect != "") {
		v.failAll(path+".key", keyProblems(named.Key))
		v.failAll(path+".value", valueProblems(named.Value))
		v.failAll(path+".effect", effectProblems(named.Effect))
		v.notOwned(path+".key", named.Key)
		return len(v.problems) == before
	}
	at := path
	if named.Taint != "" {
		at += ".taint"
	}
	taint, err := named.Resolve()
	if err != nil {
		v.fail(at, "%v", err)
	} else {
		v.notOwned(at, taint.Key)
	}
	return len(v.problems) == before
}

func (v *validator) failAll(path string, errs []error) {
	for _, err := range errs {
		v.fail(path, "%v", err)
	}
}

// notOwned refuses the keys that a controller takes away again, or waits for.
func (v *validator) notOwned(path, key string) {
	if owner := controllerOf(key); owner != "" {
		v.fail(path, "the key %s belongs to %s and comes and goes with the state of the node: choose a key of your own, such as example.com/reserved", key, owner)
	}
}

// taintNames checks a list of names of taints.
func (v *validator) taintNames(path string, names []string) {
	known := make([]string, 0, len(v.intent.Spec.Taints))
	for _, named := range v.intent.Spec.Taints {
		known = append(known, named.Name)
	}
	seen := map[string]string{}
	for i, name := range names {
		at := strict.Item(path, i)
		if first, twice := seen[name]; twice {
			v.fail(at, "%s was listed before, %s: list it once", name, v.intent.origin.Where(first))
			continue
		}
		seen[name] = at
		v.taintReference(at, name, known)
	}
}
