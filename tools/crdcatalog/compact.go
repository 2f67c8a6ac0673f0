package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// compact writes a line for each kind and version: group, kind in lower case, version and paths, with blanks between.
func compact(data []byte, source string) ([]byte, error) {
	var kinds map[string][]string
	if err := json.Unmarshal(data, &kinds); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "# Where custom resources keep the tolerations of their pods: group, kind, version, paths.\n")
	fmt.Fprintf(&out, "# Made by tools/crdcatalog from %s. Do not edit.\n", source)
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		group, rest, grouped := strings.Cut(name, "/")
		kind, version, versioned := strings.Cut(rest, "_")
		if !grouped || !versioned || strings.ContainsAny(name, " \n") {
			return nil, fmt.Errorf("%q is not group/kind_version", name)
		}
		paths, err := wanted(kinds[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if len(paths) > 0 {
			fmt.Fprintf(&out, "%s %s %s %s\n", group, strings.ToLower(kind), version, strings.Join(paths, " "))
		}
	}
	return out.Bytes(), nil
}

// wanted leaves out what nobody writes: a status, and the misspelled toleRations beside a right one, which is the older
// name of the same list (EMQX).
func wanted(paths []string) ([]string, error) {
	var kept []string
	for _, path := range slices.Sorted(slices.Values(paths)) {
		if path == "" || strings.ContainsAny(path, " \n") {
			return nil, fmt.Errorf("%q is no path", path)
		}
		right, misspelled := strings.CutSuffix(path, "toleRations")
		if strings.HasPrefix(path, "status.") || misspelled && slices.Contains(paths, right+"tolerations") {
			continue
		}
		kept = append(kept, path)
	}
	return slices.Compact(kept), nil
}
