package live

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Annotation is where Berth writes down, on the Node, what it put there: for each intent the taints, as key:Effect, and
// the keys of the labels. What leaves an intent can then leave the node, and nothing else does.
const Annotation = "berth.dev/owned"

// owned is what Berth owns on a node for one intent.
type owned struct {
	Taints []string `json:"taints,omitempty"`
	Labels []string `json:"labels,omitempty"`
}

// ownership is what Berth owns on a node, by the intent's name.
type ownership map[string]owned

// readOwnership reads the annotation. What berth would not have written is an error: nobody can tell then what is whose.
func readOwnership(node string, annotations map[string]string) (ownership, error) {
	text, found := annotations[Annotation]
	if !found {
		return ownership{}, nil
	}
	own, err := parseOwnership(text)
	if err != nil {
		return nil, fmt.Errorf("node %s: the annotation %s is not what berth writes (%w), so that it cannot tell which taints and labels are the intents'; mend it, or remove it and take off by hand what no intent lists", node, Annotation, err)
	}
	return own, nil
}

func parseOwnership(text string) (ownership, error) {
	var own ownership
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&own); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the JSON")
	}
	if own == nil {
		return nil, errors.New("null is no JSON object")
	}
	for intent, of := range own {
		for _, taint := range of.Taints {
			if _, ok := parsePair(taint); !ok {
				return nil, fmt.Errorf("%s: %q is no key:Effect", intent, taint)
			}
		}
	}
	return own, nil
}

// String is the annotation's value, the same for the same content; empty when nothing is owned.
func (o ownership) String() string {
	full := maps.Clone(o)
	maps.DeleteFunc(full, func(_ string, of owned) bool { return len(of.Taints)+len(of.Labels) == 0 })
	if len(full) == 0 {
		return ""
	}
	for name, of := range full {
		full[name] = owned{Taints: slices.Sorted(slices.Values(of.Taints)), Labels: slices.Sorted(slices.Values(of.Labels))}
	}
	text, err := json.Marshal(full)
	if err != nil {
		return "" // maps of strings can always be written
	}
	return string(text)
}

// taints returns the intents that own each taint.
func (o ownership) taints() map[pair][]string {
	owners := map[pair][]string{}
	for _, intent := range slices.Sorted(maps.Keys(o)) {
		for _, text := range o[intent].Taints {
			if p, ok := parsePair(text); ok {
				owners[p] = append(owners[p], intent)
			}
		}
	}
	return owners
}

// labels returns the intents that own each label.
func (o ownership) labels() map[string][]string {
	owners := map[string][]string{}
	for _, intent := range slices.Sorted(maps.Keys(o)) {
		for _, key := range o[intent].Labels {
			owners[key] = append(owners[key], intent)
		}
	}
	return owners
}
