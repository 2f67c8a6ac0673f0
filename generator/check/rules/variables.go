package rules

import (
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/flux"
	"github.com/berth-dev/berth/generator/tree"
)

// substituted says whether Flux replaces variables in an object.
func substituted(o *flux.Object) bool {
	return o.Kustomization.Substitution.Active && !o.SubstitutionDisabled
}

// knownVariables are the names that have a value anywhere in an environment.
func knownVariables(p *check.Pass) map[string]bool {
	known := map[string]bool{}
	_, data := variablesOf(p)
	for name := range data {
		known[name] = true
	}
	for _, k := range p.Kustomizations {
		for name := range k.Substitution.Variables {
			known[name] = true
		}
	}
	return known
}

// place is where a variable stands in an object, before anything was replaced.
type place struct {
	path tree.Path
	text string
}

// multiline says whether the text is a script, a configuration or the like.
func (p *place) multiline() bool { return strings.Contains(strings.TrimSpace(p.text), "\n") }

// placesOf finds the scalars that refer to a variable.
func placesOf(o *flux.Object, name string) []place {
	root := o.Node()
	if o.Template != "" {
		root = parse(o.Template)
	}
	var all []place
	scalars(root, func(path tree.Path, node *yaml.Node) {
		if formOf(node.Value, name) != "" && !inPatchOfKustomization(o, path) {
			all = append(all, place{clone(path), node.Value})
		}
	})
	return all
}

// formOf is the first reference to a variable in a text, such as ${NAME:-1}; empty when there is none, or all are escaped. One
// that holds another reference is cut short.
func formOf(text, name string) string {
	refers := regexp.MustCompile(`\$+\{#{0,2}` + regexp.QuoteMeta(name) + `\b[^}\n]*\}?`)
	for _, form := range refers.FindAllString(text, -1) {
		if dollars := strings.Index(form, "{"); dollars%2 == 1 { // $${ is an escaped ${
			return form[dollars-1:]
		}
	}
	return ""
}

// inPatchOfKustomization says whether a place is a patch that a Flux Kustomization lays over its own build: variables in
// there are replaced together with the build's.
func inPatchOfKustomization(o *flux.Object, path tree.Path) bool {
	return is(o, fluxGroup, "Kustomization") && len(path) > 1 && path[0] == "spec" && path[1] == "patches"
}

const fluxGroup = "kustomize.toolkit.fluxcd.io"

// shellish says whether a text is a shell script, or another text in which ${NAME} is the shell's: it assigns the variable
// itself, names an interpreter, or is cloud-init.
func shellish(p place, name string) bool {
	if assigns(p.text, name) {
		return true
	}
	script := strings.HasPrefix(p.text, "#!") || strings.HasPrefix(p.text, "#cloud-config") ||
		p.multiline() && regexp.MustCompile(`(?m)^\s*(set -[a-z]|if \[|for [a-z]+ in|done$|fi$|exec |export |echo )`).MatchString(p.text)
	command := len(p.path) > 1 && slices.Contains([]string{"command", "args", "runcmd", "bootcmd"}, p.path[len(p.path)-2])
	return script || command && strings.ContainsAny(p.text, ";|&\n")
}

// assigns says whether a text gives a variable a value, as a shell does.
func assigns(text, name string) bool {
	quoted := regexp.QuoteMeta(name)
	return regexp.MustCompile(`(?m)(^|[\s;&|(])(export |local |readonly |declare )?` + quoted + `=|\bfor ` + quoted + ` in\b|\bread (-r )?` + quoted + `\b`).MatchString(text)
}

// braced writes a variable as Flux reads it.
func braced(name string) string { return "${" + name + "}" }
