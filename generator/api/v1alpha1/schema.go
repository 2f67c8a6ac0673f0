package v1alpha1

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/api/strict"
)

//go:embed schema/*.json
var schemas embed.FS

// SchemaKinds lists the kinds that have a JSON Schema.
func SchemaKinds() []string {
	return []string{KindTaintIntent, KindDevicePlugin, KindDeviceEvidence, KindRenderCheck}
}

// Schema returns the JSON Schema (draft-07, which every editor's YAML support knows) of a kind. It is generated from the
// types and says what a schema can say; that names refer to each other, and most of why, only Validate knows.
func Schema(kind string) ([]byte, error) {
	i := slices.IndexFunc(SchemaKinds(), func(known string) bool { return strings.EqualFold(kind, known) })
	if i < 0 {
		hint := "the kinds are " + strings.Join(SchemaKinds(), ", ")
		if near := strict.Nearest(kind, SchemaKinds()); near != "" {
			hint = "did you mean " + near + "?"
		}
		return nil, fmt.Errorf("there is no schema for the kind %q: %s", kind, hint)
	}
	return schemas.ReadFile("schema/" + strings.ToLower(SchemaKinds()[i]) + ".json")
}
