package k3s

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/berth-dev/berth/generator/finding"
)

// The variables that the k3s installer reads (k3s-io/k3s install.sh).
const (
	installVariable = "INSTALL_K3S_EXEC"
	urlVariable     = "K3S_URL"
)

// call looks at one command of the script.
func (s *script) call(n *syntax.CallExpr) {
	words := make([]word, 0, len(n.Args))
	for _, w := range n.Args {
		words = append(words, s.words(w)...)
	}
	if len(words) == 0 {
		return
	}
	if words[0].text == "set" && len(words) > 1 && words[1].text == "-a" {
		s.exportAll = true
	}
	env := s.environment(n)
	src := at(s.file, words[0].line)
	if args, role := findInvocation(words, s.program); role != "" {
		s.start.Invocations = append(s.start.Invocations, Invocation{role, src, args, env[configVariable(s.program)].text})
		return
	}
	if args, ok := s.installer(n, words, env); ok {
		s.install(src, args, env)
		return
	}
	s.nested(words, env)
}

// environment is what a command gets: what is exported, and what stands before it. The texts keep their unknownMark.
func (s *script) environment(n *syntax.CallExpr) map[string]word {
	env := map[string]word{}
	for name, v := range s.vars {
		if v.Exported {
			env[name] = word{text: v.Str}
		}
	}
	if v := s.vars[installVariable]; v.Exported {
		env[installVariable] = word{text: v.Str, line: s.exec.src.Line}
	}
	for _, a := range n.Assigns {
		text := s.evaluate(a)
		env[a.Name.Value] = word{text: text, line: int(a.Pos().Line()) + s.offset}
		s.exec.assigned(s, a, text, false)
	}
	return env
}

// installer recognises the k3s installer and returns its arguments.
func (s *script) installer(n *syntax.CallExpr, words []word, env map[string]word) ([]word, bool) {
	i := slices.IndexFunc(words, func(w word) bool { return isShell(w.text) || strings.HasSuffix(w.text, ".sh") })
	if i < 0 {
		return nil, false
	}
	rest := words[i+1:]
	if !isShell(words[i].text) {
		return rest, isInstaller(words[i].text, env)
	}
	if s.piped[n] || passesInstallVariables(env) && (len(rest) == 0 || strings.HasPrefix(rest[0].text, "-")) {
		return afterStdin(rest), !hasCommandOption(rest)
	}
	for j, w := range rest {
		if !strings.HasPrefix(w.text, "-") {
			return rest[j+1:], isInstaller(w.text, env)
		}
	}
	return nil, false
}

func isInstaller(name string, env map[string]word) bool {
	base := path.Base(name)
	if strings.Contains(base, "uninstall") {
		return false
	}
	return strings.Contains(base, "install") && (strings.Contains(base, "k3s") || passesInstallVariables(env)) ||
		base == "get.k3s.io"
}

func passesInstallVariables(env map[string]word) bool {
	for name := range env {
		if strings.HasPrefix(name, "INSTALL_K3S_") || name == urlVariable {
			return true
		}
	}
	return false
}

// afterStdin drops `-s`, `-`, `-x -s --` and the like in front of what the installer gets.
func afterStdin(words []word) []word {
	for i, w := range words {
		if w.text == "-" || w.text == "--" {
			return words[i+1:]
		}
		if !strings.HasPrefix(w.text, "-") || strings.HasPrefix(w.text, "--") {
			return words[i:]
		}
	}
	return nil
}

func hasCommandOption(words []word) bool {
	return slices.ContainsFunc(words, func(w word) bool {
		return strings.HasPrefix(w.text, "-") && !strings.HasPrefix(w.text, "--") && strings.HasSuffix(w.text, "c")
	})
}

// install is what the installer makes of INSTALL_K3S_EXEC and its arguments: the words of both, one after the other. It
// splits the variable at white space and quotes and takes every other character as it is. Without a command word the
// role is agent where K3S_URL is set.
func (s *script) install(src finding.Source, args []word, env map[string]word) {
	exec := env[installVariable]
	words := splitWords(exec.text, exec.line, false)
	for i, w := range words {
		words[i] = unmarked(w.text, w.line)
	}
	s.exec.reaches = s.exec.reaches || exec.text != ""
	s.exec.used = true
	words = append(words, args...)
	role := Server
	if env[urlVariable].text != "" {
		role = Agent
	}
	if len(words) > 0 && !strings.HasPrefix(words[0].text, "-") {
		role = Role(words[0].text)
		words = words[1:]
	}
	s.start.Invocations = append(s.start.Invocations, Invocation{role, src, words, env[configVariable(s.program)].text})
}

// runsCommandLines are the commands, beside shells, of which an argument is a command line.
var runsCommandLines = []string{"ssh", "su", "sudo", "runuser", "eval", "wsl", "wsl.exe", "multipass", "limactl", "vagrant"}

// nested follows a command line that is an argument of another command: ssh host "...", bash -c "...".
func (s *script) nested(words []word, env map[string]word) {
	if name := words[0].text; !isShell(name) && !slices.Contains(runsCommandLines, path.Base(name)) {
		return
	}
	plain := map[string]string{}
	for name, w := range env {
		plain[name] = w.text
	}
	for _, w := range words[1:] {
		if !strings.Contains(w.text, " ") || !strings.Contains(w.text, string(s.program)) {
			continue
		}
		if inner, err := readCommand(s.file, w, plain, s.program); err == nil { // most arguments are no command line
			s.start.Invocations = append(s.start.Invocations, inner.Invocations...)
			s.start.Findings = append(s.start.Findings, inner.Findings...)
		}
	}
}
