package harness

import (
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// SetReady writes the status by which a controller of Flux says that an object is ready as it stands.
func SetReady(o *unstructured.Unstructured, reason string) {
	o.Object["status"] = map[string]any{
		"observedGeneration": o.GetGeneration(),
		"conditions": []any{map[string]any{
			"type": "Ready", "status": "True", "reason": reason, "message": "ready", "observedGeneration": o.GetGeneration(),
			"lastTransitionTime": time.Now().UTC().Format(time.RFC3339),
		}},
	}
}

// IsReady says whether a controller of Flux has found an object ready as it stands.
func IsReady(o *unstructured.Unstructured) bool {
	seen, _, _ := unstructured.NestedInt64(o.Object, "status", "observedGeneration")
	return seen == o.GetGeneration() && Condition(o, "Ready")["status"] == "True"
}

// Condition returns a condition of an object; nil where it has none of that type.
func Condition(o *unstructured.Unstructured, kind string) map[string]any {
	conditions, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
	for _, c := range conditions {
		if condition, ok := c.(map[string]any); ok && condition["type"] == kind {
			return condition
		}
	}
	return nil
}
