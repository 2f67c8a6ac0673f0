package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/bundle"
	"github.com/berth-dev/berth/generator/render"
)

// inputs are Berth's objects in the files of a command line.
type inputs struct {
	intents  []*v1alpha1.TaintIntent
	known    []*v1alpha1.TaintIntent // only to know the nodes by
	plugins  []*v1alpha1.DevicePlugin
	evidence []*v1alpha1.DeviceEvidence
	seen     map[string]bool // the files that were read, so that one that is named twice counts once
}

// readInputs reads what files ask for, and the intents that only know the nodes, and holds the intents against each other.
func readInputs(files, know []string) (*inputs, error) {
	in := &inputs{seen: map[string]bool{}}
	for _, file := range files {
		if err := in.readFile(file); err != nil {
			return nil, err
		}
	}
	var err error
	for _, file := range know {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("read --intent: %w", err)
		}
		intents, err := v1alpha1.ReadTaintIntents(file, text)
		if err != nil {
			return nil, err
		}
		if len(intents) == 0 {
			return nil, fmt.Errorf("read --intent: %s holds no TaintIntent", file)
		}
		in.known = append(in.known, intents...)
	}
	if err = v1alpha1.CheckTogether(slices.Concat(in.intents, in.known)); err != nil {
		return nil, err
	}
	return in, nil
}

func (in *inputs) readFile(file string) error {
	if in.seen[filepath.Clean(file)] {
		return nil
	}
	in.seen[filepath.Clean(file)] = true
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read intent: %w", err)
	}
	intents, err := v1alpha1.ReadTaintIntents(file, text)
	if err != nil {
		return err
	}
	plugins, err := v1alpha1.ReadDevicePlugins(file, text)
	if err != nil {
		return err
	}
	evidence, err := v1alpha1.ReadDeviceEvidence(file, text)
	if err != nil {
		return err
	}
	if len(intents)+len(plugins)+len(evidence) == 0 {
		return fmt.Errorf("read intent: %s holds no TaintIntent and no DevicePlugin", file)
	}
	in.intents = append(in.intents, intents...)
	in.plugins = append(in.plugins, plugins...)
	in.evidence = append(in.evidence, evidence...)
	for _, plugin := range plugins {
		if err := in.readEvidence(filepath.Dir(file), plugin.Spec.Evidence); err != nil {
			return err
		}
	}
	return nil
}

// readEvidence reads the file that a plugin names. That it is not there yet is for the rule on evidence to say.
func (in *inputs) readEvidence(dir, name string) error {
	if name == "" {
		return nil
	}
	file := filepath.Join(dir, filepath.FromSlash(name))
	if in.seen[file] {
		return nil
	}
	in.seen[file] = true
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read evidence: %w", err)
	}
	evidence, err := v1alpha1.ReadDeviceEvidence(file, text)
	in.evidence = append(in.evidence, evidence...)
	return err
}

// renders reads the renders, which a plugin that changes nobody can do without.
func (in *inputs) renders(from []string, io streams) ([]bundle.Render, error) {
	if len(from) > 0 {
		return readRenders(from, io)
	}
	if len(in.intents) > 0 && !in.onlyFiles() {
		return nil, errors.New("a TaintIntent needs the render that the patches are for: give --from, or --intent for a TaintIntent that only knows the nodes")
	}
	for _, plugin := range in.plugins {
		if plugin.Spec.Stage == v1alpha1.Consume {
			return nil, fmt.Errorf("the DevicePlugin %s is at stage: consume, which needs the render that the patches are for: give --from", plugin.Metadata.Name)
		}
	}
	return nil, nil
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

// of is what the files of a directory are made from.
func (in *inputs) of(output string) bundle.Input {
	return bundle.Input{
		Intents: in.intents, Known: in.known, Plugins: in.plugins, Evidence: in.evidence, Output: output, Read: os.ReadFile,
	}
}
