package k3s

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
)

// Input is what the effective taints of one node are computed from.
type Input struct {
	// FS holds the configuration: a machine's root, or a part of it.
	FS           fs.FS
	Site         Site
	Distribution v1alpha1.Distribution
	// Invocation is how k3s is started. Nil looks at the files alone.
	Invocation *Invocation
	// Role is used where no invocation says it; empty when it is not known.
	Role Role
}

// EffectiveOf returns a report for every invocation in starts, since each is another process with other flags, or one
// report on the files alone where nothing starts k3s. What starts say about themselves stands in the reports too.
func EffectiveOf(in Input, starts []*Start) ([]*Report, error) {
	var reports []*Report
	var loose []Finding
	for _, start := range starts {
		if len(start.Invocations) == 0 {
			loose = append(loose, start.Findings...)
		}
		for i := range start.Invocations {
			in.Invocation = &start.Invocations[i]
			report, err := effectiveWith(in, start.Findings)
			if err != nil {
				return nil, err
			}
			reports = append(reports, report)
		}
	}
	if len(reports) == 0 {
		in.Invocation = nil
		report, err := effectiveWith(in, loose)
		return []*Report{report}, err
	}
	for _, r := range reports {
		r.Findings = sorted(append(r.Findings, loose...))
	}
	return reports, nil
}

// Effective computes the taints with which a node registers. The error is about reading; what is wrong with the
// configuration is in the report.
func Effective(in Input) (*Report, error) { return effectiveWith(in, nil) }

func effectiveWith(in Input, findings []Finding) (*Report, error) {
	e := &effective{Input: in, report: Report{
		Node: in.Site.Node, Distribution: in.Distribution, Role: in.Role, Files: []string{}, Taints: []PlacedTaint{},
		Findings: append([]Finding{}, findings...),
	}}
	if in.Invocation != nil {
		e.report.Role = in.Invocation.Role
		e.report.StartedBy = in.Invocation.String()
	}
	if err := e.load(); err != nil {
		return nil, err
	}
	e.taints()
	e.checkReplaced()
	e.checkKeys()
	e.checkUnread()
	e.checkKubelet()
	return e.finish(), nil
}

// effective is a report in the making.
type effective struct {
	Input
	base   string
	config *config
	report Report
}

func (e *effective) add(f finding.Finding) { e.addStopping(false, f) }

func (e *effective) addStopping(stops bool, f finding.Finding) {
	e.report.Findings = append(e.report.Findings, Finding{f, stops})
}

// load finds the base file, which the invocation may move, and reads it with its drop-ins.
func (e *effective) load() error {
	e.config = &config{}
	base, ok := e.findBase()
	if !ok {
		return nil
	}
	e.base = base
	loaded, err := load(e.FS, base)
	if err != nil {
		return err
	}
	e.config = loaded
	for _, f := range loaded.files {
		e.report.Files = append(e.report.Files, f.path)
	}
	e.report.Findings = append(e.report.Findings, loaded.findings...)
	return nil
}

// findBase returns the configuration file, and whether there is one that can be read here.
func (e *effective) findBase() (string, bool) {
	if e.Invocation == nil {
		return e.Site.Base, true
	}
	named, moved := e.Invocation.base()
	local := localPath(named.Text)
	switch {
	case !moved || local == defaultBase(e.Distribution):
		return e.Site.Base, true
	case named.Text == "":
		e.add(finding.Finding{Code: "config-none", Severity: finding.Warning, Source: named.Source,
			Message: "the configuration file has an empty name, so k3s reads no configuration files",
			Action:  "Leave the flag out, or name the file."})
		return "", false
	case strings.Contains(named.Text, "://"):
		e.add(finding.Finding{Code: "config-url", Severity: finding.Warning, Source: named.Source,
			Message: fmt.Sprintf("the configuration file is the URL %s, which k3s since v1.21 does not fetch", named.Text),
			Action:  "Put the file on the node."})
		return "", false
	case named.unknown || !e.Site.Rooted:
		e.add(finding.Finding{Code: "config-moved", Severity: finding.Warning, Source: named.Source,
			Message: fmt.Sprintf("the configuration file is %s, so what was read is not what k3s reads", named.Text),
			Action:  "Pass the root of the machine's file system with --root."})
		return "", false
	}
	if !exists(e.FS, local) && !exists(e.FS, local+".d") {
		e.add(finding.Finding{Code: "config-missing", Severity: finding.Warning, Source: named.Source,
			Message: fmt.Sprintf("there is neither %s nor %s.d, and k3s starts without saying so", local, local),
			Action:  "Create the file, or leave its name out."})
	}
	return local, true
}

// values returns what k3s hands to a repeatable flag: the values of the files, then those of the command line.
func (e *effective) values(flag string) []Value {
	values := e.config.merged.flags(flag)
	if e.Invocation != nil {
		values = append(values, e.Invocation.flag(flag)...)
	}
	return values
}

func (e *effective) finish() *Report {
	r := &e.report
	r.Findings = sorted(r.Findings)
	r.Starts = true
	for _, f := range r.Findings {
		r.Starts = r.Starts && !f.StopsAgent
	}
	return r
}
