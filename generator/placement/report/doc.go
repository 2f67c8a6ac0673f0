// Package report writes placements for people and programs.
//
// A Report pairs the matrix of a render as it stands with that of the same render once the intents' edits are made, and
// becomes a Table of rows and lettered columns (table.go). The formats stand in a file each: text of at most 80 columns
// (text.go), the reasons of single cells (cells.go), what a change moves (moves.go), JSON (json.go, movesjson.go), and a
// page of HTML that needs nothing else (html.go, page.html).
package report
