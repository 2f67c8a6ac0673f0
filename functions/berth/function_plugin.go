package main

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/daemonset"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/stream"
)

// transformForPlugin adds the objects of the DevicePlugin in the functionConfig, and edits its consumers. Under
// generators: kustomize shows a function no resources: the objects are all that it can add there.
func transformForPlugin(list *stream.ResourceList, config stream.Meta) ([]finding.Finding, error) {
	plugin, err := v1alpha1.DevicePluginFromNode("functionConfig "+config.ID(), list.FunctionConfig.YNode(), false)
	if err != nil {
		return problemFindings(err, config)
	}
	in, found, err := pluginInput(plugin, list.Items)
	if err != nil || finding.HasErrors(found) {
		return found, err
	}
	in.KeepConsumers = alone(list.Items, config)
	out, err := daemonset.Generate(plugin, in)
	if err != nil {
		return nil, err
	}
	if finding.HasErrors(out.Findings) {
		return out.Findings, nil
	}
	items, placed, err := daemonset.Place(plugin, out.Objects, list.Items, inFiles(list.Items))
	if err != nil {
		return nil, err
	}
	list.Items = items
	return append(out.Findings, placed...), nil
}

// inFiles says that the host keeps each item in a file, as kpt does.
func inFiles(items []*stream.Item) bool {
	return slices.ContainsFunc(items, func(i *stream.Item) bool { return i.Annotations[kioutil.PathAnnotation] != "" })
}

// pluginInput finds Berth's other objects among the items. What is wrong with one of them is a finding about it.
func pluginInput(plugin *v1alpha1.DevicePlugin, items []*stream.Item) (daemonset.Input, []finding.Finding, error) {
	in := daemonset.Input{Items: items}
	var found []finding.Finding
	for _, item := range items {
		itself := item.Kind == v1alpha1.KindDevicePlugin && item.Name == plugin.Metadata.Name // hosts show the functionConfig too
		if item.APIVersion != v1alpha1.GroupVersion || itself {
			continue
		}
		if err := addInput(&in, item); err != nil {
			wrong, err := problemFindings(err, item.Meta)
			if err != nil {
				return in, nil, err
			}
			found = append(found, wrong...)
		}
	}
	return in, found, nil
}

// addInput reads one of Berth's objects.
func addInput(in *daemonset.Input, item *stream.Item) error {
	node, err := item.Node()
	if err != nil {
		return err
	}
	switch item.Kind {
	case v1alpha1.KindTaintIntent:
		intent, err := v1alpha1.TaintIntentFromNode(item.ID(), node.YNode(), false)
		in.Intents = addRead(in.Intents, intent, err)
		return err
	case v1alpha1.KindDeviceEvidence:
		evidence, err := v1alpha1.DeviceEvidenceFromNode(item.ID(), node.YNode(), false)
		in.Evidence = addRead(in.Evidence, evidence, err)
		return err
	case v1alpha1.KindDevicePlugin:
		other, err := v1alpha1.DevicePluginFromNode(item.ID(), node.YNode(), false)
		in.Others = addRead(in.Others, other, err)
		return err
	}
	return nil
}

func addRead[T any](all []T, one T, err error) []T {
	if err != nil {
		return all
	}
	return append(all, one)
}
