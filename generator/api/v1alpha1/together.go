package v1alpha1

import (
	"github.com/berth-dev/berth/generator/api/strict"
)

// CheckTogether checks intents, each valid by itself, that are used in one run: names are unique, and on a node that two
// of them list neither undoes the other. The error is a strict.Problems that points at the later intent.
func CheckTogether(intents []*TaintIntent) error {
	var problems strict.Problems
	for i, later := range intents {
		for _, earlier := range intents[:i] {
			p := &pair{earlier: earlier, later: later}
			p.check()
			problems = append(problems, p.problems...)
		}
	}
	return problems.Err()
}

// pair is two intents of one run.
type pair struct {
	earlier, later *TaintIntent
	problems       strict.Problems
}

// fail points at a field of the later intent.
func (p *pair) fail(path, format string, args ...any) {
	p.problems = append(p.problems, p.later.origin.Problem(path, format, args...))
}

// other names the earlier intent and where the field stands there.
func (p *pair) other(path string) string {
	name := "the intent " + p.earlier.Metadata.Name
	if where := p.earlier.Position(path).String(); where != "" {
		name += " (" + where + ")"
	}
	return name
}

func (p *pair) check() {
	if p.earlier.Metadata.Name == p.later.Metadata.Name {
		p.fail("metadata.name", "the name %s is taken by %s: give each intent a name of its own",
			p.later.Metadata.Name, p.other("metadata.name"))
	}
	p.nodes()
	p.decisions()
}

// decisions finds a workload that one intent allows and the other denies on a node that both taint. On different nodes
// the two may well decide differently.
func (p *pair) decisions() {
	if !p.sharesTaintedNode() {
		return
	}
	for _, denied := range p.later.denied() {
		for _, allowed := range p.earlier.allowed() {
			if denied.contradicts(allowed) {
				p.fail(denied.field(), "%s is denied here and allowed by %s: keep one of the two", denied.subject(), p.other(allowed.path))
			}
		}
	}
	for _, allowed := range p.later.allowed() {
		for _, denied := range p.earlier.denied() {
			if allowed.contradicts(denied) {
				p.fail(allowed.field(), "%s is allowed here and denied by %s: keep one of the two", allowed.subject(), p.other(denied.path))
			}
		}
	}
}

func (p *pair) sharesTaintedNode() bool {
	for _, node := range p.later.TaintedNodes() {
		if len(p.earlier.NodeTaints(node)) > 0 {
			return true
		}
	}
	return false
}
