package report

import (
	"net/url"
	"strings"

	"github.com/berth-dev/berth/generator/check"
)

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Fingerprints map[string]string `json:"partialFingerprints"`
	Properties   *sarifProperties  `json:"properties,omitempty"`
}

type sarifProperties struct {
	Environments []string `json:"environments,omitempty"`
	Object       string   `json:"object,omitempty"`
	Field        string   `json:"field,omitempty"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI  string `json:"uri"`
	Base string `json:"uriBaseId"`
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
}

func (s *sarif) result(f check.Finding) sarifResult {
	text := sentence(message(f))
	if f.Action != "" {
		text += " To do: " + sentence(f.Action)
	}
	r := sarifResult{
		RuleID: f.Code, RuleIndex: s.index(f.Code), Level: level(f.Severity), Message: sarifText{Text: text},
		Locations: []sarifLocation{}, Fingerprints: map[string]string{"berth/v1": f.Fingerprint},
	}
	properties := sarifProperties{Environments: f.Environments, Field: f.Field}
	if f.Object != nil {
		properties.Object = f.Object.String()
	}
	if len(properties.Environments) > 0 || properties.Field != "" || properties.Object != "" {
		r.Properties = &properties
	}
	if f.File != "" {
		at := sarifPhysical{Artifact: sarifArtifact{URI: uri(f.File), Base: "%SRCROOT%"}}
		if f.Line > 0 {
			at.Region = &sarifRegion{f.Line}
		}
		r.Locations = append(r.Locations, sarifLocation{at})
	}
	return r
}

// uri writes a path as a relative reference: what is no part of one is escaped, a colon in the first step too.
func uri(file string) string {
	steps := strings.Split(file, "/")
	for i, step := range steps {
		steps[i] = strings.ReplaceAll(url.PathEscape(step), ":", "%3A")
	}
	return strings.Join(steps, "/")
}
