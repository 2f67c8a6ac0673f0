package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	in := flag.String("in", "", "the JSON file with the paths")
	out := flag.String("out", "", "the text file to write")
	source := flag.String("source", "", "where the paths come from, for the text's first lines")
	flag.Parse()
	if err := run(*in, *out, *source); err != nil {
		fmt.Fprintln(os.Stderr, "crdcatalog:", err)
		os.Exit(1)
	}
}

func run(in, out, source string) error {
	if in == "" || out == "" || source == "" {
		return fmt.Errorf("-in, -out and -source are needed")
	}
	data, err := os.ReadFile(in)
	if err != nil {
		return err
	}
	text, err := compact(data, source)
	if err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	return os.WriteFile(out, text, 0o644)
}
