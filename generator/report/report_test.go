package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/check/rules"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/flux"
	"github.com/berth-dev/berth/internal/golden"
)

func found(code string, severity finding.Severity, file string, line int, message, action string) check.Finding {
	f := check.At(finding.Source{File: file, Line: line}, message, action)
	f.Code, f.Severity, f.Fingerprint = code, severity, "0123456789abcdef"
	return f
}

// full is a result with everything that a format has to cope with.
func full() *check.Result {
	first := found("substitution-missing", finding.Error, "apps/vms/my vm: 1.yaml", 12, "${TOKEN} ships as it stands", "add spec.postBuild.substituteFrom")
	first.Object = &finding.Object{APIVersion: "v1", Kind: "ConfigMap", Namespace: "vms", Name: "cloud-init"}
	first.Field, first.Environments = "data.userdata", []string{"dev", "prod"}
	inFile := found("build-failed", finding.Error, "apps/kustomization.yaml", 0, "100% of the folder <apps> & more\ncannot be built", "")
	nowhere := found("depends-on-cycle", finding.Warning, "", 0, "the Kustomizations a and b wait for one another", "take one out")
	nowhere.Environments = []string{"dev"}
	note := found("placeholder", finding.Info, "clusters/prod/kustomization.yaml", 3, "GATEWAY_VIP is still TBD-PROD-VIP in prod", "decide it")
	note.Environments = []string{"prod"}
	return &check.Result{
		Findings: []check.Finding{first, inFile, nowhere, note}, Ignored: []check.Finding{note},
		Unseen: []check.Unseen{
			{Unseen: flux.Unseen{Kind: flux.UnseenChart, Subject: "HelmRelease web/web", Reason: "its chart is not rendered", Source: finding.Source{File: "web.yaml", Line: 1}}, Environments: []string{"dev"}},
			{Unseen: flux.Unseen{Kind: flux.UnseenVariables, Subject: "Secret flux-system/secrets", Reason: "it is not in the repository"}, Environments: []string{"dev"}},
		},
		Environments: []check.Summary{{Name: "dev", Path: "clusters/dev", Stage: "active", Kustomizations: 2, Built: 1, Objects: 9}},
	}
}

// clean is the result of a check that finds nothing.
func clean() *check.Result {
	return &check.Result{Unseen: []check.Unseen{}, Environments: []check.Summary{{Name: "dev", Path: "clusters/dev", Stage: "active", Kustomizations: 1, Built: 1, Objects: 1}}}
}

