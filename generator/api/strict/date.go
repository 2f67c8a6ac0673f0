package strict

import "go.yaml.in/yaml/v3"

// Date is a day such as 2027-01-31. It may stand without quotes, which YAML 1.1 reads as a date and later versions as text:
// both mean the same.
type Date string

// wantDate takes the text of a scalar that YAML reads as text or as a date.
func wantDate(node *yaml.Node) string {
	if node.Kind == yaml.ScalarNode && node.ShortTag() == "!!timestamp" {
		return ""
	}
	return wantString(node)
}
