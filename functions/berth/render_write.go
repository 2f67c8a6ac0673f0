package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/berth-dev/berth/generator/flux"
)

// rendering is a Kustomization with its objects as YAML. The error is that of kustomize, which builds some objects that it cannot write.
type rendering struct {
	*flux.Kustomization
	yaml []byte
	err  error
}

func renderingOf(k *flux.Kustomization) rendering {
	text, err := k.YAML()
	return rendering{k, text, err}
}

// complete says whether these are all objects, with all values.
func (r rendering) complete() bool { return r.err == nil && r.Complete() }

// objects are those that can be written.
func (r rendering) objects() []*flux.Object {
	if r.err != nil {
		return nil
	}
	return r.Applied()
}

func writeRender(out io.Writer, flags renderFlags, asked []rendering) error {
	if flags.output == "json" {
		return renderJSON(out, asked)
	}
	first := true
	for _, k := range asked {
		if len(k.yaml) == 0 {
			continue
		}
		if !first {
			fmt.Fprintln(out, "---")
		}
		first = false
		if flags.kustomization == "" {
			fmt.Fprintf(out, "# Kustomization %s, from %s\n", k, k.Path)
		}
		if _, err := out.Write(k.yaml); err != nil {
			return fmt.Errorf("print the objects: %w", err)
		}
	}
	return nil
}

// rendered is a Kustomization in the JSON output.
type rendered struct {
	flux.ID
	Path     string            `json:"path"`
	Objects  []json.RawMessage `json:"objects"`
	Complete bool              `json:"complete"`
}

func renderJSON(out io.Writer, asked []rendering) error {
	all := make([]rendered, 0, len(asked))
	for _, k := range asked {
		r := rendered{ID: k.ID, Path: k.Path, Objects: []json.RawMessage{}, Complete: k.complete()}
		for _, o := range k.objects() {
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
func renderVerdict(io streams, asked []rendering, flags renderFlags) error {
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
		if k.err != nil {
			wrong = true
			fmt.Fprintf(io.err, "error: %s: Kustomization %s: %s: %v\n", k.Place(), k, flux.BuildFailed, k.err)
		}
		hidden = hidden || !k.complete()
	}
	switch {
	case wrong:
		return &exitError{code: exitFindings}
	case hidden && flags.requireComplete:
		return &exitError{code: exitIncomplete, err: fmt.Errorf("the checkout does not show everything, and --require-complete demands it")}
	}
	return nil
}
