// Package header makes and reads the lines with which every file that Berth writes begins.
//
// The header says what the file is and for which intents it was written. A file is Berth's to overwrite or to remove
// only when it carries one, and only for its own intents.
package header
