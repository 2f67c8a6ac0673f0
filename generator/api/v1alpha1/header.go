package v1alpha1

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/berth-dev/berth/generator/api/strict"
)

// kinds lists the kinds that a file of Berth's may hold.
var kinds = []string{KindTaintIntent, KindDevicePlugin, KindDeviceEvidence, KindRenderCheck}

// The kinds beside TaintIntent.
const (
	KindDevicePlugin   = "DevicePlugin"
	KindDeviceEvidence = "DeviceEvidence"
	KindRenderCheck    = "RenderCheck"
)

// kindOf returns which of Berth's kinds a document is. The error is a strict.Problems.
func kindOf(source strict.Source, document *yaml.Node) (string, error) {
	root := document
	if root.Kind == yaml.DocumentNode && len(root.Content) > 0 {
		root = root.Content[0]
	}
	if root.Kind != yaml.MappingNode {
		return "", strict.Problems{source.Problem(root, "", "an object is a map that begins with apiVersion: %s, this is none", GroupVersion)}
	}
	version, versionNode := lookUp(root, "apiVersion")
	kind, kindNode := lookUp(root, "kind")
	if message := foreign(version, kind); message != "" {
		return "", strict.Problems{source.Problem(kindNode, "kind", "%s", message)}
	}
	var problems strict.Problems
	if message := badVersion(version); message != "" {
		problems = append(problems, source.Problem(versionNode, "apiVersion", "%s", message))
	}
	if message := badKind(kind); message != "" {
		problems = append(problems, source.Problem(kindNode, "kind", "%s", message))
	}
	return kind, problems.Err()
}

// foreign is empty unless the object is clearly somebody else's.
func foreign(version, kind string) string {
	group, _, _ := strings.Cut(version, "/")
	ours := group == "berth.dev" || slices.Contains(kinds, kind) || strict.Nearest(group, []string{"berth.dev"}) != ""
	if ours || version == "" || kind == "" {
		return ""
	}
	return kind + " of " + version + " is none of Berth's kinds (" + strings.Join(kinds, ", ") + "): move it to a file of its own"
}

func badVersion(version string) string {
	switch version {
	case GroupVersion:
		return ""
	case "":
		return "is missing: write apiVersion: " + GroupVersion
	default:
		return "there is no version " + version + " of Berth's kinds: write " + GroupVersion
	}
}

func badKind(kind string) string {
	if slices.Contains(kinds, kind) {
		return ""
	}
	oneOf := strings.Join(kinds, ", ")
	if kind == "" {
		return "is missing: write one of " + oneOf
	}
	if near := strict.Nearest(kind, kinds); near != "" {
		return "there is no kind " + kind + ": did you mean " + near + "?"
	}
	return "there is no kind " + kind + ": write one of " + oneOf
}

// lookUp returns a field's text and its node, or the map itself where there is none.
func lookUp(root *yaml.Node, name string) (string, *yaml.Node) {
	for i := 0; i+1 < len(root.Content); i += 2 {
		if value := root.Content[i+1]; root.Content[i].Value == name && value.Kind == yaml.ScalarNode {
			return value.Value, value
		}
	}
	return "", root
}
