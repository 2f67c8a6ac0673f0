package rules

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/internal/golden"
)

// docs/rules.md is made from the rules: go test ./generator/check/rules -update
func TestThePageOfTheRulesIsMadeFromThem(t *testing.T) {
	golden.Check(t, "../../../docs/rules.md", page())
}

func page() []byte {
	var b bytes.Buffer
	b.WriteString("# The rules of berth check\n\n")
	b.WriteString("<!-- made from generator/check/rules: go test ./generator/check/rules -update -->\n\n")
	b.WriteString("`berth check --explain CODE` prints the same. A rule that is not sure reports a warning, whatever stands here. Each rule has a\n" +
		"repository that fails and one that passes in `generator/check/rules/testdata/CODE`.\n\n")
	b.WriteString("| code | severity | what is wrong |\n| --- | --- | --- |\n")
	for _, rule := range All() {
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s |\n", rule.Code, rule.Code, rule.Severity, rule.Title)
	}
	for _, group := range check.Groups() {
		fmt.Fprintf(&b, "\n## %s\n", group)
		for _, rule := range All() {
			if rule.Group == group {
				fmt.Fprintf(&b, "\n### %s\n\n*%s.* (%s)\n\n%s\n", rule.Code, rule.Title, rule.Severity, rule.Help)
			}
		}
	}
	return b.Bytes()
}
