package v1alpha1

import (
	"slices"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"

	"github.com/berth-dev/berth/generator/api/strict"
)

// pluginShapes adds what a DevicePlugin's fields say to each other.
func pluginShapes(root *jsonschema.Schema) {
	at(root, "spec", "nodes").Items.Pattern = at(root, "metadata", "name").Pattern
	at(root, "spec", "consumers", "workload").AnyOf = anyOf("name", "labels").AnyOf
	at(root, "spec", "consumers", "resources").AdditionalProperties.Minimum = "1"
	at(root, "spec", "devices", "groups", "members").OneOf = anyOf("path", "usb").AnyOf
}

// beyondThePluginSchema lists the faults that a JSON Schema cannot see: what fields say to each other, and rules of which
// it tells less than the code checks.
var beyondThePluginSchema = []string{
	"architecture-of-uname", "consume-without-consumers", "consumer-twice", "consumer-with-a-pattern",
	"consumer-with-helm-and-no-release", "consumer-without-container", "digest-in-upper-case", "digest-of-another-kind",
	"digest-that-is-none", "digest-too-short", "evidence-is-no-file", "flux-depends-on-itself", "flux-file-inside-the-path",
	"flux-file-of-kustomize", "flux-file-outside", "flux-path-of-the-consumers", "flux-path-is-the-repository", "flux-path-outside", "flux-timeout-longer-than-interval", "generic-members-out-of-sight", "generic-without-devices",
	"pod-monitor-of-intels-image",
	"health-management-of-another-preset", "image-in-upper-case", "image-with-a-variable", "image-with-the-tag-latest",
	"image-without-digest", "image-without-tag", "name-too-long-for-its-objects", "name-with-a-dot",
	"namespace-label-is-none", "namespace-of-kubernetes", "quantity-that-is-none",
	"release-that-removes-nothing", "release-with-two-places", "release-without-places", "request-above-the-limit",
	"resource-of-another-plugin", "resource-of-kubernetes", "resource-that-begins-with-requests",
	"resource-that-is-not-offered", "resource-with-a-long-domain", "resource-without-domain", "select-of-another-preset",
	"select-of-another-vendor", "select-with-faulty-values", "variable-without-a-name",
}

func TestTheSchemasOfTheDeviceKindsAgreeWithTheCases(t *testing.T) {
	for kind, r := range readers {
		schema := compileSchema(t, kinds[slices.IndexFunc(kinds, func(k string) bool { return strings.EqualFold(k, kind) })])
		for _, name := range casesOf(t, kind) {
			nodes, err := strict.Documents(r.file, readCase(t, kind+"/"+name, r.file))
			if err != nil || len(nodes) != 1 {
				t.Fatalf("%s: %d documents, %v", name, len(nodes), err)
			}
			var document any
			if err := nodes[0].Decode(&document); err != nil {
				t.Fatal(err)
			}
			refused := schema.Validate(document)
			lenient := strings.HasPrefix(name, "valid-") || slices.Contains(beyondThePluginSchema, name) || beyondTheEvidence(kind, name) || beyondTheCheck(kind, name)
			if (refused == nil) != lenient {
				t.Errorf("%s/%s: the schema says %v", kind, name, refused)
			}
		}
	}
}

// beyondTheEvidence are faults of evidence that its schema does not see.
func beyondTheEvidence(kind, name string) bool {
	return kind == "deviceevidence" && slices.Contains([]string{"count-below-zero", "node-twice", "node-without-counts"}, name)
}

// beyondTheCheck are faults of a RenderCheck that its schema does not see.
func beyondTheCheck(kind, name string) bool {
	return kind == "rendercheck" && slices.Contains([]string{
		"environment-twice", "path-outside", "resource-is-none", "rule-twice", "runtime-kind-without-group", "variable-is-none",
	}, name)
}
