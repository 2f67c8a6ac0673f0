package manifest

import (
	"bytes"
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Encode writes trees as documents, each behind a document start, with sequences indented by two spaces.
func Encode(nodes ...*yaml.RNode) ([]byte, error) {
	var out bytes.Buffer
	for _, node := range nodes {
		out.WriteString("---\n")
		enc := yaml.NewEncoderWithOptions(&out, &yaml.EncoderOptions{SeqIndent: yaml.WideSequenceStyle})
		if err := enc.Encode(node.YNode()); err != nil {
			return nil, fmt.Errorf("encode: %w", err)
		}
		if err := enc.Close(); err != nil {
			return nil, fmt.Errorf("encode: %w", err)
		}
	}
	return out.Bytes(), nil
}
