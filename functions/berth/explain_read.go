package main

import (
	"fmt"
	"os"

	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/inprocess"
	"github.com/berth-dev/berth/generator/placement"
	"github.com/berth-dev/berth/generator/placement/report"
	"github.com/berth-dev/berth/generator/render"
	"github.com/berth-dev/berth/generator/stream"
	"github.com/berth-dev/berth/generator/toleration"
)

// explainSide is one side of what is explained: a render, and the intents for it.
type explainSide struct {
	source string
	files  []string
	inputs
}

// explainInput is what was read from files.
type explainInput struct {
	first, second explainSide
	nodes         []*stream.Item
	io            streams
}

func readExplain(source string, flags explainFlags, io streams) (*explainInput, error) {
	in := &explainInput{first: explainSide{source: source, files: flags.intents}, io: io}
	in.second = in.first
	if flags.diff != "" {
		in.second.source = flags.diff
	}
	if len(flags.diffIntents) > 0 {
		in.second.files = flags.diffIntents
	}
	for _, side := range []*explainSide{&in.first, &in.second} {
		if len(side.files) == 0 {
			continue
		}
		read, err := readInputs(side.files, nil)
		if err != nil {
			return nil, err
		}
		side.inputs = *read
	}
	if flags.nodes == "" {
		return in, nil
	}
	var err error
	if in.nodes, err = render.Read(flags.nodes, io.in); err != nil {
		return nil, fmt.Errorf("--nodes: %w", err)
	}
	return in, nil
}

// place reads a side's render and decides about it, as it stands and once the edits are made.
func (in *explainInput) place(side explainSide, asIs bool) (*report.Report, []finding.Finding, error) {
	items, err := readUnedited(side.source, in.io)
	if err != nil {
		return nil, nil, err
	}
	cluster := placement.Input{Intents: side.intents, Plugins: side.plugins, Render: items, Nodes: in.nodes}
	r := &report.Report{Intents: side.files, Render: shown(side.source)}
	now, err := placement.Read(cluster)
	if err != nil {
		return nil, nil, err
	}
	r.Now = placement.NewMatrix(now)
	r.Then = r.Now
	if asIs || len(side.intents) == 0 {
		return r, now.Findings, nil
	}
	var found []finding.Finding
	for _, intent := range side.intents {
		outcome, err := toleration.Apply(intent, items)
		if err != nil {
			return nil, nil, err
		}
		r.Edits += len(outcome.Edits)
		found = append(found, outcome.Findings...)
	}
	then, err := placement.Read(cluster)
	if err != nil {
		return nil, nil, err
	}
	r.Then = placement.NewMatrix(then)
	return r, append(found, then.Findings...), nil
}

// readUnedited reads a render. Where a kustomization lists berth's function it is built without its edits: those are made
// here, so that both sides can be shown.
func readUnedited(source string, io streams) ([]*stream.Item, error) {
	if info, err := os.Stat(source); source == render.Stdin || err != nil || !info.IsDir() {
		return render.Read(source, io.in)
	}
	unedited := func(in []byte) ([]byte, error) { return in, nil }
	text, err := inprocess.Build(source, unedited, inprocess.Options{LoadRestrictionsNone: true})
	if err != nil {
		return nil, err
	}
	items, err := stream.ReadDocuments("", text)
	if err != nil {
		return nil, fmt.Errorf("build %s: the result: %w", source, err)
	}
	return items, nil
}

func shown(source string) string {
	if source == render.Stdin {
		return "standard input"
	}
	return source
}
