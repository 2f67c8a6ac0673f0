package check

import (
	"cmp"
	"slices"

	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/flux"
)

// Result is what a check found.
type Result struct {
	// Findings are sorted, the worst first.
	Findings []Finding `json:"findings"`
	// Ignored are findings that the RenderCheck's ignore entries accept.
	Ignored []Finding `json:"ignored,omitempty"`
	// Baseline are findings that a baseline accepts.
	Baseline []Finding `json:"baseline,omitempty"`
	// Before is how many findings the older state has too that the result is compared with.
	Before int `json:"before,omitempty"`
	// Unseen is what could not be seen, and so was not checked.
	Unseen []Unseen `json:"unseen"`
	// Environments say what was looked at.
	Environments []Summary `json:"environments"`
}

// Unseen is something that would be applied or used, and that the checkout does not show.
type Unseen struct {
	flux.Unseen
	// Environments are the names of those that have it.
	Environments []string `json:"environments"`
}

// Summary says how much of an environment was looked at.
type Summary struct {
	Name  string `json:"name"`
	Path  string `json:"path"`
	Stage string `json:"stage"`
	// Why says how the environment was found, when the RenderCheck does not name it.
	Why            string `json:"why,omitempty"`
	Kustomizations int    `json:"kustomizations"`
	Built          int    `json:"built"`
	Objects        int    `json:"objects"`
}

// Run looks at a repository with each of the rules.
func Run(r *Repository, rules []*Rule) *Result {
	var all []Finding
	for _, rule := range rules {
		add := func(f Finding) {
			f.Code = rule.Code
			f.Severity = cmp.Or(f.Severity, rule.Severity)
			all = append(all, f)
		}
		if rule.Repository != nil {
			rule.Repository(r, add)
		}
		if rule.Environment == nil {
			continue
		}
		for _, e := range r.Environments {
			rule.Environment(&Pass{Environment: e, Repository: r, add: add})
		}
	}
	return &Result{Findings: merge(all), Unseen: r.unseen(), Environments: r.summaries()}
}

// Broken returns the files of Berth's kinds that cannot be read, as findings.
func (r *Repository) Broken() []Finding { return r.broken }

func (r *Repository) unseen() []Unseen {
	all := []Unseen{}
	for _, e := range r.Environments {
		for _, u := range e.Unseen {
			i := slices.IndexFunc(all, func(known Unseen) bool { return known.Unseen == u })
			if i < 0 {
				all = append(all, Unseen{Unseen: u, Environments: []string{e.Name}})
				continue
			}
			if !slices.Contains(all[i].Environments, e.Name) {
				all[i].Environments = append(all[i].Environments, e.Name)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Unseen) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Subject, b.Subject))
	})
	return all
}

func (r *Repository) summaries() []Summary {
	all := make([]Summary, 0, len(r.Environments))
	for _, e := range r.Environments {
		s := Summary{Name: e.Name, Path: e.Folder(), Stage: string(e.Stage), Why: r.Found[e.Folder()], Kustomizations: len(e.Kustomizations)}
		for _, k := range e.Kustomizations {
			s.Objects += len(k.Objects)
			if k.Built {
				s.Built++
			}
		}
		all = append(all, s)
	}
	return all
}

// Count returns how many findings have a severity.
func (r *Result) Count(s finding.Severity) int {
	n := 0
	for _, f := range r.Findings {
		if f.Severity == s {
			n++
		}
	}
	return n
}
