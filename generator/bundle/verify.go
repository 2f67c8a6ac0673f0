package bundle

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/header"
	"github.com/berth-dev/berth/generator/render"
	"github.com/berth-dev/berth/generator/stream"
)

// Verify builds each kustomization directory with the bundle's Component, once as a component of its own and once of a
// kustomization above it, and holds the results against the edited items. A patch that does nothing, or hits another
// object, is found here and not in the cluster. Streams cannot be built again: for them there is nothing to verify.
// folder is where the Component's files stand among the bundle's.
func Verify(renders []Render, files []File, folder string) ([]finding.Finding, error) {
	scratch, err := os.MkdirTemp("", "berth-verify")
	if err != nil {
		return nil, fmt.Errorf("verify the component: %w", err)
	}
	defer os.RemoveAll(scratch) //nolint:errcheck // a temporary folder
	component, err := writeComponent(scratch, files, folder)
	if err != nil {
		return nil, fmt.Errorf("verify the component: %w", err)
	}
	var found []finding.Finding
	for _, r := range renders {
		if r.Dir == "" {
			continue
		}
		more, err := verify(r, scratch, component)
		if err != nil {
			return nil, fmt.Errorf("verify the component: %w", err)
		}
		found = append(found, more...)
	}
	return found, nil
}

func verify(r Render, scratch, component string) ([]finding.Finding, error) {
	if isComponent(r.Dir) {
		return []finding.Finding{{
			Code: "render-is-component", Severity: finding.Error, Source: finding.Source{File: r.Dir},
			Message: "it is a kustomize Component, which is built only as a part of what lists it", Action: "give --from the kustomization that lists it under components:",
		}}, nil
	}
	want, err := objects(r.Items)
	if err != nil {
		return nil, err
	}
	var found []finding.Finding
	inside, err := render.WithComponent(r.Dir, component, func(path string, text []byte) {
		if header.IsOurs(text) && bytes.Contains(text, []byte("\nkind: Component\n")) && !strings.HasPrefix(path, component) {
			found = append(found, usesComponent(r.Dir, path))
		}
	})
	if len(found) > 0 {
		return found, nil
	}
	if message := differs(want, inside, err); message != "" {
		found = append(found, notEqual(r.Dir, finding.Warning, "component-not-inside", r.Dir+" itself", message,
			"what "+r.Dir+" patches or renames comes after its components: put a kustomization above it that lists it under resources: and the component under components:, and point Flux there"))
	}
	above, err := render.Above(scratch, r.Dir, component)
	if message := differs(want, above, err); message != "" {
		found = append(found, notEqual(r.Dir, finding.Error, "component-differs", "a kustomization above "+r.Dir, message,
			"do not use the component before the difference is understood"))
	}
	return found, nil
}

// isComponent says whether a kustomization directory is a Component. One that cannot be read is for the build to tell.
func isComponent(dir string) bool {
	text, err := os.ReadFile(render.File(dir))
	if err != nil {
		return false
	}
	var k types.Kustomization
	return yaml.Unmarshal(text, &k) == nil && k.Kind == types.ComponentKind
}

func usesComponent(dir, path string) finding.Finding {
	return finding.Finding{
		Code: "render-already-edited", Severity: finding.Error, Source: finding.Source{File: path},
		Message: fmt.Sprintf("%s uses this Component, which berth wrote", dir),
		Action:  "give --from the kustomization without it; put a kustomization above it that lists both, or name the Component in spec.components of the Flux Kustomization",
	}
}

func notEqual(dir string, severity finding.Severity, code, of, message, action string) finding.Finding {
	return finding.Finding{
		Code: code, Severity: severity, Source: finding.Source{File: dir},
		Message: fmt.Sprintf("as a component of %s the result is not what the intent asks for: %s", of, message), Action: action,
	}
}

// writeComponent writes the bundle's Component into a scratch folder and returns its path.
func writeComponent(scratch string, files []File, folder string) (string, error) {
	if err := os.MkdirAll(filepath.Join(scratch, folder), 0o700); err != nil {
		return "", err
	}
	for _, file := range files {
		if strings.HasPrefix(file.Path, folder+"/") {
			if err := os.WriteFile(filepath.Join(scratch, filepath.FromSlash(file.Path)), file.Content, 0o600); err != nil {
				return "", err
			}
		}
	}
	return filepath.Join(scratch, folder), nil
}

// objects decodes items by object.
func objects(items []*stream.Item) (map[string]any, error) {
	all := make(map[string]any, len(items))
	for _, item := range items {
		node, err := item.Node()
		if err != nil {
			return nil, err
		}
		var object any
		if err := node.YNode().Decode(&object); err != nil {
			return nil, fmt.Errorf("%s: %w", item.ID(), err)
		}
		all[item.APIVersion+" "+item.ID()] = object
	}
	return all, nil
}

// differs says in which object a build is not what was wanted, or why there is none; nothing when they are equal.
func differs(want map[string]any, built []*stream.Item, err error) string {
	if err != nil {
		return err.Error()
	}
	have, err := objects(built)
	if err != nil {
		return err.Error()
	}
	for _, item := range built {
		if key := item.APIVersion + " " + item.ID(); !reflect.DeepEqual(want[key], have[key]) {
			return item.ID() + " differs"
		}
	}
	if len(have) != len(want) {
		return fmt.Sprintf("it holds %d objects and not %d", len(have), len(want))
	}
	return ""
}
