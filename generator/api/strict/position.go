package strict

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// Source says what a document is called in messages.
type Source struct {
	// File is printed as it stands.
	File string
	// Lines tells whether the nodes' lines are those of the file. A host that re-encodes a document makes them meaningless.
	Lines bool
}

// Position is where a node stands.
func (s Source) Position(node *yaml.Node) Position {
	if !s.Lines {
		return Position{File: s.File}
	}
	return Position{File: s.File, Line: node.Line, Column: node.Column}
}

// Problem is a fault at a node, whose field is path.
func (s Source) Problem(node *yaml.Node, path, format string, args ...any) Problem {
	return s.Position(node).problem(path, fmt.Sprintf(format, args...))
}

// Position is a place in a file. The zero Position is an unknown one.
type Position struct {
	File         string
	Line, Column int
}

// String is file:line, or as much of it as is known.
func (p Position) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

func (p Position) problem(path, message string) Problem {
	return Problem{File: p.File, Line: p.Line, Column: p.Column, Path: path, Message: message}
}
