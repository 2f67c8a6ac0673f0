// Command schemas writes JSON Schemas of the kinds that Berth writes, from what their own projects publish: Kubernetes'
// OpenAPI document, and the CustomResourceDefinitions of Flux and of the Prometheus operator. They are taken out of Go
// modules, so that the Go module proxy is all that is needed. Objects are closed: an unknown field is an error, as in
// kubeconform's -strict.
//
//	go run . ../../generator/daemonset/testdata/schemas
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"
)

const (
	kubernetes = "k8s.io/kubernetes@v1.36.3"
	flux       = "github.com/fluxcd/kustomize-controller@v1.9.6"
	prometheus = "github.com/prometheus-operator/prometheus-operator@v0.85.0"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: schemas DIR")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "schemas:", err)
		os.Exit(1)
	}
}

func run(dir string) error {
	if err := builtins(dir); err != nil {
		return err
	}
	if err := custom(dir, flux, "config/crd/bases/kustomize.toolkit.fluxcd.io_kustomizations.yaml", "v1"); err != nil {
		return err
	}
	return custom(dir, prometheus, "example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml", "v1")
}

// builtins writes kinds of Kubernetes itself.
func builtins(dir string) error {
	text, err := fromModule(kubernetes, "api/openapi-spec/swagger.json")
	if err != nil {
		return err
	}
	var document struct {
		Definitions map[string]map[string]any `json:"definitions"`
	}
	if err := json.Unmarshal(text, &document); err != nil {
		return fmt.Errorf("%s: %w", kubernetes, err)
	}
	for name, definition := range map[string]string{
		"Namespace": "io.k8s.api.core.v1.Namespace", "ConfigMap": "io.k8s.api.core.v1.ConfigMap", "DaemonSet": "io.k8s.api.apps.v1.DaemonSet",
	} {
		used := map[string]any{}
		collect(document.Definitions, definition, used)
		root := map[string]any{"$ref": "#/$defs/" + definition, "$defs": used, "required": []string{"apiVersion", "kind", "metadata"}}
		if err := write(dir, name, kubernetes, root); err != nil {
			return err
		}
	}
	return nil
}

// collect adds a definition and all that it refers to.
func collect(all map[string]map[string]any, name string, used map[string]any) {
	if _, done := used[name]; done {
		return
	}
	used[name] = nil
	schema := all[name]
	closeObjects(schema, func(ref string) { collect(all, ref, used) })
	used[name] = schema
}

// custom writes the kind of a CustomResourceDefinition.
func custom(dir, module, file, version string) error {
	text, err := fromModule(module, file)
	if err != nil {
		return err
	}
	var crd struct {
		Spec struct {
			Names    struct{ Kind string }
			Versions []struct {
				Name   string
				Schema struct{ OpenAPIV3Schema map[string]any }
			}
		}
	}
	if err := yaml.Unmarshal(text, &crd); err != nil {
		return fmt.Errorf("%s: %w", module, err)
	}
	for _, v := range crd.Spec.Versions {
		if v.Name == version {
			closeObjects(v.Schema.OpenAPIV3Schema, func(string) {})
			return write(dir, crd.Spec.Names.Kind, module, v.Schema.OpenAPIV3Schema)
		}
	}
	return fmt.Errorf("%s: %s has no version %s", module, file, version)
}

// closeObjects walks a schema: objects with known fields take no others, int-or-string is either, references point to
// $defs, and descriptions go.
func closeObjects(schema map[string]any, refer func(string)) {
	delete(schema, "description")
	if ref, ok := schema["$ref"].(string); ok {
		name := strings.TrimPrefix(strings.TrimPrefix(ref, "#/definitions/"), "#/$defs/") // another root may have been here
		schema["$ref"] = "#/$defs/" + name
		refer(name)
	}
	if schema["format"] == "int-or-string" || schema["x-kubernetes-int-or-string"] == true {
		delete(schema, "format")
		delete(schema, "anyOf")
		schema["type"] = []string{"integer", "string"}
	}
	// What only an API server reads, and formats that are no JSON Schema's.
	for key := range schema {
		if strings.HasPrefix(key, "x-kubernetes-") && key != "x-kubernetes-preserve-unknown-fields" || key == "format" || key == "default" {
			delete(schema, key)
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	if len(properties) > 0 && schema["additionalProperties"] == nil && schema["x-kubernetes-preserve-unknown-fields"] == nil {
		schema["additionalProperties"] = false
	}
	for _, property := range properties {
		closeObjects(property.(map[string]any), refer)
	}
	for _, key := range []string{"items", "additionalProperties"} {
		if inner, ok := schema[key].(map[string]any); ok {
			closeObjects(inner, refer)
		}
	}
}

func write(dir, kind, module string, schema map[string]any) error {
	schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	schema["$comment"] = "from " + module + ", by tools/schemas"
	if properties, ok := schema["properties"].(map[string]any); ok { // a CRD leaves metadata to the API server
		properties["metadata"] = map[string]any{"type": "object", "required": []string{"name"}}
	}
	text, err := json.MarshalIndent(schema, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, strings.ToLower(kind)+".json"), append(text, '\n'), 0o644)
}

// fromModule reads a file of a module, which the go command downloads when it has to.
func fromModule(module, file string) ([]byte, error) {
	out, err := exec.Command("go", "mod", "download", "-json", module).Output()
	if err != nil {
		return nil, fmt.Errorf("go mod download %s: %w", module, err)
	}
	var info struct{ Dir string }
	if err := json.Unmarshal(out, &info); err != nil {
		return nil, fmt.Errorf("go mod download %s: %w", module, err)
	}
	return os.ReadFile(filepath.Join(info.Dir, file))
}
