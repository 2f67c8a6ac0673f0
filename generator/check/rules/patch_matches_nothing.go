package rules

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	kustomizeapi "github.com/fluxcd/pkg/apis/kustomize"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/flux"
	"github.com/berth-dev/berth/generator/tree"
)

var patchMatchesNothing = &check.Rule{
	Code: "patch-matches-nothing", Group: check.Patches, Severity: finding.Error,
	Title: "The target of a patch selects no object",
	Help: `kustomize, and so Flux, passes over a patch whose target selects nothing, without a word and with success
(kubernetes-sigs/kustomize#4379). The change that somebody relies on is not there.

The fields of a target are regular expressions for the whole text: name: plex does not select plex-exporter. Correct the
target. A patch that a parent lays over many Kustomizations, for the few that hold what it selects, is not reported.`,
	Environment: func(p *check.Pass) {
		m := &matches{pass: p, matched: map[string]bool{}, entries: map[string]check.Finding{}}
		for _, k := range p.Kustomizations {
			if k.Built {
				m.files(k)
				m.spec(k)
			}
		}
		for _, key := range m.order {
			if !m.matched[key] {
				p.Report(m.entries[key])
			}
		}
	},
}

// matches collects which patches selected something. A kustomization.yaml may be part of several builds: one is enough.
type matches struct {
	pass    *check.Pass
	order   []string
	matched map[string]bool
	entries map[string]check.Finding
}

func (m *matches) note(key string, matched bool, f check.Finding) {
	if _, known := m.entries[key]; !known {
		m.order = append(m.order, key)
		m.entries[key] = f
	}
	m.matched[key] = m.matched[key] || matched
}

// files looks at the patches in the kustomization.yaml files of a build.
func (m *matches) files(k *flux.Kustomization) {
	for _, file := range k.Files {
		if !isKustomization(file) || notBootstrapped(m.pass, file) {
			continue
		}
		for _, root := range m.pass.Repository.Documents(file) {
			for i, patch := range patchesIn(m.pass.Repository, file, root) {
				if patch.target == nil {
					continue // kustomize itself refuses a patch that names its object and does not find it
				}
				f := check.At(patch.at, fmt.Sprintf("the patch is for %s, and no object is selected", patch.target), "correct the target")
				m.note(file+"#"+strconv.Itoa(i), m.selects(k, patch.target), f.As(m.severity(k)))
			}
		}
	}
}

// spec looks at the spec.patches that a Kustomization's own file declares.
func (m *matches) spec(k *flux.Kustomization) {
	if k.Object == nil || len(k.Spec.Patches) == 0 || !m.declaresPatches(k) {
		return
	}
	for i, patch := range k.Spec.Patches {
		if patch.Target == nil {
			continue
		}
		target := selectorOf(patch.Target)
		f := check.OnKustomization(k, tree.Path{"spec", "patches", strconv.Itoa(i)},
			fmt.Sprintf("the patch is for %s, and nothing in %s is selected", target, k.Path), "correct the target")
		m.note(k.String()+"#"+strconv.Itoa(i), m.selects(k, target), f.As(m.severity(k)))
	}
}

func (m *matches) severity(k *flux.Kustomization) finding.Severity {
	for _, problem := range k.Problems {
		if problem.Reason == flux.RemoteBase {
			return finding.Warning // the object may come from there
		}
	}
	return finding.Error
}

// declaresPatches says whether spec.patches stands in the file of the Kustomization, and is not laid over it by a parent.
func (m *matches) declaresPatches(k *flux.Kustomization) bool {
	for _, root := range m.pass.Repository.Documents(k.Object.Origin.File) {
		if text(root, "kind") == "Kustomization" && text(root, "metadata", "name") == k.Name && tree.Lookup(root, "spec", "patches") != nil {
			return true
		}
	}
	return false
}

func selectorOf(s *kustomizeapi.Selector) *selector {
	return &selector{
		Group: s.Group, Version: s.Version, Kind: s.Kind, Namespace: s.Namespace, Name: s.Name,
		Labels: s.LabelSelector, Annotations: s.AnnotationSelector,
	}
}

// selects says whether a selector selects an object of a build: as it came out, or, since names change on the way and a
// patch may remove its object, as it stands in one of the files.
func (m *matches) selects(k *flux.Kustomization, s *selector) bool {
	for _, o := range k.Objects {
		if s.selects(o.Node(), true) {
			return true
		}
	}
	for _, file := range k.Files {
		if isKustomization(file) {
			continue
		}
		for _, root := range m.pass.Repository.Documents(file) {
			if s.selects(root, false) {
				return true
			}
		}
	}
	return false
}

// selects says whether a selector selects an object. A file's object need not have its namespace, labels and annotations yet.
func (s *selector) selects(root *yaml.Node, built bool) bool {
	group, version, ok := strings.Cut(text(root, "apiVersion"), "/")
	if !ok {
		group, version = "", group
	}
	for _, pair := range [][2]string{{s.Group, group}, {s.Version, version}, {s.Kind, text(root, "kind")}, {s.Name, text(root, "metadata", "name")}} {
		if pair[0] != "" && !anchored(pair[0], pair[1]) {
			return false
		}
	}
	namespace := text(root, "metadata", "namespace")
	if s.Namespace != "" && !anchored(s.Namespace, namespace) && (built || namespace != "") {
		return false
	}
	return !built || chosen(s.Labels, tree.Lookup(root, "metadata", "labels")) && chosen(s.Annotations, tree.Lookup(root, "metadata", "annotations"))
}

func anchored(pattern, value string) bool {
	expression, err := regexp.Compile("^(?:" + pattern + ")$")
	return err != nil || expression.MatchString(value)
}

func chosen(selection string, mapping *yaml.Node) bool {
	if selection == "" {
		return true
	}
	set := labels.Set{}
	for _, key := range keys(mapping) {
		set[key] = text(mapping, key)
	}
	parsed, err := labels.Parse(selection)
	return err != nil || parsed.Matches(set)
}

// notBootstrapped says whether a kustomization.yaml is for manifests that flux bootstrap is yet to write.
func notBootstrapped(p *check.Pass, file string) bool {
	content, err := p.Repository.Checkout.ReadFile(path.Join(path.Dir(file), "gotk-components.yaml"))
	return err == nil && len(check.Documents(content)) == 0
}
