package flux

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/fluxcd/pkg/envsubst/parse"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// usesOf returns the variables that a text refers to, sorted by name, as the controller's parser reads them. A text that it
// refuses, such as a shell script in a path without substitution, is searched for what looks like a variable.
func usesOf(text string) []Use {
	if !strings.Contains(text, "${") {
		return nil
	}
	found := map[string]bool{} // by name: every reference has a default
	if tree, err := parse.Parse(text); err == nil {
		collect(tree.Root, found)
	} else {
		search(text, found)
	}
	uses := make([]Use, 0, len(found))
	for name, defaulted := range found {
		uses = append(uses, Use{Name: name, Defaulted: defaulted})
	}
	slices.SortFunc(uses, func(a, b Use) int { return cmp.Compare(a.Name, b.Name) })
	return uses
}

// hasDollar says whether anything in an object could be a variable.
func hasDollar(node *yaml.Node) bool {
	return strings.Contains(node.Value, "$") || slices.ContainsFunc(node.Content, hasDollar)
}

func collect(node parse.Node, found map[string]bool) {
	switch n := node.(type) {
	case *parse.ListNode:
		for _, child := range n.Nodes {
			collect(child, found)
		}
	case *parse.FuncNode:
		note(found, n.Param, hasDefault(n.Name))
		for _, arg := range n.Args {
			collect(arg, found)
		}
	}
}

// hasDefault says whether an operator brings its own value for a variable that is not set
// (fluxcd/pkg/envsubst: isDefaultOp).
func hasDefault(operator string) bool {
	return slices.Contains([]string{"-", "+", "=", "?", ":-", ":+", ":=", ":?"}, operator)
}

func note(found map[string]bool, name string, defaulted bool) {
	if before, ok := found[name]; ok {
		defaulted = defaulted && before
	}
	found[name] = defaulted
}

var reference = regexp.MustCompile(`\$*\$\{#?([A-Za-z_][A-Za-z0-9_]*)(:?[-=+?])?`)

func search(text string, found map[string]bool) {
	for _, match := range reference.FindAllStringSubmatch(text, -1) {
		dollars := strings.Index(match[0], "{")
		if dollars%2 == 1 { // $${ is an escaped ${
			note(found, match[1], match[2] != "")
		}
	}
}
