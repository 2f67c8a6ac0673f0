package constraint

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var vars = map[string]string{
	"GATEWAY_VIP": "192.168.1.200", "POOL_START": "192.168.1.200", "POOL_STOP": "192.168.1.220", "CIDR": "192.168.1.0/24",
	"V6": "fd00::1", "REPLICAS": "3", "HOST": "gitea.example.org", "TBD": "TBD-PROD-VIP",
}

func TestConstraints(t *testing.T) {
	for name, c := range map[string]struct {
		expr  string
		holds bool
		fault string
	}{
		"an address is the start of the pool":             {"ip(vars.GATEWAY_VIP) == ip(vars.POOL_START)", true, ""},
		"an address stands between two others":            {"ip(vars.GATEWAY_VIP).between(ip(vars.POOL_START), ip(vars.POOL_STOP))", true, ""},
		"an address does not":                             {"ip('192.168.1.221').between(ip(vars.POOL_START), ip(vars.POOL_STOP))", false, ""},
		"order goes by number, not by text":               {"ip('192.168.1.9').between(ip('192.168.1.1'), ip('192.168.1.10'))", true, ""},
		"two families have no order":                      {"ip(vars.V6).between(ip(vars.POOL_START), ip(vars.POOL_STOP))", false, ""},
		"an address lies in a network":                    {"cidr(vars.CIDR).containsIP(vars.GATEWAY_VIP)", true, ""},
		"text has its functions":                          {"vars.HOST.endsWith('.example.org') && vars['HOST'].split('.').size() == 3", true, ""},
		"a number is converted":                           {"int(vars.REPLICAS) > 2", true, ""},
		"what is no address cannot be asked about":        {"ip(vars.TBD) == ip(vars.POOL_START)", false, "TBD-PROD-VIP"},
		"a variable that is missing is named":             {"vars.NOPE == ''", false, "NOPE"},
		"a variable may be asked about before it is used": {"!has(vars.NOPE) || vars.NOPE == ''", true, ""},
	} {
		constraint, err := Compile(c.expr)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		holds, err := constraint.Eval(vars)
		if (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%s: %v", name, err)
		}
		if holds != c.holds {
			t.Errorf("%s: %v", name, holds)
		}
	}
}

func TestAnExpressionThatSaysNeitherTrueNorFalseIsRefused(t *testing.T) {
	for expr, want := range map[string]string{
		"vars.A":          "true or false",
		"vars.A == ":      "Syntax error",
		"nope(vars.A)":    "undeclared reference",
		"ip(vars.A) == 1": "no matching overload",
	} {
		if _, err := Compile(expr); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", expr, err)
		}
	}
}

func TestTheVariablesOfAnExpressionAreKnown(t *testing.T) {
	c, err := Compile(`ip(vars.B) == ip(vars["A"]) && has(vars.C)`)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"A", "B", "C"}, c.Variables); diff != "" {
		t.Error(diff)
	}
}
