// Package tree finds and changes places in YAML trees.
//
// A dotted path, as a person writes it, becomes a Path (path.go); a Path finds a node, a pattern with brackets becomes
// the paths that a tree really has (lookup.go), and a value is set at a path, with the mappings that lead there made
// on the way (set.go). Trees are those of kyaml, whose nodes keep comments and styles.
package tree
