// Package strict turns YAML into typed structs and refuses what it does not understand.
//
// Documents splits a file into its YAML documents; Decode fills a struct from one of them by the struct's json tags.
// Whatever a lenient reader would drop or guess at is a Problem with its file, line and field path: an unknown field, a
// key given twice, a value of the wrong type, an anchor. All problems of a document are found in one pass. The Index that
// comes back says where each field stood, so that a later validation can point at lines too.
package strict
