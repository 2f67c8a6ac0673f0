package v1alpha1

import (
	"go.yaml.in/yaml/v3"

	"github.com/berth-dev/berth/generator/api/strict"
)

// ReadDevicePlugins reads the DevicePlugins of a file, as ReadTaintIntents reads its TaintIntents.
func ReadDevicePlugins(file string, data []byte) ([]*DevicePlugin, error) {
	return readKind(file, data, KindDevicePlugin, devicePlugin)
}

// DevicePluginFromNode reads one DevicePlugin, as TaintIntentFromNode reads a TaintIntent.
func DevicePluginFromNode(file string, node *yaml.Node, withLines bool) (*DevicePlugin, error) {
	return fromNode(strict.Source{File: file, Lines: withLines}, node, KindDevicePlugin, devicePlugin)
}

// ReadDeviceEvidence reads the DeviceEvidence objects of a file, as ReadTaintIntents reads its TaintIntents.
func ReadDeviceEvidence(file string, data []byte) ([]*DeviceEvidence, error) {
	return readKind(file, data, KindDeviceEvidence, deviceEvidence)
}

// DeviceEvidenceFromNode reads one DeviceEvidence, as TaintIntentFromNode reads a TaintIntent.
func DeviceEvidenceFromNode(file string, node *yaml.Node, withLines bool) (*DeviceEvidence, error) {
	return fromNode(strict.Source{File: file, Lines: withLines}, node, KindDeviceEvidence, deviceEvidence)
}

func devicePlugin(source strict.Source, node *yaml.Node) (*DevicePlugin, error) {
	plugin := &DevicePlugin{}
	index, err := strict.Decode(source, node, plugin)
	if err != nil {
		return nil, err
	}
	plugin.origin = index
	plugin.Default()
	return plugin, plugin.Validate()
}

func deviceEvidence(source strict.Source, node *yaml.Node) (*DeviceEvidence, error) {
	evidence := &DeviceEvidence{}
	index, err := strict.Decode(source, node, evidence)
	if err != nil {
		return nil, err
	}
	evidence.origin = index
	return evidence, evidence.Validate()
}
