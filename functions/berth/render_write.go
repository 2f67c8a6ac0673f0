package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/berth-dev/berth/generator/flux"
)

func writeRender(out io.Writer, flags renderFlags, asked []*flux.Kustomization) error {
	if flags.output == "json" {
		return renderJSON(out, asked)
	}
	first := true
	for _, k := range asked {
		text, err := k.YAML()
		if err != nil {
			return err
		}
		if len(text) == 0 {
			continue
		}
		if !first {
			fmt.Fprintln(out, "---")
		}
		first = false
		if flags.kustomization == "" {
			fmt.Fprintf(out, "# Kustomization %s, from %s\n", k, k.Path)
		}
		if _, err := out.Write(text); err != nil {
			return fmt.Errorf("print the objects: %w", err)
		}
	}
	return nil
}

// rendered is a Kustomization in the JSON output.
type rendered struct {
	flux.ID
	Path    string            `json:"path"`
	Objects []json.RawMessage `json:"objects"`
	// Complete says that these are all objects, with all values.
	Complete bool `json:"complete"`
}

func renderJSON(out io.Writer, asked []*flux.Kustomization) error {
	all := make([]rendered, 0, len(asked))
	for _, k := range asked {
		r := rendered{ID: k.ID, Path: k.Path, Objects: []json.RawMessage{}, Complete: k.Complete()}
		for _, o := range k.Applied() {
			text, err := o.JSON()
			if err != nil {
				return err
			}
			r.Objects = append(r.Objects, text)
		}
		all = append(all, r)
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(all)
}

// renderVerdict says what is wrong and what is not shown, and makes the exit status of it.
func renderVerdict(io streams, asked []*flux.Kustomization, flags renderFlags) error {
	wrong, hidden := false, false
	for _, k := range asked {
		for _, p := range k.Problems {
			label := "error"
			if p.Elsewhere() {
				label = "not shown"
			}
			wrong = wrong || !p.Elsewhere()
			fmt.Fprintf(io.err, "%s: %s: Kustomization %s: %s\n", label, p.Source, k, p)
		}
		for _, ref := range k.Substitution.Unseen {
			fmt.Fprintf(io.err, "not shown: %s: Kustomization %s: variables: %s\n", k.Place(), k, ref.Reason)
		}
		hidden = hidden || !k.Complete()
	}
	switch {
	case wrong:
		return &exitError{code: exitFindings}
	case hidden && flags.requireComplete:
		return &exitError{code: exitIncomplete, err: fmt.Errorf("the checkout does not show everything, and --require-complete demands it")}
	}
	return nil
}
