package main

import (
	"errors"

	"github.com/berth-dev/berth/generator/api/strict"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/stream"
)

// problemFindings turns what is wrong with a functionConfig into findings about it.
func problemFindings(err error, config stream.Meta) ([]finding.Finding, error) {
	var problems strict.Problems
	if !errors.As(err, &problems) {
		return nil, err
	}
	found := make([]finding.Finding, 0, len(problems))
	for _, p := range problems {
		found = append(found, finding.Finding{
			Code: "intent-invalid", Severity: finding.Error, Field: p.Path, Message: p.Message,
			Object: &finding.Object{APIVersion: config.APIVersion, Kind: config.Kind, Namespace: config.Namespace, Name: config.Name},
		})
	}
	return found, nil
}

// results turns findings into the form of the KRM functions specification, with the file of the object where the host
// says in which file it stands.
func results(found []finding.Finding, items []*stream.Item) []stream.Result {
	files := map[finding.Object]*stream.ResultFile{}
	for _, item := range items {
		if file, index := item.Origin(); file != "" {
			files[finding.Object{APIVersion: item.APIVersion, Kind: item.Kind, Namespace: item.Namespace, Name: item.Name}] = &stream.ResultFile{Path: file, Index: index}
		}
	}
	all := make([]stream.Result, 0, len(found))
	for _, f := range found {
		result := stream.Result{Message: f.Message, Severity: stream.Severity(f.Severity), Tags: map[string]string{"code": f.Code}}
		if f.Action != "" {
			result.Message += "; " + f.Action
		}
		if f.Object != nil && f.Object.Name != "" {
			result.ResourceRef = &stream.ResourceRef{APIVersion: f.Object.APIVersion, Kind: f.Object.Kind, Namespace: f.Object.Namespace, Name: f.Object.Name}
			result.File = files[*f.Object]
			if f.Field != "" {
				result.Field = &stream.ResultField{Path: f.Field}
			}
		}
		all = append(all, result)
	}
	return all
}
