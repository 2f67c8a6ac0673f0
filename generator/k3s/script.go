package k3s

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
)

// script is a shell script while it is walked. Nothing is run: assignments are taken in the order of the text, whatever
// the branch, and what depends on the machine (a command's output, an argument) makes a word unknown.
type script struct {
	file    string
	offset  int // added to every line
	program v1alpha1.Distribution
	vars    map[string]expand.Variable
	// exportAll is set by `set -a`.
	exportAll bool
	// piped holds the commands that read the installer from a pipe.
	piped map[*syntax.CallExpr]bool
	exec  installExec
	start Start
}

// readScript finds how a shell script starts or installs k3s or RKE2.
func readScript(file string, content []byte, d v1alpha1.Distribution) (*Start, error) {
	s := &script{file: file, program: d, vars: map[string]expand.Variable{}}
	if err := s.read(content); err != nil {
		return nil, err
	}
	start := s.finish()
	if len(start.Invocations) == 0 {
		start.note("script-other", finding.Info, finding.Source{File: file}, fmt.Sprintf("the script does not start or install %s", d), "")
	}
	return start, nil
}

// readCommand does the same for a command line that stands as one word in a unit or in another script.
func readCommand(file string, w word, env map[string]string, d v1alpha1.Distribution) (*Start, error) {
	s := &script{file: file, offset: w.line - 1, program: d, vars: map[string]expand.Variable{}}
	for name, value := range env {
		s.vars[name] = expand.Variable{Set: true, Exported: true, Kind: expand.String, Str: value}
	}
	if err := s.read([]byte(w.text)); err != nil {
		return nil, err
	}
	return s.finish(), nil
}

func (s *script) read(content []byte) error {
	s.piped = map[*syntax.CallExpr]bool{}
	content = bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n"))
	tree, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(bytes.NewReader(content), "")
	if err != nil {
		var parse syntax.ParseError
		if errors.As(err, &parse) {
			return fmt.Errorf("%s:%d: the shell script does not parse: %s", s.file, int(parse.Pos.Line())+s.offset, parse.Text)
		}
		return fmt.Errorf("%s: the shell script does not parse: %w", s.file, err)
	}
	syntax.Walk(tree, func(node syntax.Node) bool {
		s.visit(node)
		return true
	})
	return nil
}

func (s *script) visit(node syntax.Node) {
	switch n := node.(type) {
	case *syntax.BinaryCmd:
		s.pipe(n)
	case *syntax.DeclClause:
		for _, a := range n.Args {
			s.assign(a, n.Variant.Value == "export")
		}
	case *syntax.CallExpr:
		if len(n.Args) == 0 {
			for _, a := range n.Assigns {
				s.assign(a, s.exportAll)
			}
			return
		}
		s.call(n)
	}
}

// pipe marks `curl https://get.k3s.io | sh -s - ...`.
func (s *script) pipe(n *syntax.BinaryCmd) {
	if n.Op != syntax.Pipe && n.Op != syntax.PipeAll {
		return
	}
	call, ok := n.Y.Cmd.(*syntax.CallExpr)
	if ok && strings.Contains(source(n.X), string(s.program)) {
		s.piped[call] = true
	}
}
