package live

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
)

// toDo is the reason that a person has to write: the draft knows what is, not why.
const toDo = `"TODO: why"`

// Text writes the draft as a file, and reads it back to be sure that it is a valid intent.
func (d *Draft) Text() ([]byte, []*v1alpha1.TaintIntent, error) {
	var b strings.Builder
	b.WriteString("# A first intent, as the cluster is now: applying it changes no taint. Replace each TODO with the reason.\n")
	fmt.Fprintf(&b, "apiVersion: %s\nkind: %s\nmetadata:\n  name: %s\n", v1alpha1.GroupVersion, v1alpha1.KindTaintIntent, d.name)
	b.WriteString("  annotations:\n    config.kubernetes.io/local-config: \"true\"\nspec:\n")
	fmt.Fprintf(&b, "  distribution: %s\n", d.distribution)
	d.writeTaints(&b)
	d.writeNodes(&b)
	d.writeAllow(&b)
	intents, err := v1alpha1.ReadTaintIntents("draft", []byte(b.String()))
	if err != nil {
		return nil, nil, fmt.Errorf("what the cluster has is no valid intent: %w", err)
	}
	return []byte(b.String()), intents, nil
}

func (d *Draft) writeTaints(b *strings.Builder) {
	if len(d.taints) == 0 {
		b.WriteString("  # - name: flaky\n  #   taint: example.com/flaky=true:NoSchedule\n  #   reason: " + toDo + "\n  taints: []\n")
		return
	}
	b.WriteString("  taints:\n")
	for _, t := range d.taints {
		fmt.Fprintf(b, "    - name: %s\n      taint: %q\n      reason: %s\n", quote(t.name), t.Taint, toDo)
	}
}

func (d *Draft) writeNodes(b *strings.Builder) {
	b.WriteString("  nodes:\n")
	for _, group := range d.nodes {
		for _, note := range group.notes {
			fmt.Fprintf(b, "    # %s\n", note)
		}
		fmt.Fprintf(b, "    - names: %s\n", flow(group.names))
		if len(group.taints) > 0 {
			fmt.Fprintf(b, "      taints: %s\n", flow(group.taints))
		}
	}
}

func (d *Draft) writeAllow(b *strings.Builder) {
	for _, aside := range d.asides {
		fmt.Fprintf(b, "  # %s\n", aside)
	}
	if len(d.allow) == 0 {
		return
	}
	b.WriteString("  allow:\n")
	for _, a := range d.allow {
		fmt.Fprintf(b, "    - workload: {kind: %s, namespace: %s, name: %s}\n      tolerate: %s\n      reason: %s\n", a.kind, quote(a.namespace), quote(a.name), flow(a.tolerate), toDo)
	}
}

// flow writes names in one line.
func flow(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = quote(name)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// quote puts a name into quotes where YAML takes it for something else: a node may be called 1e3, or on.
func quote(name string) string {
	if yaml.IsValueNonString(name) {
		return fmt.Sprintf("%q", name)
	}
	return name
}

// Empty says that there is no node, so that there can be no intent.
func (d *Draft) Empty() bool { return len(d.nodes) == 0 }
