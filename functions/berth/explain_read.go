package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
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
	var err error
	in.nodes, err = readNodes(flags, io)
	return in, err
}

// readNodes reads the Node objects of a file, or of a running cluster; nil when neither is asked for.
func readNodes(flags explainFlags, io streams) ([]*stream.Item, error) {
	switch {
	case flags.live:
		cluster, err := flags.cluster.open()
		if err != nil {
			return nil, err
		}
		ctx, stop := interruptible()
		defer stop()
		return cluster.Nodes(ctx)
	case flags.nodes == "":
		return nil, nil
	}
	nodes, err := render.Read(flags.nodes, io.in)
	if err != nil {
		return nil, fmt.Errorf("--nodes: %w", err)
	}
	if !slices.ContainsFunc(nodes, func(i *stream.Item) bool { return i.Kind == "Node" || i.Kind == "List" }) {
		return nil, fmt.Errorf("--nodes: %s holds no Node; kubectl get nodes -o yaml prints them", flags.nodes)
	}
	return nodes, nil
}

// place reads a side's render and decides about it, as it stands and once the edits are made.
func (in *explainInput) place(side explainSide, asIs bool) (*report.Report, []finding.Finding, error) {
	items, err := in.unedited(side)
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

// unedited reads a side's render. Where a kustomization lists berth's function it is built without its edits: those of the
// intents are made later, so that both can be shown.
func (in *explainInput) unedited(side explainSide) ([]*stream.Item, error) {
	return readUnedited(side.source, in.io, func(list []byte) error { return in.passedOver(side, list) })
}

// readUnedited reads a render, where berth's function changes nothing. passedOver is told what it is given.
func readUnedited(source string, io streams, passedOver func(list []byte) error) ([]*stream.Item, error) {
	if info, err := os.Stat(source); source == render.Stdin || err != nil || !info.IsDir() || render.File(source) == "" {
		return render.Read(source, io.in)
	}
	function := func(list []byte) ([]byte, error) { return list, passedOver(list) }
	text, err := inprocess.Build(source, function, inprocess.Options{LoadRestrictionsNone: true})
	if err != nil {
		return nil, err
	}
	items, err := stream.ReadDocuments("", text)
	if err != nil {
		return nil, fmt.Errorf("build %s: the result: %w", source, err)
	}
	return items, nil
}

// passedOver says what the kustomization would do that is not shown: what a file does that --intent does not name.
func (in *explainInput) passedOver(side explainSide, list []byte) error {
	read, err := stream.ReadList(list)
	if err != nil {
		return err
	}
	config := stream.MetaOf(read.FunctionConfig.YNode())
	named := config.Kind == v1alpha1.KindTaintIntent && slices.ContainsFunc(side.intents, func(i *v1alpha1.TaintIntent) bool { return i.Metadata.Name == config.Name })
	if !named {
		fmt.Fprintf(in.io.err, "warning: %s runs the %s too, and what that does is not shown%s\n", side.source, config.ID(), nameIt(config.Kind))
	}
	return nil
}

func nameIt(kind string) string {
	if kind == v1alpha1.KindTaintIntent {
		return "; name its file with --intent"
	}
	return ""
}

func shown(source string) string {
	if source == render.Stdin {
		return "standard input"
	}
	return source
}
