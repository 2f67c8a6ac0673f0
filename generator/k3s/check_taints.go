package k3s

import (
	"fmt"
	"slices"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
)

// taints parses every value of node-taint, and finds those that repeat a key and effect.
func (e *effective) taints() {
	type identity struct {
		key    string
		effect v1alpha1.Effect
	}
	seen := map[identity]PlacedTaint{}
	for _, v := range e.values(nodeTaint) {
		taint, ok := e.taint(v)
		if !ok {
			continue
		}
		id := identity{taint.Key, taint.Effect}
		if first, twice := seen[id]; twice {
			e.duplicate(first, PlacedTaint{taint, v.Source})
			continue
		}
		seen[id] = PlacedTaint{taint, v.Source}
		e.report.Taints = append(e.report.Taints, seen[id])
	}
}

func (e *effective) taint(v Value) (v1alpha1.Taint, bool) {
	if v.unknown {
		e.add(finding.Finding{Code: "taint-unresolved", Severity: finding.Warning, Source: v.Source,
			Message: fmt.Sprintf("the taint %s depends on what only the machine knows, and is not counted", v.Text),
			Action:  "Move the taint into a file below config.yaml.d."})
		return v1alpha1.Taint{}, false
	}
	taint, problem := parseSpec(v)
	for _, p := range []*specProblem{problem, nestedProblem(v)} {
		if p != nil {
			e.addStopping(!p.dropped, finding.Finding{Code: p.code, Severity: finding.Error, Source: v.Source, Message: p.message, Action: p.action})
		}
	}
	return taint, problem == nil
}

func (e *effective) duplicate(first, second PlacedTaint) {
	e.addStopping(true, finding.Finding{Code: "taint-duplicate", Severity: finding.Error, Source: second.Source,
		Message: fmt.Sprintf("%s repeats the key and effect of %s at %s, and k3s refuses to start the agent",
			second.Taint, first.Taint, first.Source),
		Action: "Remove one of the two; flags are added to the files, they do not replace them.",
	})
}

// checkReplaced finds taints that a later plain node-taint threw away. A file of ours does it on purpose (own mode).
func (e *effective) checkReplaced() {
	values := e.values(nodeTaint)
	final := make([]string, len(values))
	for i, v := range values {
		final[i] = v.Text
	}
	for _, r := range e.config.merged.replaced {
		if r.key != nodeTaint {
			continue
		}
		for _, it := range r.lost {
			text := argText(it.raw)
			if text == "" || slices.Contains(final, text) {
				continue
			}
			e.add(e.replaced(r, it.src, text))
		}
	}
}

func (e *effective) replaced(r replacement, from finding.Source, text string) finding.Finding {
	if e.ours(r.by.File) {
		return finding.Finding{Code: "taint-replaced", Severity: finding.Info, Source: r.by,
			Message: fmt.Sprintf("this drop-in owns the list: it replaces %s of %s", text, from)}
	}
	f := finding.Finding{Code: "taint-wiped", Severity: finding.Error, Source: r.by,
		Message: fmt.Sprintf("this node-taint, without +, wipes %s of %s", text, from),
		Action:  "Write node-taint+ here, or move the taint into this file."}
	if e.ours(from.File) {
		f.Message = fmt.Sprintf("this node-taint, without +, wipes %s that Berth wrote at %s", text, from)
		f.Action = "Write node-taint+ here, or let the Berth drop-in sort after this file."
	}
	return f
}

func (e *effective) ours(file string) bool {
	return slices.ContainsFunc(e.config.files, func(f loadedFile) bool { return f.path == file && f.ours })
}
