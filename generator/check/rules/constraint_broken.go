package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/api/strict"
	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/check/constraint"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/flux"
)

var constraintBroken = &check.Rule{
	Code: "constraint-broken", Group: check.Substitution, Severity: finding.Error,
	Title: "The variables of an environment break a rule of berth.yaml",
	Help: `spec.variables.rules of berth.yaml holds CEL expressions over the variables, for what must hold between them. The usual one:
a Gateway without an address of its own gets the first free address of Cilium's pool, while DNS answers with GATEWAY_VIP, so
that a GATEWAY_VIP elsewhere blackholes traffic while the Gateway looks healthy:

    expr: ip(vars.GATEWAY_VIP) == ip(vars.CILIUM_LB_POOL_START)
    expr: ip(vars.GATEWAY_VIP).between(ip(vars.CILIUM_LB_POOL_START), ip(vars.CILIUM_LB_POOL_STOP))

vars holds strings. There are CEL's own functions, its string extensions, and Kubernetes' ip(), isIP(), cidr() and regular
expressions. A rule whose variables are still placeholders is not asked.`,
	Environment: func(p *check.Pass) {
		settings := p.Repository.Check.Spec.Variables
		o, vars := variablesOf(p)
		if o == nil {
			return
		}
		for i, rule := range settings.Rules {
			at := strict.Item("spec.variables.rules", i) + ".expr"
			c, err := constraint.Compile(rule.Expr)
			if err != nil {
				p.Report(p.Repository.InCheck(at, fmt.Sprintf("rule %s is no expression that can be asked: %s", rule.Name, sentence(err.Error())), "correct the expression"))
				continue
			}
			if waits(settings, c, vars) {
				continue
			}
			holds, err := c.Eval(vars)
			if err == nil && holds {
				continue
			}
			f := onVariable(p, o, c, vars, fmt.Sprintf("rule %s is broken with %s: %s", rule.Name, values(c, vars), sentence(rule.Message)),
				"change the variables so that "+rule.Expr)
			if err != nil {
				f.Message = fmt.Sprintf("rule %s cannot be asked with %s: %s", rule.Name, values(c, vars), sentence(err.Error()))
			}
			p.Report(f)
		}
	},
}

// waits says whether a variable of the constraint is still a placeholder.
func waits(settings *v1alpha1.CheckedVariables, c *constraint.Constraint, vars map[string]string) bool {
	return slices.ContainsFunc(c.Variables, func(name string) bool { return settings.IsPlaceholder(vars[name]) })
}

// onVariable makes a finding at a variable of the constraint: the first one that a file of the environment's own sets, or
// else the first one that is set.
func onVariable(p *check.Pass, o *flux.Object, c *constraint.Constraint, vars map[string]string, message, action string) check.Finding {
	best := check.On(o, []string{"data"}, message, action)
	for _, name := range slices.Backward(c.Variables) {
		if _, ok := vars[name]; !ok {
			continue
		}
		f := onValue(p, o, []string{"data", name}, message, action)
		if own := below(f.File, p.Folder()); own || !below(best.File, p.Folder()) {
			best = f
		}
	}
	return best
}

func values(c *constraint.Constraint, vars map[string]string) string {
	all := make([]string, len(c.Variables))
	for i, name := range c.Variables {
		all[i] = name + "=" + vars[name]
		if _, ok := vars[name]; !ok {
			all[i] = name + " not set"
		}
	}
	return strings.Join(all, ", ")
}
