package manifest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/util/json"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"github.com/berth-dev/berth/generator/tree"
)

// Difference is a field whose meaning differs.
type Difference struct {
	// Object is Kind namespace/name.
	Object string
	// Path is the field; empty for the object as a whole.
	Path tree.Path
	// Before and After are the values as JSON; empty where there is none.
	Before, After string
}

// String returns one line: DaemonSet x spec.y: 1 becomes 2.
func (d Difference) String() string {
	where := d.Object
	if len(d.Path) > 0 {
		where += " " + d.Path.String()
	}
	switch {
	case d.Before == "":
		return fmt.Sprintf("%s: %s is added", where, d.After)
	case d.After == "":
		return fmt.Sprintf("%s: %s is removed", where, d.Before)
	}
	return fmt.Sprintf("%s: %s becomes %s", where, d.Before, d.After)
}

// Compare reads two streams as the API server does (YAML 1.1, by way of JSON) and returns the fields that differ, by
// object and in the order of the fields. Objects are told apart by what they are called, so that their order is no
// difference. A key that stands twice is an error.
func Compare(before, after []byte) ([]Difference, error) {
	a, err := objects(before)
	if err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	b, err := objects(after)
	if err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	var all []Difference
	for _, id := range slices.Sorted(maps.Keys(merge(a, b))) {
		all = append(all, differ(id, nil, a[id], b[id])...)
	}
	return all, nil
}

func objects(stream []byte) (map[string]any, error) {
	all := map[string]any{}
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(stream)))
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		data, err := yaml.YAMLToJSONStrict(document)
		if err != nil {
			return nil, err
		}
		var object map[string]any
		if err := json.Unmarshal(data, &object); err != nil {
			return nil, err
		}
		if object == nil {
			continue
		}
		id := identity(object)
		if _, twice := all[id]; twice {
			return nil, fmt.Errorf("%s stands twice", id)
		}
		all[id] = object
	}
}

func identity(object map[string]any) string {
	metadata, _ := object["metadata"].(map[string]any)
	id := fmt.Sprintf("%v ", object["kind"])
	if namespace, ok := metadata["namespace"].(string); ok {
		id += namespace + "/"
	}
	return id + fmt.Sprint(metadata["name"])
}

// differ returns what differs at a path. A value that is missing is nil; null and missing mean the same to the API.
func differ(object string, path tree.Path, before, after any) []Difference {
	if reflect.DeepEqual(before, after) {
		return nil
	}
	var all []Difference
	switch a := before.(type) {
	case map[string]any:
		if b, ok := after.(map[string]any); ok {
			for _, key := range slices.Sorted(maps.Keys(merge(a, b))) {
				all = append(all, differ(object, path.Join(key), a[key], b[key])...)
			}
			return all
		}
	case []any:
		if b, ok := after.([]any); ok {
			for i := range max(len(a), len(b)) {
				all = append(all, differ(object, path.Join(strconv.Itoa(i)), item(a, i), item(b, i))...)
			}
			return all
		}
	}
	return []Difference{{Object: object, Path: path, Before: text(before), After: text(after)}}
}

func item(list []any, i int) any {
	if i < len(list) {
		return list[i]
	}
	return nil
}

func merge(a, b map[string]any) map[string]any {
	all := maps.Clone(a)
	if all == nil {
		all = map[string]any{}
	}
	maps.Copy(all, b)
	return all
}

func text(value any) string {
	if value == nil {
		return ""
	}
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(bytes.TrimSpace(data))
}
