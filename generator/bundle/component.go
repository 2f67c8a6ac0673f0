package bundle

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/header"
	"github.com/berth-dev/berth/generator/stream"
	"github.com/berth-dev/berth/generator/toleration"
)

type intentPatch struct {
	toleration.Patch
	intent string
}

// fileName names the object, and the intent first, so that the patches of an intent stand together.
func (p intentPatch) fileName() string {
	parts := []string{p.intent, p.Object.Kind, p.Object.Namespace, p.Object.Name}
	parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
	return safeName(strings.ToLower(strings.Join(parts, "_"))) + ".yaml"
}

// safeName makes a text a file name on every system: short, and without what names may hold and files may not. A text
// that had to change gets a digest, so that two of them stay two.
func safeName(text string) string {
	const longest = 200
	safe := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.", r) {
			return r
		}
		return '-'
	}, text)
	if safe == text && len(safe) <= longest {
		return safe
	}
	sum := sha256.Sum256([]byte(text))
	return safe[:min(len(safe), longest)] + "_" + hex.EncodeToString(sum[:])[:10]
}

// component makes a kustomize Component with one patch file for each object.
func component(intents []*v1alpha1.TaintIntent, patches []intentPatch) ([]File, error) {
	type entry struct {
		Path   string            `yaml:"path"`
		Target toleration.Target `yaml:"target"`
	}
	kustomization := struct {
		APIVersion string  `yaml:"apiVersion"`
		Kind       string  `yaml:"kind"`
		Patches    []entry `yaml:"patches"`
	}{APIVersion: "kustomize.config.k8s.io/v1alpha1", Kind: "Component", Patches: []entry{}}
	var files []File
	taken := map[string]bool{}
	for _, p := range patches {
		name := p.fileName()
		if taken[name] { // the same kind of two API groups
			name = strings.TrimSuffix(name, ".yaml") + "_" + strings.ToLower(strings.ReplaceAll(p.Object.APIVersion, "/", "_")) + ".yaml"
		}
		taken[name] = true
		text, err := stream.Encode(yaml.NewRNode(p.Operations), nil)
		if err != nil {
			return nil, fmt.Errorf("patch of %s: %w", p.Object, err)
		}
		head := header.New("a patch for "+p.Object.String(), []string{p.intent},
			"Each change is guarded by a test of what it was made from: when the base has changed the build fails.")
		files = append(files, File{Path: "component/" + name, Content: []byte(head + "---\n" + string(text)), Mode: modeFile})
		kustomization.Patches = append(kustomization.Patches, entry{Path: name, Target: p.Target})
	}
	text, err := yaml.Marshal(kustomization)
	if err != nil {
		return nil, fmt.Errorf("component: %w", err)
	}
	head := header.New("a kustomize Component that lets the allowed workloads in and keeps the denied ones out", names(intents),
		"Refer to it from components: of a kustomization, or from spec.components of a Flux Kustomization.")
	return append(files, File{Path: "component/kustomization.yaml", Content: []byte(head + "---\n" + string(text)), Mode: modeFile}), nil
}
