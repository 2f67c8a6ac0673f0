package k3s

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
)

// Start is what a systemd unit or a shell script says about how k3s or RKE2 is started.
type Start struct {
	// Invocations are the ways of starting it, in the order of the file: a script may hold several, a unit one or none.
	Invocations []Invocation
	// Findings are what is wrong with the file, and what of it could not be followed.
	Findings []Finding
}

func (s *Start) note(code string, severity finding.Severity, src finding.Source, message, action string) {
	s.Findings = append(s.Findings, Finding{Finding: finding.Finding{
		Code: code, Severity: severity, Source: src, Message: message, Action: action,
	}})
}

// ReadStart reads a systemd unit, with the drop-ins in <name>.d beside it, or a shell script. Shown is how places in the
// file are named in what comes back.
func ReadStart(fsys fs.FS, name, shown string, d v1alpha1.Distribution) (*Start, error) {
	content, err := fs.ReadFile(fsys, resolve(fsys, name))
	if err != nil {
		return nil, fmt.Errorf("reading how %s is started: %w", d, err)
	}
	if !isUnit(content) {
		return readScript(shown, content, d)
	}
	s := service{file: shown, program: d, env: map[string]string{}}
	s.apply(shown, content)
	if err := s.applyDropIns(fsys, name); err != nil {
		return nil, err
	}
	return s.start()
}

// service is a systemd service while its files are read.
type service struct {
	file     string
	program  v1alpha1.Distribution
	env      map[string]string
	envFiles []command
	exec     []command
	oneshot  bool
}

// command is one setting and the file it stands in.
type command struct {
	setting
	file string
}

// apply takes over the settings of one file. An empty value resets the list of what came before.
func (s *service) apply(file string, content []byte) {
	for _, set := range parseUnit(content) {
		if set.section != "Service" {
			continue
		}
		empty := strings.TrimSpace(set.value) == ""
		switch set.name {
		case "Type":
			s.oneshot = strings.TrimSpace(set.value) == "oneshot"
		case "ExecStart":
			s.exec = append(s.exec, command{set, file})
			if empty {
				s.exec = nil
			}
		case "Environment":
			s.setEnv(set, empty)
		case "EnvironmentFile":
			s.envFiles = append(s.envFiles, command{set, file})
			if empty {
				s.envFiles = nil
			}
		}
	}
}

func (s *service) setEnv(set setting, reset bool) {
	if reset {
		clear(s.env)
	}
	for _, w := range splitWords(set.value, set.line, true) {
		if name, value, ok := strings.Cut(w.text, "="); ok {
			s.env[name] = value
		}
	}
}
