package v1alpha1

import (
	"bytes"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/berth-dev/berth/generator/api/strict"
)

// beyondTheSchema lists the faults that a JSON Schema cannot see: what fields say to each other, what a parser of YAML
// settles before, and rules of which the schema tells less than the API server checks.
var beyondTheSchema = []string{
	"alias-that-holds-itself",
	"allow-with-unknown-taint",
	"anchor-alias-and-merge",
	"duplicate-key",
	"empty-file",
	"helm-pods-of-another-kind",
	"helm-values-twice",
	"label-is-none",
	"node-affinity-faulty",
	"node-affinity-of-another-length",
	"node-in-two-groups",
	"node-label-faulty",
	"node-with-a-label-twice",
	"node-with-a-pair-twice",
	"node-with-a-taint-instead-of-its-name",
	"node-with-unknown-taint",
	"not-yaml",
	"only-comments",
	"place-without-a-label",
	"tab-indentation",
	"taint-name-twice",
	"taint-of-a-controller",
	"taint-under-two-names",
	"unknown-tag",
	"workload-allowed-and-denied",
	"workload-allowed-and-denied-by-a-pattern",
	"workload-allowed-twice",
	"workload-denied-twice",
	"workload-with-a-faulty-label",
}

func TestTheSchemaAcceptsEveryValidIntent(t *testing.T) {
	schema := compileSchema(t, KindTaintIntent)
	for _, folder := range caseFolders(t, true, "valid-") {
		t.Run(folder, func(t *testing.T) {
			for _, document := range intentsIn(t, readCase(t, folder, "intent.yaml")) {
				if err := schema.Validate(document); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func TestTheSchemaRefusesEveryFaultThatItCanSay(t *testing.T) {
	schema := compileSchema(t, KindTaintIntent)
	for _, folder := range caseFolders(t, false, "valid-", "together-") {
		t.Run(folder, func(t *testing.T) {
			refused := false
			for _, document := range intentsIn(t, readCase(t, folder, "intent.yaml")) {
				refused = refused || schema.Validate(document) != nil
			}
			if expected := !slices.Contains(beyondTheSchema, folder); refused != expected {
				t.Errorf("refused: %v, expected: %v", refused, expected)
			}
		})
	}
}

func compileSchema(t *testing.T, kind string) *jsonschema.Schema {
	t.Helper()
	data, err := Schema(kind)
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("schema.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// intentsIn decodes a file as an editor would, leaving out objects of the other kinds. What is no YAML gives nothing.
func intentsIn(t *testing.T, data []byte) []any {
	t.Helper()
	nodes, err := strict.Documents("intent.yaml", data)
	if err != nil {
		return nil
	}
	var all []any
	for _, node := range nodes {
		if kind, _ := kindOf(strict.Source{}, node); kind != "" && kind != KindTaintIntent && slices.Contains(kinds, kind) {
			continue
		}
		var document any
		if err := node.Decode(&document); err == nil {
			all = append(all, document)
		}
	}
	return all
}
