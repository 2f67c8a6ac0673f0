package check

import "github.com/berth-dev/berth/generator/finding"

// Group is a family of rules.
type Group string

// The groups, in the order of the documentation.
const (
	Policy       Group = "Policy"
	Substitution Group = "Substitution"
	Shape        Group = "Shape"
	Order        Group = "Order"
	Patches      Group = "Patches"
	Devices      Group = "Devices"
	Secrets      Group = "Secrets"
	Settings     Group = "Settings"
)

// Groups lists the groups in the order of the documentation.
func Groups() []Group {
	return []Group{Policy, Substitution, Shape, Order, Patches, Devices, Secrets, Settings}
}

// Rule is one thing that can be wrong.
type Rule struct {
	// Code is stable and in kebab case.
	Code  string
	Group Group
	// Severity is that of a finding that does not say otherwise.
	Severity finding.Severity
	// Title is a short sentence on what is wrong.
	Title string
	// Help explains in Markdown why it matters and what to do.
	Help string
	// Environment looks at one environment.
	Environment func(*Pass)
	// Repository looks at the repository as a whole.
	Repository func(*Repository, func(Finding))
}

// Pass is one look of a rule at one environment.
type Pass struct {
	*Environment
	// Repository is the environment's own.
	Repository *Repository

	add func(Finding)
}

// Report adds a finding. Code, severity and environment are filled in where they are missing.
func (p *Pass) Report(f Finding) {
	f.Environments = []string{p.Name}
	p.add(f)
}
