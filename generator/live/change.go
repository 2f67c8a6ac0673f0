package live

import (
	"context"
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// fieldManager is the name under which the server records who wrote a field.
const fieldManager = "berth"

// decide looks at a node as it is now and says what should change.
type decide func(*unstructured.Unstructured) (outcome, error)

// change reads a node, decides, and writes; from the start when somebody wrote in between. It returns what it changed.
func (c *Cluster) change(ctx context.Context, name string, decide decide, dry bool) ([]Delta, error) {
	var done []Delta
	err := c.Retry.do(ctx, rewrite, func(ctx context.Context) error {
		node, err := c.client.Resource(nodes).Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return c.fault("reading node "+name, right{"get", nodes}, err)
		}
		out, err := decide(node)
		if err != nil || out.patch == nil {
			done = nil
			return err
		}
		done = out.deltas
		return c.patch(ctx, name, out.patch, dry)
	})
	return done, err
}

func (c *Cluster) patch(ctx context.Context, name string, patch map[string]any, dry bool) error {
	body, err := json.Marshal(patch)
	if err != nil {
		return fmt.Errorf("node %s: %w", name, err)
	}
	options := metav1.PatchOptions{FieldManager: fieldManager}
	if dry {
		options.DryRun = []string{metav1.DryRunAll}
	}
	if _, err := c.client.Resource(nodes).Patch(ctx, name, types.MergePatchType, body, options); err != nil {
		return c.fault("changing node "+name, right{"patch", nodes}, err)
	}
	return nil
}

// toWant decides that a node gets what the intents want.
func toWant(w *want) decide {
	return func(node *unstructured.Unstructured) (outcome, error) { return merge(node, w) }
}

// uncordon decides that a node takes pods again, but only while every wanted taint is on it.
func uncordon(w *want) decide {
	return func(node *unstructured.Unstructured) (outcome, error) {
		rest, err := merge(node, w)
		if err != nil {
			return outcome{}, err
		}
		if rest.patch != nil {
			return outcome{}, fmt.Errorf("node %s: stays cordoned, since it lost what the intent wants: %s; run berth apply again", node.GetName(), rest.deltas[0])
		}
		cordoned, _, err := unstructured.NestedBool(node.Object, "spec", "unschedulable")
		if err != nil || !cordoned {
			return outcome{}, err
		}
		return outcome{deltas: []Delta{{Operation: Uncordon}}, patch: map[string]any{
			"metadata": map[string]any{"resourceVersion": node.GetResourceVersion()},
			"spec":     map[string]any{"unschedulable": nil},
		}}, nil
	}
}