func printed(t *testing.T, format string, r *check.Result, o Options) string {
	t.Helper()
	var out bytes.Buffer
	if o.Rules == nil {
		o.Rules = rules.All()
	}
	o.Version = "v0.0.0"
	w, err := New(format, &out, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := Print(w, r); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestEachFormatPrintsItsGoldenFile(t *testing.T) {
	few := []*check.Rule{}
	for _, code := range []string{"build-failed", "depends-on-cycle", "placeholder", "substitution-missing"} {
		rule, err := rules.Find(code)
		if err != nil {
			t.Fatal(err)
		}
		few = append(few, &check.Rule{Code: rule.Code, Group: rule.Group, Severity: rule.Severity, Title: rule.Title, Help: "Why, and what to do."})
	}
	for _, format := range Formats() {
		for name, r := range map[string]*check.Result{"full": full(), "clean": clean()} {
			got := printed(t, format, r, Options{Rules: few})
			if again := printed(t, format, r, Options{Rules: few}); again != got {
				t.Errorf("%s: two runs differ", format)
			}
			file := filepath.Join("testdata", name+"."+format)
			golden.Check(t, file, got)
		}
	}
}

// The schema is that of the OASIS standard, from docs.oasis-open.org.
func TestSARIFIsValidByItsSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]*check.Result{"full": full(), "clean": clean()} {
		document, err := jsonschema.UnmarshalJSON(strings.NewReader(printed(t, "sarif", r, Options{})))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(document); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What readers of SARIF have stumbled over elsewhere: a line 0, a region without a line, no results, no fingerprints, rules
// without text, an index that is no rule's.
func TestSARIFAvoidsWhatReadersStumbleOver(t *testing.T) {
	var log sarifLog
	if err := json.Unmarshal([]byte(printed(t, "sarif", full(), Options{})), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if run.Automation.ID == "" || len(run.Tool.Driver.Rules) != len(rules.All()) {
		t.Errorf("automation %q, %d rules", run.Automation.ID, len(run.Tool.Driver.Rules))
	}
	for _, r := range run.Results {
		if r.Fingerprints["berth/v1"] == "" || run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("%s: fingerprints %v, index %d", r.RuleID, r.Fingerprints, r.RuleIndex)
		}
		for _, l := range r.Locations {
			if l.Physical.Region != nil && l.Physical.Region.StartLine < 1 {
				t.Errorf("%s: line %d", r.RuleID, l.Physical.Region.StartLine)
			}
		}
	}
	if got := run.Results[0].Locations[0].Physical.Artifact.URI; got != "apps/vms/my%20vm%3A%201.yaml" {
		t.Errorf("URI %s", got)
	}
	if !strings.Contains(printed(t, "sarif", clean(), Options{}), `"results": []`) {
		t.Error("a clean run has no results")
	}
	for _, rule := range run.Tool.Driver.Rules {
		if rule.ShortDescription.Text == "" || rule.Help.Text == "" || rule.HelpURI == "" {
			t.Errorf("%s lacks text", rule.ID)
		}
	}
}

func TestJUnitCountsAndParses(t *testing.T) {
	var suites junitSuites
	if err := xml.Unmarshal([]byte(printed(t, "junit", full(), Options{})), &suites); err != nil {
		t.Fatal(err)
	}
	tests, failures := 0, 0
	for _, suite := range suites.Suites {
		for _, c := range suite.Cases {
			tests++
			if c.Failure != nil {
				failures++
			}
		}
	}
	if tests != suites.Tests || failures != suites.Failures || failures != 2 || tests != len(rules.All()) {
		t.Errorf("%d tests, %d failures; the file says %d and %d", tests, failures, suites.Tests, suites.Failures)
	}
}

func TestTheTextKeepsToItsWidthAndIsPlain(t *testing.T) {
	for _, width := range []int{0, 60} {
		out := printed(t, "text", full(), Options{Width: width, Verbose: true})
		limit := width
		if width == 0 {
			limit = 80
		}
		for line := range strings.SplitSeq(out, "\n") {
			if strings.Contains(line, " not seen; ") {
				continue // the last line
			}
			if utf8.RuneCountInString(line) > limit && strings.Contains(strings.TrimSpace(line), " ") && !strings.Contains(line, "[") {
				t.Errorf("%d columns: %s", utf8.RuneCountInString(line), line)
			}
		}
		if strings.Contains(out, "\x1b") {
			t.Error("colour without being asked")
		}
	}
	if !strings.Contains(printed(t, "text", full(), Options{Color: true}), "\x1b[31m") {
		t.Error("no colour when asked")
	}
}

func TestAnUnknownFormatIsNamed(t *testing.T) {
	for format, want := range map[string]string{
		"sarf": `there is no format "sarf": did you mean sarif?`,
		"xyz":  `there is no format "xyz": the formats are text, json, sarif, junit, github`,
	} {
		if _, err := New(format, nil, Options{}); err == nil || err.Error() != want {
			t.Errorf("%v", err)
		}
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

func TestAnOutputThatFailsIsAnError(t *testing.T) {
	for _, format := range Formats() {
		w, err := New(format, broken{}, Options{Rules: rules.All()})
		if err != nil {
			t.Fatal(err)
		}
		if err := Print(w, full()); err == nil || !strings.Contains(err.Error(), "write report: the disk is full") {
			t.Errorf("%s: %v", format, err)
		}
	}
}
