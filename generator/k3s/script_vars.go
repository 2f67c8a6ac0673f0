package k3s

import (
	"io"
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// assign takes over NAME=value, NAME+=value, NAME=(a b) and `export NAME`.
func (s *script) assign(a *syntax.Assign, export bool) {
	if a.Name == nil {
		return
	}
	old := s.vars[a.Name.Value]
	switch {
	case a.Naked:
		old.Exported = old.Exported || export
		s.vars[a.Name.Value] = old
		s.exec.exported(a.Name.Value, old)
		return
	case a.Array != nil:
		old = s.array(old, a)
	default:
		text := s.evaluate(a)
		if a.Append && old.Kind == expand.String {
			text = old.Str + text
		}
		old = expand.Variable{Set: true, Exported: old.Exported, Kind: expand.String, Str: text}
	}
	old.Exported = old.Exported || export
	s.vars[a.Name.Value] = old
	s.exec.assigned(s, a, old.Str, old.Exported)
}

// array is NAME=(a b) and NAME+=(c).
func (s *script) array(old expand.Variable, a *syntax.Assign) expand.Variable {
	v := expand.Variable{Set: true, Exported: old.Exported, Kind: expand.Indexed}
	if a.Append && old.Kind == expand.Indexed {
		v.List = slices.Clone(old.List)
	}
	for _, element := range a.Array.Elems {
		if element.Value == nil {
			continue
		}
		for _, w := range s.words(element.Value) {
			v.List = append(v.List, w.marked())
		}
	}
	return v
}

// evaluate returns the value of an assignment. What a variable that nothing sets would add is unknown.
func (s *script) evaluate(a *syntax.Assign) string {
	if a.Value == nil {
		return ""
	}
	text, err := expand.Literal(s.config(), a.Value)
	if err != nil {
		return markVariables(source(a.Value))
	}
	return text
}

// words expands one word of a command.
func (s *script) words(w *syntax.Word) []word {
	line := int(w.Pos().Line()) + s.offset
	fields, err := expand.Fields(s.config(), w)
	if err != nil {
		return []word{unmarked(markVariables(source(w)), line)}
	}
	words := make([]word, len(fields))
	for i, f := range fields {
		words[i] = unmarked(f, line)
	}
	return words
}

// unknownMark stands in front of what only the running machine knows, so that it is found again wherever it ends up. It
// is no zero byte, since the shell drops those from a command's output.
const unknownMark = "\x01"

// markVariables is for a text that cannot be expanded: each reference in it becomes unknown.
func markVariables(text string) string {
	return strings.ReplaceAll(strings.Trim(text, `"`), "$", unknownMark+"$")
}

func (w word) marked() string {
	if w.unknown {
		return unknownMark + w.text
	}
	return w.text
}

func unmarked(text string, line int) word {
	return word{text: strings.ReplaceAll(text, unknownMark, ""), line: line, unknown: strings.Contains(text, unknownMark)}
}

func (s *script) config() *expand.Config {
	return &expand.Config{Env: variables(s.vars), NoUnset: true, CmdSubst: func(out io.Writer, _ *syntax.CmdSubst) error {
		_, err := io.WriteString(out, unknownMark+"$(...)")
		return err
	}}
}

func source(node syntax.Node) string {
	var b strings.Builder
	_ = syntax.NewPrinter().Print(&b, node) // a strings.Builder takes everything
	return b.String()
}

// variables is what a script has assigned.
type variables map[string]expand.Variable

// Get implements expand.Environ.
func (v variables) Get(name string) expand.Variable {
	if name == "IFS" || name == "HOME" {
		return expand.Variable{}
	}
	return v[name]
}

// Each implements expand.Environ.
func (v variables) Each(f func(string, expand.Variable) bool) {
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if !f(name, v[name]) {
			return
		}
	}
}
