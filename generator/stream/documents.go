package stream

import (
	"bytes"
	"errors"
	"runtime"

	"golang.org/x/sync/errgroup"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// ReadDocuments reads a stream of YAML documents, or a ResourceList, which stands for its items. Documents that hold
// nothing but comments are left out. The file's name is only used in errors.
func ReadDocuments(file string, in []byte) ([]*Item, error) {
	var items []*Item
	for _, c := range cutDocuments(in) {
		if isEmpty(c.body) {
			continue
		}
		items = append(items, &Item{File: file, Line: c.line, body: c.body, dash: -1})
	}
	if err := checkAll(items); err != nil {
		return nil, err
	}
	return openLists(file, items)
}

// openLists puts the items of ResourceLists in the lists' places.
func openLists(file string, items []*Item) ([]*Item, error) {
	all := make([]*Item, 0, len(items))
	for _, item := range items {
		if item.Kind != "ResourceList" {
			all = append(all, item)
			continue
		}
		list, err := ReadList(item.body)
		var fault *Error
		if errors.As(err, &fault) {
			return nil, &Error{File: file, Line: item.at(fault.Line), Message: fault.Message}
		}
		if err != nil {
			return nil, err
		}
		for _, inner := range list.Items {
			inner.File = file
			if inner.Line == 0 { // it was decoded with the whole list, and counts from the list's first line
				forgetLines(inner.node.YNode())
			} else {
				inner.Line = item.at(inner.Line)
			}
			all = append(all, inner)
		}
	}
	return all, nil
}

// forgetLines makes a tree's lines unknown.
func forgetLines(node *yaml.Node) {
	node.Line = 0
	for _, child := range node.Content {
		forgetLines(child)
	}
}

// cutDocuments cuts a stream at its document markers. A marker stands at column 0, where no block scalar reaches.
func cutDocuments(in []byte) []chunk {
	in = bytes.TrimPrefix(in, []byte("\xef\xbb\xbf"))
	s := scanner{rest: in}
	docs := []chunk{{line: 1}}
	for len(s.rest) > 0 {
		before := s.rest
		line := s.next()
		last := &docs[len(docs)-1]
		if !isMarker(line) {
			last.body = extend(last.body, before, line)
			continue
		}
		docs = append(docs, chunk{line: s.line + 1})
		if rest := bytes.TrimSpace(line[3:]); len(rest) > 0 && rest[0] != '#' {
			// A document may begin on its marker's line: keep the line, without the marker.
			docs[len(docs)-1] = chunk{line: s.line, body: line[3:]}
		}
	}
	return docs
}

func isMarker(line []byte) bool {
	line = bytes.TrimRight(line, "\r\n")
	for _, marker := range []string{"---", "..."} {
		if rest, ok := bytes.CutPrefix(line, []byte(marker)); ok && (len(rest) == 0 || rest[0] == ' ' || rest[0] == '\t') {
			return true
		}
	}
	return false
}

// isEmpty says whether a document holds nothing: blank lines, comments, directives, null.
func isEmpty(doc []byte) bool {
	for line := range bytes.Lines(doc) {
		switch line = bytes.TrimSpace(line); {
		case len(line) == 0, line[0] == '#', line[0] == '%', string(line) == "null", string(line) == "~":
		default:
			return false
		}
	}
	return true
}

// checkAll decodes every item once, on every core, and returns the first fault in the order of the input.
func checkAll(items []*Item) error {
	faults := make([]error, len(items))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	const batch = 64
	for from := 0; from < len(items); from += batch {
		group.Go(func() error {
			for i := from; i < min(from+batch, len(items)); i++ {
				faults[i] = items[i].check()
			}
			return nil
		})
	}
	_ = group.Wait() // no function of the group returns an error: the faults stand in their own list, in order
	for _, fault := range faults {
		if fault != nil {
			return fault
		}
	}
	return nil
}
