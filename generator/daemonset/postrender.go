package daemonset

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/header"
	"github.com/berth-dev/berth/generator/manifest"
	"github.com/berth-dev/berth/generator/tree"
)

// postRender adds one patch for each object of the chart to the release's post-renderers, or brings an earlier run's up to
// date. The patches are strategic merges, which find the container and the mounts by name: nobody sees here in which order
// the chart renders them.
func (s *switcher) postRender(list tree.Path) error {
	for _, pod := range s.consumer.Helm.Pods {
		text, err := s.chartPatch(pod)
		if err != nil {
			return err
		}
		if err := s.putPatch(list, pod, text); err != nil {
			return err
		}
		s.report(finding.Warning, "chart-unseen", list,
			fmt.Sprintf("whether the chart renders the %s %s with the container %s cannot be seen here, and a patch that matches nothing is silent", pod.Kind, pod.Name, s.consumer.Container),
			"look at what helm template prints")
	}
	return nil
}

// putPatch replaces the patch of an earlier run, or adds a post-renderer.
func (s *switcher) putPatch(list tree.Path, pod v1alpha1.ConsumerPod, text string) error {
	root, err := s.Item.Node()
	if err != nil {
		return err
	}
	have := tree.Lookup(root.YNode(), list...)
	if place := s.ownPatch(have, list, pod); place != nil {
		return s.setText(place.Join("patch"), text)
	}
	longer := tree.List()
	if !tree.IsNull(have) {
		if have.Kind != yaml.SequenceNode {
			return fmt.Errorf("%s is %s; the API wants a list", list, tree.Describe(have))
		}
		longer.Content = slices.Clone(have.Content)
	}
	target := tree.Map("kind", tree.Text(pod.Kind), "name", tree.Text(pod.Name))
	patch := tree.Map("target", target, "patch", literal(text))
	longer.Content = append(longer.Content, tree.Map("kustomize", tree.Map("patches", tree.List(patch))))
	e, err := s.Set(list, longer)
	if err != nil {
		return err
	}
	s.edits = append(s.edits, e)
	return nil
}

// ownPatch finds the patch that an earlier run left for an object.
func (s *switcher) ownPatch(have *yaml.Node, list tree.Path, pod v1alpha1.ConsumerPod) tree.Path {
	if have == nil || have.Kind != yaml.SequenceNode {
		return nil
	}
	for i, renderer := range have.Content {
		patches := tree.Lookup(renderer, "kustomize", "patches")
		if patches == nil || patches.Kind != yaml.SequenceNode {
			continue
		}
		for j, patch := range patches.Content {
			ours := strings.HasPrefix(valueOf(patch, "patch"), s.patchHeader())
			if ours && valueOf(patch, "target", "kind") == pod.Kind && valueOf(patch, "target", "name") == pod.Name {
				return itemOf(itemOf(list, i).Join("kustomize", "patches"), j)
			}
		}
	}
	return nil
}

func (s *switcher) setText(path tree.Path, text string) error {
	root, err := s.Item.Node()
	if err != nil {
		return err
	}
	if valueOf(root.YNode(), path...) == text {
		return nil
	}
	e, err := s.Set(path, literal(text))
	if err == nil {
		s.edits = append(s.edits, e)
	}
	return err
}

func literal(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: text, Style: yaml.LiteralStyle}
}

// patchHeader tells a patch of ours, for this plugin and container, from others.
func (s *switcher) patchHeader() string {
	return fmt.Sprintf("%sdevice plugin %s, container %s\n", header.Prefix, s.by, s.consumer.Container)
}

// chartPatch is the strategic merge that asks for the devices and takes the mounts away.
func (s *switcher) chartPatch(pod v1alpha1.ConsumerPod) (string, error) {
	requests := map[string]any{}
	for _, name := range sorted(s.consumer.Resources) {
		requests[name] = fmt.Sprint(s.consumer.Resources[name])
	}
	container := map[string]any{
		"name":      s.consumer.Container,
		"resources": map[string]any{"limits": requests, "requests": requests},
	}
	var env []any
	for _, name := range sorted(s.consumer.Env) {
		env = append(env, map[string]any{"name": name, "value": s.consumer.Env[name]})
	}
	if env != nil {
		container["env"] = env
	}
	spec := map[string]any{"containers": []any{container}}
	if len(pod.Volumes) > 0 {
		container["volumeMounts"] = deletions("mountPath", s.mountPaths(pod))
		spec["volumes"] = deletions("name", pod.Volumes)
	}
	node, err := manifest.Node(map[string]any{
		"apiVersion": "apps/v1", "kind": pod.Kind, "metadata": map[string]any{"name": pod.Name},
		"spec": map[string]any{"template": map[string]any{"spec": spec}},
	})
	if err != nil {
		return "", err
	}
	text, err := node.String()
	return s.patchHeader() + text, err
}

func (s *switcher) mountPaths(pod v1alpha1.ConsumerPod) []string {
	if len(pod.MountPaths) > 0 {
		return pod.MountPaths
	}
	return []string{s.consumer.ReplacesHostPath}
}

// deletions are entries of a list that a strategic merge removes by their key.
func deletions(key string, values []string) []any {
	all := make([]any, 0, len(values))
	for _, value := range values {
		all = append(all, map[string]any{"$patch": "delete", key: value})
	}
	return all
}
