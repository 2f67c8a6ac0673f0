package metrics

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// family is a metric with its values, by labels.
type family struct {
	name, help, kind string
	labels           []string
	values           map[string]float64 // by the labels as they are written
}

func newFamily(kind, name, help string, labels ...string) *family {
	return &family{name: namePrefix + name, help: help, kind: kind, labels: labels, values: map[string]float64{}}
}

// key writes the labels: {resource="gpu.intel.com/i915",health="Healthy"}.
func (f *family) key(values []string) string {
	if len(f.labels) == 0 {
		return ""
	}
	pairs := make([]string, 0, len(values))
	for i, v := range values {
		pairs = append(pairs, f.labels[i]+`="`+escape.Replace(v)+`"`)
	}
	return "{" + strings.Join(pairs, ",") + "}"
}

// escape is what the text format asks for in the value of a label.
var escape = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func (f *family) add(by float64, labels ...string) { f.values[f.key(labels)] += by }
func (f *family) set(to float64, labels ...string) { f.values[f.key(labels)] = to }

// write gives the family, sorted by labels.
func (f *family) write(w io.Writer) {
	fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", f.name, f.help, f.name, f.kind)
	for _, key := range slices.Sorted(maps.Keys(f.values)) {
		fmt.Fprintf(w, "%s%s %s\n", f.name, key, strconv.FormatFloat(f.values[key], 'g', -1, 64))
	}
}
