package v1alpha1

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/berth-dev/berth/internal/golden"
)

func TestTheSchemaIsTheOneThatTheTypesGive(t *testing.T) {
	for _, kind := range SchemaKinds() {
		want, file := generateSchema(t, kind), "schema/"+strings.ToLower(kind)+".json"
		golden.Check(t, file, want)
	}
}

func TestEveryFieldOfTheSchemaSaysWhatItIsFor(t *testing.T) {
	for _, kind := range SchemaKinds() {
		data, err := Schema(kind)
		if err != nil {
			t.Fatal(err)
		}
		var root map[string]any
		if err := json.Unmarshal(data, &root); err != nil {
			t.Fatal(err)
		}
		inspectSchema(t, kind, root)
	}
}

// inspectSchema walks an expanded schema: each object is closed and each field described.
func inspectSchema(t *testing.T, path string, schema map[string]any) {
	t.Helper()
	properties, _ := schema["properties"].(map[string]any)
	if properties != nil && schema["additionalProperties"] != false {
		t.Errorf("%q takes unknown fields", path)
	}
	for name, value := range properties {
		property := value.(map[string]any)
		if property["description"] == nil {
			t.Errorf("%s.%s has no description", path, name)
		}
		if items, list := property["items"].(map[string]any); list {
			property = items
		}
		inspectSchema(t, path+"."+name, property)
	}
}

func TestASchemaIsFoundInAnyCaseAndAnUnknownKindIsNamed(t *testing.T) {
	for _, kind := range []string{"TaintIntent", "taintintent"} {
		if data, err := Schema(kind); err != nil || len(data) == 0 {
			t.Errorf("%s: %v", kind, err)
		}
	}
	for kind, want := range map[string]string{
		"TaintIntnet": `there is no schema for the kind "TaintIntnet": did you mean TaintIntent?`,
		"Pod":         `there is no schema for the kind "Pod": the kinds are TaintIntent, DevicePlugin, DeviceEvidence, RenderCheck`,
	} {
		if _, err := Schema(kind); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
