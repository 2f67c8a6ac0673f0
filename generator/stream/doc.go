// Package stream reads and writes what flows between tools: ResourceLists and YAML streams.
//
// Bytes come in and are cut into items by their indentation, without decoding the list as a whole (scan.go). Each item
// is decoded by itself, on every core, to find faults and to learn what it is (item.go); its tree is thrown away again
// and made anew for the few items that somebody asks for. On the way out an item that nobody changed leaves as the
// bytes that came, and a changed one is encoded in the style of its neighbours (list.go). A list whose shape the
// scanner does not know (flow style, JSON, anchors across items) takes the slow way through one whole decode, with the
// same result (whole.go).
//
// The package knows no kind: what an item means is for others.
package stream
