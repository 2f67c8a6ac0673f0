package main

import (
	"errors"
	"fmt"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/bundle"
	"github.com/berth-dev/berth/generator/render"
)

// readFrom reads the renders, without which only entries about values files can be carried out.
func readFrom(from []string, intents []*v1alpha1.TaintIntent, io streams) ([]bundle.Render, error) {
	if len(from) > 0 {
		return readRenders(from, io)
	}
	files := 0
	for _, intent := range intents {
		about, err := aboutFiles(intent)
		if err != nil {
			return nil, fmt.Errorf("--from is missing: intent %s: %w", intent.Metadata.Name, err)
		}
		files += about
	}
	if files == 0 {
		return nil, errors.New(`required flag(s) "from" not set`)
	}
	return nil, nil
}

// aboutFiles counts the entries about values files, and fails at one that is about an object of a render.
func aboutFiles(intent *v1alpha1.TaintIntent) (int, error) {
	for i, allow := range intent.Spec.Allow {
		if allow.HelmValues == nil {
			return 0, fmt.Errorf("allow[%d] (%s) is about an object of a render", i, allow.Workload)
		}
	}
	for i, deny := range intent.Spec.Deny {
		if deny.HelmValues == nil {
			return 0, fmt.Errorf("deny[%d] (%s) is about an object of a render", i, deny.Workload)
		}
	}
	return len(intent.Spec.Allow) + len(intent.Spec.Deny), nil
}

func readRenders(sources []string, io streams) ([]bundle.Render, error) {
	var all []bundle.Render
	for _, source := range sources {
		items, err := render.Read(source, io.in)
		if err != nil {
			return nil, err
		}
		all = append(all, bundle.ReadRender(source, items))
	}
	return all, nil
}
