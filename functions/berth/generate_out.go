package main

import (
	"fmt"
	"path"
	"strings"

	"github.com/berth-dev/berth/generator/bundle"
	"github.com/berth-dev/berth/generator/outdir"
)

// printCheck lists what differs, without writing.
func printCheck(io streams, dir string, changes []outdir.Change) error {
	differs := false
	for _, c := range changes {
		switch c.State {
		case outdir.Same:
			continue
		case outdir.Left:
			fmt.Fprintf(io.err, "%s: of another run, for intent %s\n", path.Join(dir, c.Path), strings.Join(c.Intents, ", "))
			continue
		default:
			differs = true
			fmt.Fprintf(io.out, "%-8s %s\n", c.State, path.Join(dir, c.Path))
		}
	}
	if differs {
		return &exitError{code: exitFindings, err: fmt.Errorf("%s is not what the intents ask for: run berth generate without --check", dir)}
	}
	return nil
}

// writeOut writes the files and lists what was done; nothing at all while a foreign file is in the way.
func writeOut(io streams, flags generateFlags, files []bundle.File, changes []outdir.Change) error {
	for _, c := range changes {
		if c.State == outdir.Foreign && !flags.write.Force {
			return &exitError{code: exitUsage, err: fmt.Errorf("%s is in the way: %s", path.Join(flags.output, c.Path), whyForeign(c))}
		}
	}
	if err := outdir.Write(flags.output, files, changes, flags.write); err != nil {
		return err
	}
	done := map[outdir.State]string{outdir.Missing: "wrote", outdir.Differs: "changed", outdir.Foreign: "replaced", outdir.Stale: "removed"}
	for _, c := range changes {
		switch {
		case c.State == outdir.Left && flags.write.Prune:
			fmt.Fprintf(io.out, "%-8s %s\n", "removed", path.Join(flags.output, c.Path))
		case c.State == outdir.Left:
			fmt.Fprintf(io.err, "%s: left alone, it is of another run, for intent %s\n", path.Join(flags.output, c.Path), strings.Join(c.Intents, ", "))
		case done[c.State] != "" && !flags.quiet:
			fmt.Fprintf(io.out, "%-8s %s\n", done[c.State], path.Join(flags.output, c.Path))
		}
	}
	return nil
}

func whyForeign(c outdir.Change) string {
	if len(c.Intents) == 0 {
		return "berth did not write it; move it, choose another --output, or say --force"
	}
	return fmt.Sprintf("it was written for intent %s; name every intent that DIR is for, or drop the others with --force --prune", strings.Join(c.Intents, ", "))
}
