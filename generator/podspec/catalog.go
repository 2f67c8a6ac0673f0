package podspec

import (
	_ "embed"
	"slices"
	"strings"
)

// catalog holds a line for each version of each kind; its first lines say where it comes from. It stays text: only an
// object of a kind that is in no table makes anybody look into it, and then once for each such object.
//
//go:embed catalog.txt
var catalog string

// catalogued returns the paths of a custom resource. A version that the catalogue does not have is taken to have the
// paths of all the others.
func catalogued(group, kind, version string) []string {
	var all []string
	for line := range lines(group, kind) {
		has, paths, _ := strings.Cut(line, " ")
		if has == version {
			return strings.Fields(paths)
		}
		for _, path := range strings.Fields(paths) {
			if !slices.Contains(all, path) {
				all = append(all, path)
			}
		}
	}
	return all
}

// lines yields what follows the group and kind in each of their lines.
func lines(group, kind string) func(func(string) bool) {
	prefix := "\n" + group + " " + strings.ToLower(kind) + " "
	return func(yield func(string) bool) {
		for rest := catalog; ; {
			at := strings.Index(rest, prefix)
			if at < 0 || group == "" {
				return
			}
			rest = rest[at+len(prefix):]
			line, _, _ := strings.Cut(rest, "\n")
			if !yield(line) {
				return
			}
		}
	}
}

// VersionUnknown says which versions of the object's kind are known, when its own is none of them.
func VersionUnknown(o Object) []string {
	var versions []string
	for line := range lines(Group(o.APIVersion), o.Kind) {
		has, _, _ := strings.Cut(line, " ")
		if has == version(o.APIVersion) {
			return nil
		}
		versions = append(versions, has)
	}
	return versions
}
