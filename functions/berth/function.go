package main

import (
	"fmt"
	"io"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/stamp"
	"github.com/berth-dev/berth/generator/stream"
	"github.com/berth-dev/berth/generator/toleration"
)

// runFunction is the KRM function: a ResourceList in, a ResourceList out. When a finding is an error the items leave as
// they came, each error is a line on standard error, and the exit code is not 0: hosts look at nothing else
// (kustomize shows no results, kpt passes a function that exits 0 whatever its results say).
func runFunction(s streams) error {
	in, err := io.ReadAll(s.in)
	if err != nil {
		return fmt.Errorf("read standard input: %w", err)
	}
	list, err := stream.ReadList(in)
	if err != nil {
		return err
	}
	found, err := transform(list)
	if err != nil {
		return err
	}
	failed := finding.HasErrors(found)
	if failed {
		if list, err = stream.ReadList(in); err != nil {
			return err
		}
	}
	list.Results = results(found, list.Items)
	if err := list.Write(s.out); err != nil {
		return err
	}
	for _, f := range found {
		if f.Severity != finding.Info {
			fmt.Fprintf(s.err, "berth: %s\n", f)
		}
	}
	if failed {
		return &exitError{code: exitFindings}
	}
	return nil
}

// transform changes the list as its functionConfig says. The error is for a list that berth cannot work on at all.
func transform(list *stream.ResourceList) ([]finding.Finding, error) {
	if list.FunctionConfig == nil {
		return nil, fmt.Errorf("the ResourceList has no functionConfig: name the file of the TaintIntent or DevicePlugin under transformers: in the kustomization, or as configPath in the Kptfile")
	}
	config := stream.MetaOf(list.FunctionConfig.YNode())
	switch {
	case config.Kind == v1alpha1.KindDevicePlugin:
		return transformForPlugin(list, config)
	case config.APIVersion == "v1" && config.Kind == "ConfigMap":
		return nil, fmt.Errorf("the functionConfig is a ConfigMap, as configMap: in a Kptfile makes one: name the TaintIntent file with configPath: (or --fn-config) instead")
	}
	if err := requireTransformer(list, config); err != nil {
		return nil, err
	}
	intent, err := v1alpha1.TaintIntentFromNode("functionConfig "+config.ID(), list.FunctionConfig.YNode(), false)
	if err != nil {
		return problemFindings(err, config)
	}
	outcome, err := toleration.Apply(intent, list.Items)
	if err != nil {
		return nil, err
	}
	items, stamped, err := stamp.Add(intent, list.Items)
	if err != nil {
		return nil, err
	}
	list.Items = items
	return append(outcome.Findings, stamped...), nil
}
