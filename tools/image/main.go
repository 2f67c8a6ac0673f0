package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

// options are what an image depends on, besides the source and the toolchain.
type options struct {
	program
	version   string
	from      string // folder with the module
	platforms []string
}

// mode says what is done with an image.
type mode struct {
	out    string // folder for the layouts
	verify bool
	pins   pins
}

func run(ctx context.Context, args []string, stdout io.Writer) error {
	var o options
	var m mode
	flags := flag.NewFlagSet("image", flag.ContinueOnError)
	flags.StringVar(&o.version, "version", "", "version of the binary and the image, v0.1.0")
	flags.StringVar(&o.from, "source", ".", "folder of the Go module")
	platforms := flags.String("platforms", "linux/amd64,linux/arm64,linux/arm/v7", "comma-separated platforms")
	flags.StringVar(&m.out, "out", "dist", "folder for the OCI layouts, one below it for each program; the SBOM goes beside it, as PROGRAM.spdx.json")
	flags.BoolVar(&m.verify, "verify", false, "build again and compare with what is in the folder")
	pinned := flags.String("pinned", "", "comma-separated folders whose files have to pin the digests that come out")
	pin := flags.String("pin", "", "comma-separated folders into whose files the digests that come out are written")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if o.version == "" {
		return fmt.Errorf("-version: say which version this is")
	}
	o.platforms = strings.Split(*platforms, ",")
	m.pins = pins{folders: list(*pinned + *pin), write: *pin != ""}
	these, err := chosen(flags.Args())
	if err != nil {
		return err
	}
	for _, o.program = range these {
		if err := m.run(ctx, o, stdout); err != nil {
			return fmt.Errorf("%s: %w", o.name, err)
		}
	}
	return nil
}

func list(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' })
}

func (m mode) run(ctx context.Context, o options, stdout io.Writer) error {
	out := filepath.Join(m.out, o.name)
	if m.verify {
		return verifyLayout(ctx, o, out, stdout)
	}
	digest, err := write(ctx, o, out, os.Getenv("GOCACHE"))
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s %s\n", out, digest)
	if len(m.pins.folders) == 0 {
		return nil
	}
	return m.pins.hold(o.name, o.version, digest.String())
}

// write builds the image and writes the layout and the SBOM.
func write(ctx context.Context, o options, out, cache string) (v1.Hash, error) {
	work, err := os.MkdirTemp("", "berth-image")
	if err != nil {
		return v1.Hash{}, fmt.Errorf("making a working folder: %w", err)
	}
	defer os.RemoveAll(work) //nolint:errcheck // a temporary folder
	binaries := make([]binary, 0, len(o.platforms))
	for _, p := range o.platforms {
		platform, err := v1.ParsePlatform(p)
		if err != nil {
			return v1.Hash{}, fmt.Errorf("platform %q: %w", p, err)
		}
		b, err := build(ctx, o, *platform, work, cache)
		if err != nil {
			return v1.Hash{}, err
		}
		binaries = append(binaries, b)
	}
	index, err := indexOf(o, binaries)
	if err != nil {
		return v1.Hash{}, err
	}
	if err := replaceLayout(out, index); err != nil {
		return v1.Hash{}, err
	}
	digest, err := index.Digest()
	if err != nil {
		return v1.Hash{}, fmt.Errorf("reading the digest: %w", err)
	}
	sbom, err := sbomOf(o, digest, binaries)
	if err != nil {
		return v1.Hash{}, err
	}
	if err := os.WriteFile(sbomFile(out), sbom, 0o644); err != nil { //nolint:gosec // to be read by anyone
		return v1.Hash{}, fmt.Errorf("writing the SBOM: %w", err)
	}
	return digest, nil
}

func sbomFile(out string) string { return filepath.Clean(out) + ".spdx.json" }

// replaceLayout writes the index as the only one in the layout.
func replaceLayout(out string, index v1.ImageIndex) error {
	if err := os.RemoveAll(out); err != nil {
		return fmt.Errorf("clearing %s: %w", out, err)
	}
	l, err := layout.Write(out, empty.Index)
	if err != nil {
		return fmt.Errorf("writing %s: %w", out, err)
	}
	if err := l.AppendIndex(index); err != nil {
		return fmt.Errorf("writing %s: %w", out, err)
	}
	return nil
}
