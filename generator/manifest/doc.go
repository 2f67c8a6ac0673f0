// Package manifest writes Kubernetes objects in one form, and proves that a form means the same as another.
//
// Node turns a typed object into a tree (node.go); Normalize puts any tree into the one form: fields in Kubernetes' usual
// order, block style, true and false for booleans, comments on lines of their own (normal.go); Encode writes trees as
// documents with sequences indented by two spaces, which yamllint's default rules accept (encode.go). Compare reads two
// streams as the API server would, by YAML 1.1, and lists the fields whose meaning differs (compare.go): no difference
// means that only the formatting changed.
package manifest
