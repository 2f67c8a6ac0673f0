package k3s

import (
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/berth-dev/berth/generator/finding"
)

// installExec follows INSTALL_K3S_EXEC through a script: a value that the installer never sees is a taint that is lost.
type installExec struct {
	value   string
	src     finding.Source
	reaches bool // exported, or consumed
	set     bool
	used    bool
}

func (e *installExec) assigned(s *script, a *syntax.Assign, value string, exported bool) {
	if a.Name.Value == installVariable {
		*e = installExec{value: value, src: at(s.file, int(a.Pos().Line())+s.offset), reaches: exported, set: true, used: e.used}
	}
}

func (e *installExec) exported(name string, v expand.Variable) {
	if name == installVariable && v.Exported {
		e.reaches = true
	}
}

// finish is what is left to do after the last line.
func (s *script) finish() *Start {
	if s.exec.set && strings.Contains(s.exec.value, nodeTaint) {
		switch {
		case !s.exec.used && len(s.start.Invocations) == 0: // a file that others source
			env := map[string]word{installVariable: {text: s.exec.value, line: s.exec.src.Line}}
			env[urlVariable] = word{text: s.vars[urlVariable].Str}
			s.install(s.exec.src, nil, env)
		case s.exec.used && !s.exec.reaches:
			s.start.note("install-exec-lost", finding.Error, s.exec.src,
				"INSTALL_K3S_EXEC is set here, but the installer does not see it",
				"Write it directly before sh, behind the pipe, or export it.")
		}
	}
	return &s.start
}
