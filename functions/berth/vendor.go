package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/generator/header"
	"github.com/berth-dev/berth/generator/manifest"
)

// vendorFlags are the flags of `berth vendor`.
type vendorFlags struct {
	from   string
	output string
	images []string
	check  bool
	force  bool
}

func newVendorCommand(io streams) *cobra.Command {
	var flags vendorFlags
	cmd := &cobra.Command{
		Use:   "vendor --from UPSTREAM -o FILE",
		Short: "Write an upstream's manifest in one form, and prove that it means the same",
		Long: `Write the objects of UPSTREAM, a YAML file, into FILE in the form of berth's own files: sequences
indented alike, fields in Kubernetes' usual order, a document start, comments on lines of their own.
yamllint's default rules accept it, whatever upstream's style.

Both are read as the API server reads them and compared field by field. "formatting only" says that
every field means what it meant; otherwise each field that differs is listed. --image pins an image
to a tag and a digest, which is the only change of meaning that is made.

Where FILE exists, what it means is compared with the new content too: what an upgrade changes.

Exit status: 0 when FILE is as UPSTREAM asks, 1 when --check found a difference, 2 when something
could not be read or written.`,
		Example: `  berth vendor --from upstream.yaml -o platform-gpu/intel-gpu-plugin.yaml \
    --image docker.io/intel/intel-gpu-plugin:0.37.0@sha256:7001200071db10587fc31184eedda4f5cf291efba737adf85a8c80539f7fa5e1`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return runVendor(flags, io) },
	}
	f := cmd.Flags()
	f.StringVar(&flags.from, "from", "", "upstream's manifest, a YAML file")
	f.StringVarP(&flags.output, "output", "o", "", "the file to write")
	f.StringArrayVar(&flags.images, "image", nil, "an image with tag and digest, for every image of its repository; repeatable")
	f.BoolVar(&flags.check, "check", false, "compare instead of writing; exit 1 when something differs")
	f.BoolVar(&flags.force, "force", false, "overwrite a file that berth did not write")
	for _, name := range []string{"from", "output"} {
		if err := cmd.MarkFlagRequired(name); err != nil {
			panic(err) // the flag was defined above
		}
	}
	return cmd
}

func runVendor(flags vendorFlags, io streams) error {
	upstream, err := os.ReadFile(flags.from)
	if err != nil {
		return fmt.Errorf("read upstream: %w", err)
	}
	for _, image := range flags.images {
		if !strings.Contains(image, "@sha256:") {
			return fmt.Errorf("--image %s has no digest: write name, tag and digest", image)
		}
	}
	vendored, err := manifest.Vendor(flags.from, upstream, flags.images)
	if err != nil {
		return fmt.Errorf("vendor: %w", err)
	}
	say(io, fmt.Sprintf("%s: %d object(s) against upstream", flags.from, vendored.Objects), vendored.Changes)
	for _, image := range vendored.Images {
		if !strings.Contains(image, "@sha256:") {
			fmt.Fprintf(io.err, "warning: the image %s has no digest: pin it with --image\n", image)
		}
	}
	// An owner of its own keeps berth generate, which tidies up after itself, from taking the file for one of its own.
	head := header.New("an upstream's manifest, in berth's form", []string{"upstream " + filepath.Base(flags.from)},
		"The source is upstream's file: change that, and run `berth vendor` instead.")
	return putVendored(flags, io, append([]byte(head), vendored.Content...))
}

// say prints what differs in meaning, or that nothing does.
func say(io streams, what string, changes []manifest.Difference) {
	if len(changes) == 0 {
		fmt.Fprintf(io.err, "%s: formatting only\n", what)
	}
	for _, c := range changes {
		fmt.Fprintf(io.err, "%s: %s\n", what, c)
	}
}

// putVendored writes the file, or with --check says how the one that is there differs.
func putVendored(flags vendorFlags, io streams, content []byte) error {
	have, err := os.ReadFile(flags.output)
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		return fmt.Errorf("read %s: %w", flags.output, err)
	}
	if !missing {
		if bytes.Equal(have, content) {
			return nil
		}
		changes, err := manifest.Compare(have, content)
		if err != nil {
			return fmt.Errorf("%s: %w", flags.output, err)
		}
		say(io, flags.output+" against what is there", changes)
	}
	switch {
	case flags.check:
		return &exitError{code: exitFindings, err: fmt.Errorf("%s is not what upstream asks for: run berth vendor without --check", flags.output)}
	case !missing && !header.IsOurs(have) && !flags.force:
		return fmt.Errorf("%s is in the way: berth did not write it; move it, or say --force", flags.output)
	}
	return writeVendored(flags.output, io, content)
}

func writeVendored(name string, io streams, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	if err := os.WriteFile(name, content, 0o644); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	fmt.Fprintf(io.out, "wrote    %s\n", name)
	return nil
}
