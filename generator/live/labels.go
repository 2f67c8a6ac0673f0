package live

import "github.com/berth-dev/berth/generator/api/v1alpha1"

// nodeLabels returns the labels that an intent wants on a node.
func nodeLabels(*v1alpha1.TaintIntent, string) map[string]string { return nil }
