package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
)

// junit writes one test case for each rule, since a finding is a test that failed; a rule that finds nothing has passed.
// Several findings of a rule are one failure with a line for each: readers of JUnit take one failure a case.
type junit struct {
	out    io.Writer
	rules  []*check.Rule
	byRule map[string][]check.Finding
}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name      string        `xml:"name,attr"`
	ClassName string        `xml:"classname,attr"`
	Failure   *junitFailure `xml:"failure,omitempty"`
	Output    string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

func newJUnit(w io.Writer, o Options) Writer {
	return &junit{out: w, rules: o.Rules, byRule: map[string][]check.Finding{}}
}

// Write implements Writer.
func (j *junit) Write(f check.Finding) error {
	j.byRule[f.Code] = append(j.byRule[f.Code], f)
	return nil
}

// Flush implements Writer.
func (j *junit) Flush(*check.Result) error {
	all := junitSuites{Name: "berth check"}
	for _, group := range check.Groups() {
		suite := junitSuite{Name: "berth check: " + string(group)}
		for _, rule := range j.rules {
			if rule.Group == group {
				suite.add(j.caseOf(rule))
			}
		}
		if suite.Tests > 0 {
			all.Tests += suite.Tests
			all.Failures += suite.Failures
			all.Suites = append(all.Suites, suite)
		}
	}
	if _, err := io.WriteString(j.out, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(j.out)
	encoder.Indent("", "  ")
	if err := encoder.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(j.out, "\n")
	return err
}

func (s *junitSuite) add(c junitCase) {
	s.Tests++
	if c.Failure != nil {
		s.Failures++
	}
	s.Cases = append(s.Cases, c)
}

// caseOf makes the test case of a rule. Warnings and notes do not fail it, and stand in its output.
func (j *junit) caseOf(rule *check.Rule) junitCase {
	c := junitCase{Name: rule.Code + ": " + rule.Title, ClassName: "berth." + strings.ToLower(string(rule.Group))}
	var errors, others []string
	for _, f := range j.byRule[rule.Code] {
		line := fmt.Sprintf("%s: %s: %s", f.Where(), f.Severity, sentence(message(f)))
		if f.Action != "" {
			line += " To do: " + sentence(f.Action)
		}
		if f.Severity == finding.Error {
			errors = append(errors, line)
		} else {
			others = append(others, line)
		}
	}
	if len(errors) > 0 {
		c.Failure = &junitFailure{Message: counted(len(errors), "finding", "findings"), Type: rule.Code, Text: strings.Join(errors, "\n")}
	}
	c.Output = strings.Join(others, "\n")
	return c
}
