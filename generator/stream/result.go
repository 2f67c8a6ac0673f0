package stream

import (
	"bytes"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Severity is how bad a result is, spelled as the KRM functions specification demands.
type Severity string

// The severities of a result.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
	SeverityInfo    Severity = "info"
)

// Result is one finding in the form of the KRM functions specification v1
// (kubernetes-sigs/kustomize: cmd/config/docs/api-conventions/functions-spec.md).
type Result struct {
	Message     string            `yaml:"message"`
	Severity    Severity          `yaml:"severity"`
	ResourceRef *ResourceRef      `yaml:"resourceRef,omitempty"`
	Field       *ResultField      `yaml:"field,omitempty"`
	File        *ResultFile       `yaml:"file,omitempty"`
	Tags        map[string]string `yaml:"tags,omitempty"`
}

// ResourceRef names the object of a result. The first three are required by the specification.
type ResourceRef struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
	Name       string `yaml:"name"`
	Namespace  string `yaml:"namespace,omitempty"`
}

// ResultField names the field of a result. The specification allows it only beside a ResourceRef.
type ResultField struct {
	Path string `yaml:"path"`
}

// ResultFile names the file of a result: relative, with slashes.
type ResultFile struct {
	Path  string `yaml:"path"`
	Index int    `yaml:"index,omitempty"`
}

func writeResults(out *bytes.Buffer, results []Result) error {
	enc := yaml.NewEncoderWithOptions(out, &yaml.EncoderOptions{SeqIndent: yaml.CompactSequenceStyle})
	if err := enc.Encode(map[string][]Result{"results": results}); err != nil {
		return err
	}
	return enc.Close()
}
