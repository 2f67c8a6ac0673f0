package v1alpha1

import (
	"strings"
)

// String names the workload as people do: "DaemonSet observability/node-exporter", with * for what is left open and the
// labels in brackets.
func (w Workload) String() string {
	name := w.Name
	if name == "" {
		name = "*"
	}
	if w.Namespace != "" {
		name = w.Namespace + "/" + name
	}
	text := w.Kind + " " + name
	if w.APIVersion != "" {
		text = w.APIVersion + " " + text
	}
	if len(w.Labels) == 0 {
		return text
	}
	var labels []string
	for _, key := range sortedKeys(w.Labels) {
		labels = append(labels, key+"="+w.Labels[key])
	}
	return text + " [" + strings.Join(labels, ",") + "]"
}

// Matches tells whether an object of the render is meant. A value of the object that still holds a ${...} is unresolved,
// and equals nothing, not even *; what the workload leaves open is not looked at.
func (w Workload) Matches(apiVersion, kind, namespace, name string, labels map[string]string) bool {
	for _, pair := range [][2]string{{w.APIVersion, apiVersion}, {w.Kind, kind}, {w.Namespace, namespace}, {w.Name, name}} {
		if pattern, value := pair[0], pair[1]; pattern != "" && (isUnresolved(value) || !glob(pattern, value)) {
			return false
		}
	}
	for key, want := range w.Labels {
		if got, found := labels[key]; !found || isUnresolved(got) || got != want {
			return false
		}
	}
	return true
}

// glob matches a pattern in which * stands for any number of characters, and everything else for itself.
func glob(pattern, value string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == value
	}
	first, last := parts[0], parts[len(parts)-1]
	if len(value) < len(first)+len(last) || !strings.HasPrefix(value, first) || !strings.HasSuffix(value, last) {
		return false
	}
	value = value[len(first) : len(value)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		at := strings.Index(value, part)
		if at < 0 {
			return false
		}
		value = value[at+len(part):]
	}
	return true
}
