// Command crdcatalog turns a list of toleration paths of custom resources into the compact text that package podspec
// embeds.
//
//	crdcatalog -in paths.json -out catalog.txt -source "datreeio/CRDs-catalog @7b1e26ef (2026-08-20)"
//
// The input is a JSON object whose keys are group/kind_version, as the CRDs catalogue names its schemas, and whose values
// are lists of dotted paths of toleration lists, [] for the items of a list and {} for the values of a map:
//
//	{"postgresql.cnpg.io/cluster_v1": ["spec.affinity.tolerations"]}
//
// Such a list is made by walking the JSON schemas and taking each array whose items have effect, and key or operator.
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
