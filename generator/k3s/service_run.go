package k3s

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
)

// start follows the commands of the service.
func (s *service) start() (*Start, error) {
	st := &Start{}
	if len(s.exec) > 1 && !s.oneshot {
		second := s.exec[1]
		st.Findings = append(st.Findings, Finding{finding.Finding{
			Code: "unit-exec-start", Severity: finding.Error, Source: at(second.file, second.line),
			Message: "the service has more than one ExecStart=, and systemd refuses to start it",
			Action:  "In a drop-in, write an empty ExecStart= before the new one.",
		}, true})
	}
	for _, c := range s.exec {
		if err := s.run(st, c); err != nil {
			return nil, err
		}
	}
	if len(st.Invocations) == 0 && len(st.Findings) == 0 {
		st.note("unit-other", finding.Info, finding.Source{File: s.file}, fmt.Sprintf("the unit does not start %s", s.program), "")
	}
	s.noteEnvironmentFiles(st)
	return st, nil
}

// noteEnvironmentFiles says which files could change the answer.
func (s *service) noteEnvironmentFiles(st *Start) {
	if len(s.envFiles) == 0 {
		return
	}
	names := make([]string, len(s.envFiles))
	for i, set := range s.envFiles {
		names[i] = strings.TrimPrefix(strings.TrimSpace(set.value), "-")
	}
	st.note("environment-file-not-read", finding.Info, at(s.envFiles[0].file, s.envFiles[0].line), fmt.Sprintf(
		"%s: not read; a %s there would move the configuration", strings.Join(names, ", "), configVariable(s.program)), "")
}

// run follows one command.
func (s *service) run(st *Start, c command) error {
	words := s.expand(splitWords(c.value, c.line, true))
	if len(words) == 0 {
		return nil
	}
	prefix := words[0].text[:len(words[0].text)-len(strings.TrimLeft(words[0].text, "-@:+!|"))]
	words[0].text = words[0].text[len(prefix):]
	if strings.Contains(prefix, "@") && len(words) > 1 { // the second word is what the program sees as its name
		words = append(words[:1], words[2:]...)
	}
	src := at(c.file, words[0].line)
	if args, role := findInvocation(words, s.program); role != "" {
		st.Invocations = append(st.Invocations, Invocation{role, src, args, s.env[configVariable(s.program)]})
		return nil
	}
	return s.shell(st, src, words)
}

// shell follows `sh -c "..."`, and says so where a script of its own is started.
func (s *service) shell(st *Start, src finding.Source, words []word) error {
	script := words[0].text
	if isShell(script) && len(words) > 1 {
		script = words[1].text
		for i, w := range words[1:] {
			if strings.HasPrefix(w.text, "-") && strings.HasSuffix(w.text, "c") && i+2 < len(words) {
				script = words[i+2].text
				inner, err := readCommand(src.File, words[i+2], s.env, s.program)
				if err != nil {
					return err
				}
				st.Invocations = append(st.Invocations, inner.Invocations...)
				st.Findings = append(st.Findings, inner.Findings...)
				if len(inner.Invocations) > 0 {
					return nil
				}
				break
			}
		}
	}
	if mayStart(script, s.program) {
		st.note("start-script-not-read", finding.Info, src, fmt.Sprintf("the unit starts %s, whose arguments for %s are not known here", script, s.program),
			"Pass that script with --unit as well.")
	}
	return nil
}

// mayStart reports whether a command that is not k3s itself looks like a script that could start it.
func mayStart(command string, d v1alpha1.Distribution) bool {
	return strings.HasSuffix(command, ".sh") || strings.Contains(path.Base(command), string(d))
}

func isShell(name string) bool {
	switch path.Base(name) {
	case "sh", "bash", "dash", "ash", "zsh":
		return true
	}
	return false
}

var unitVariable = regexp.MustCompile(`\$\$|\$\{(\w+)\}|\$(\w+)`)

// expand replaces what Environment= defines: ${NAME} anywhere, $NAME as a word of its own, which is split.
func (s *service) expand(words []word) []word {
	var out []word
	for _, w := range words {
		if name, ok := strings.CutPrefix(w.text, "$"); ok && s.env[name] != "" {
			out = append(out, splitWords(s.env[name], w.line, false)...)
			continue
		}
		w.text = unitVariable.ReplaceAllStringFunc(w.text, func(ref string) string {
			if ref == "$$" {
				return "$"
			}
			value, ok := s.env[strings.Trim(ref, "${}")]
			if !ok {
				w.unknown = true
				return ref
			}
			return value
		})
		w.unknown = w.unknown || strings.Contains(strings.ReplaceAll(w.text, "%%", ""), "%")
		w.text = strings.ReplaceAll(w.text, "%%", "%")
		out = append(out, w)
	}
	return out
}
