package report

import (
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
)

// sarif writes SARIF 2.1.0 for code scanning. Lines count from 1 and a place without a line has no region; results is there
// when it is empty; each rule has its text; fingerprints do not move with the lines.
type sarif struct {
	out     io.Writer
	options Options
	results []sarifResult
}

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Automation  sarifAutomation   `json:"automationDetails"`
	Results     []sarifResult     `json:"results"`
	Invocations []sarifInvocation `json:"invocations"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	Version        string      `json:"version,omitempty"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string       `json:"id"`
	Name             string       `json:"name"`
	ShortDescription sarifText    `json:"shortDescription"`
	FullDescription  sarifText    `json:"fullDescription"`
	Help             sarifText    `json:"help"`
	HelpURI          string       `json:"helpUri"`
	Configuration    sarifDefault `json:"defaultConfiguration"`
	Properties       sarifTags    `json:"properties"`
}

type sarifDefault struct {
	Level string `json:"level"`
}

type sarifTags struct {
	Tags []string `json:"tags"`
}

type sarifText struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifAutomation struct {
	ID string `json:"id"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
}

const (
	homepage = "https://github.com/berth-dev/berth"
	rulePage = homepage + "/blob/main/docs/rules.md#"
)

func newSARIF(w io.Writer, o Options) Writer {
	return &sarif{out: w, options: o, results: []sarifResult{}}
}

// Write implements Writer.
func (s *sarif) Write(f check.Finding) error {
	s.results = append(s.results, s.result(f))
	return nil
}

// Flush implements Writer.
func (s *sarif) Flush(r *check.Result) error {
	run := sarifRun{
		Tool: sarifTool{Driver: sarifDriver{
			Name: "berth", Version: s.options.Version, InformationURI: homepage, Rules: s.rules(),
		}},
		Automation:  sarifAutomation{ID: "berth-check/"},
		Results:     s.results,
		Invocations: []sarifInvocation{{Successful: true, Notifications: notifications(r)}},
	}
	encoder := json.NewEncoder(s.out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}})
}

func (s *sarif) rules() []sarifRule {
	all := make([]sarifRule, 0, len(s.options.Rules))
	for _, r := range s.options.Rules {
		all = append(all, sarifRule{
			ID: r.Code, Name: camel(r.Code), ShortDescription: sarifText{Text: sentence(r.Title)},
			FullDescription: sarifText{Text: r.Help}, Help: sarifText{Text: r.Help, Markdown: r.Help}, HelpURI: rulePage + r.Code,
			Configuration: sarifDefault{level(r.Severity)}, Properties: sarifTags{[]string{strings.ToLower(string(r.Group))}},
		})
	}
	return all
}

// notifications say what could not be seen.
func notifications(r *check.Result) []sarifNotification {
	var all []sarifNotification
	for _, u := range r.Unseen {
		all = append(all, sarifNotification{Level: "note", Message: sarifText{Text: "not seen: " + string(u.Kind) + " " + u.Subject + ": " + u.Reason}})
	}
	return all
}

// index is the place of a rule in the list of rules; -1 is SARIF's own word for none.
func (s *sarif) index(code string) int {
	return slices.IndexFunc(s.options.Rules, func(r *check.Rule) bool { return r.Code == code })
}

func level(s finding.Severity) string {
	return map[finding.Severity]string{finding.Error: "error", finding.Warning: "warning", finding.Info: "note"}[s]
}

// camel writes a code as SARIF wants the name of a rule.
func camel(code string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(code, "-") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}
