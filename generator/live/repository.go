package live

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/stream"
)

// FromRender makes a snapshot of what a repository says: the Node manifests that stand there, the nodes that a selector
// names by kubernetes.io/hostname, those that the caller knows of, and the workloads.
func FromRender(items []*stream.Item, names []string) (*Snapshot, error) {
	s := &Snapshot{Server: "the render"}
	for _, item := range items {
		if err := s.open(item); err != nil {
			return nil, err
		}
	}
	for _, w := range s.Workloads {
		if host := w.Template.NodeSelector[corev1.LabelHostname]; host != "" {
			names = append(names, host)
		}
	}
	for _, name := range names {
		if s.node(name) == nil && !strings.Contains(name, "${") {
			node := corev1.Node{}
			node.Name = name
			s.Nodes = append(s.Nodes, node)
		}
	}
	s.sort()
	return s, nil
}

// readable are the kinds that say something here.
var readable = []string{"Node", "Deployment", "StatefulSet", "DaemonSet", "CronJob", "Job"}

// open reads an object, or those that a list holds: a List, or a NodeList and the like, as the API server sends them, whose
// items may leave out what they are.
func (s *Snapshot) open(item *stream.Item) error {
	kind, isList := strings.CutSuffix(item.Kind, "List")
	if !slices.Contains(readable, item.Kind) && (!isList || kind != "" && !slices.Contains(readable, kind)) {
		return nil
	}
	node, err := item.Node()
	if err != nil {
		return err
	}
	if !isList {
		return s.read(item.Kind, item.ID(), node)
	}
	inside, err := node.Pipe(yaml.Lookup("items"))
	if err != nil || inside == nil {
		return err
	}
	elements, err := inside.Elements()
	if err != nil {
		return fmt.Errorf("%s: items: %w", item.ID(), err)
	}
	for i, element := range elements {
		meta := stream.MetaOf(element.YNode())
		meta.Kind = cmp.Or(meta.Kind, kind)
		if err := s.read(meta.Kind, fmt.Sprintf("%s, items[%d]: %s", item.ID(), i, meta.ID()), element); err != nil {
			return err
		}
	}
	return nil
}

// read reads an object of a kind, which errors call id.
func (s *Snapshot) read(kind, id string, node *yaml.RNode) error {
	if !slices.Contains(readable, kind) {
		return nil
	}
	if err := s.decode(kind, node); err == nil {
		return nil
	}
	// Flux replaces ${...} later, and the API may then see a number where a text stands now: without these values the rest
	// can be read.
	node = node.Copy()
	withoutVariables(node.YNode())
	if err := s.decode(kind, node); err != nil {
		return fmt.Errorf("%s: the API would refuse it: %w", id, err)
	}
	return nil
}

// withoutVariables takes the fields away whose values hold ${...}.
func withoutVariables(node *yaml.Node) {
	if node.Kind == yaml.MappingNode {
		kept := node.Content[:0]
		for i := 0; i+1 < len(node.Content); i += 2 {
			if value := node.Content[i+1]; value.Kind != yaml.ScalarNode || !strings.Contains(value.Value, "${") {
				kept = append(kept, node.Content[i], value)
			}
		}
		node.Content = kept
	}
	for _, child := range node.Content {
		withoutVariables(child)
	}
}

func (s *Snapshot) decode(kind string, node *yaml.RNode) error {
	text, err := node.MarshalJSON()
	if err != nil {
		return err
	}
	switch kind {
	case "Node":
		return into(text, func(n *corev1.Node) { s.Nodes = append(s.Nodes, *n) })
	case "Deployment":
		return into(text, func(d *appsv1.Deployment) { s.add(ofDeployment(d)) })
	case "StatefulSet":
		return into(text, func(d *appsv1.StatefulSet) { s.add(ofStatefulSet(d)) })
	case "DaemonSet":
		return into(text, func(d *appsv1.DaemonSet) { s.add(ofDaemonSet(d)) })
	case "CronJob":
		return into(text, func(c *batchv1.CronJob) { s.add(ofCronJob(c)) })
	case "Job":
		return into(text, func(j *batchv1.Job) { s.add(ofJob(j)) })
	}
	return nil
}

func (s *Snapshot) add(w Workload) { s.Workloads = append(s.Workloads, w) }

func into[T any](text []byte, use func(*T)) error {
	object := new(T)
	if err := json.Unmarshal(text, object); err != nil {
		return err
	}
	use(object)
	return nil
}
