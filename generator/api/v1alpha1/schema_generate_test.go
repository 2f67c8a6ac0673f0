package v1alpha1

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"
)

// generateSchema reflects the types into a JSON Schema. References are written out: before draft 2019-09 a validator
// ignores whatever stands beside a $ref, descriptions too.
func generateSchema(t *testing.T, kind string) []byte {
	t.Helper()
	reflector := &jsonschema.Reflector{Anonymous: true, DoNotReference: true}
	if err := reflector.AddGoComments("github.com/berth-dev/berth/generator/api/v1alpha1", "./", jsonschema.WithFullComment()); err != nil {
		t.Fatal(err)
	}
	for name, comment := range reflector.CommentMap {
		reflector.CommentMap[name] = strings.Join(strings.Fields(comment), " ")
	}
	schema := reflector.Reflect(schemaTypes[kind].object)
	schema.Version = "http://json-schema.org/draft-07/schema#"
	schema.Title = kind
	at(schema, "kind").Const = kind
	schemaTypes[kind].shapes(schema)
	data, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(data, '\n')
}

// schemaTypes holds, for each kind, an object to reflect and what adds the rules about several fields at once, which no
// tag of one field can carry.
var schemaTypes = map[string]struct {
	object any
	shapes func(*jsonschema.Schema)
}{
	KindTaintIntent:    {&TaintIntent{}, intentShapes},
	KindDevicePlugin:   {&DevicePlugin{}, pluginShapes},
	KindDeviceEvidence: {&DeviceEvidence{}, func(*jsonschema.Schema) {}},
	KindRenderCheck:    {&RenderCheck{}, func(*jsonschema.Schema) {}},
}

func intentShapes(root *jsonschema.Schema) {
	at(root, "spec", "nodes", "names").Items.Pattern = `^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`
	at(root, "spec", "taints").AnyOf = []*jsonschema.Schema{
		{Required: []string{"taint"}, Not: anyOf("key", "value", "effect")},
		{Required: []string{"key", "effect"}, Not: anyOf("taint")},
	}
	for _, list := range []string{"allow", "deny"} {
		at(root, "spec", list, "workload").AnyOf = anyOf("name", "labels").AnyOf
	}
	for _, list := range []string{"allow", "deny"} {
		entry := at(root, "spec", list)
		entry.OneOf = anyOf("workload", "helmValues").AnyOf
		entry.AllOf = []*jsonschema.Schema{
			{If: ofKind(helmKinds...), Else: &jsonschema.Schema{Not: anyOf("helm")}},
			{If: ofKind(podsKinds...), Else: &jsonschema.Schema{Not: anyOf("pods")}},
			{If: anyOf("paths"), Then: &jsonschema.Schema{Not: anyOf("helm", "pods", "helmValues")}, Else: &jsonschema.Schema{Not: anyOf("nodeAffinity")}},
			{If: anyOf("helmValues"), Then: &jsonschema.Schema{Not: anyOf("helm", "pods")}},
		}
		at(root, "spec", list, "helm").AnyOf = anyOf("values", "pods").AnyOf
	}
	allow := at(root, "spec", "allow")
	allow.AllOf = append(allow.AllOf,
		&jsonschema.Schema{If: ofKind(KindHelmChart, KindHelmChartConfig, KindHelmRelease), Then: anyOf("helm", "paths")},
		&jsonschema.Schema{If: ofKind(KindApplication), Then: anyOf("helm", "pods", "paths")},
		&jsonschema.Schema{If: ofKind(KindKustomization), Then: anyOf("pods", "paths")})
}

// ofKind holds for an entry whose workload is of one of the kinds.
func ofKind(kinds ...string) *jsonschema.Schema {
	var all []any
	for _, kind := range kinds {
		all = append(all, kind)
	}
	workload := &jsonschema.Schema{Properties: jsonschema.NewProperties(), Required: []string{"kind"}}
	workload.Properties.Set("kind", &jsonschema.Schema{Enum: all})
	entry := &jsonschema.Schema{Properties: jsonschema.NewProperties(), Required: []string{"workload"}}
	entry.Properties.Set("workload", workload)
	return entry
}

// at finds the schema of a field, going through lists to that of their entries.
func at(schema *jsonschema.Schema, path ...string) *jsonschema.Schema {
	for i, name := range path {
		next, found := schema.Properties.Get(name)
		if !found {
			panic("no such field: " + strings.Join(path[:i+1], "."))
		}
		schema = next
		if schema.Items != nil && schema.Items.Properties != nil {
			schema = schema.Items
		}
	}
	return schema
}

// anyOf demands one of the fields.
func anyOf(names ...string) *jsonschema.Schema {
	schema := &jsonschema.Schema{}
	for _, name := range names {
		schema.AnyOf = append(schema.AnyOf, &jsonschema.Schema{Required: []string{name}})
	}
	return schema
}
