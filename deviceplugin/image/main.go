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

// options are what the image depends on, besides the source and the toolchain.
type options struct {
	version   string
	source    string // folder with the module
	platforms []string
}

func run(ctx context.Context, args []string, stdout io.Writer) error {
	var o options
	flags := flag.NewFlagSet("image", flag.ContinueOnError)
	flags.StringVar(&o.version, "version", "", "version of the binary and the image, v0.1.0")
	flags.StringVar(&o.source, "source", ".", "folder of the Go module")
	platforms := flags.String("platforms", "linux/amd64,linux/arm64,linux/arm/v7", "comma-separated platforms")
	out := flags.String("out", "dist/device-plugin", "folder for the OCI layout; the SBOM goes beside it, as FOLDER.spdx.json")
	verify := flags.Bool("verify", false, "build again and compare with what is in the folder")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if o.version == "" {
		return fmt.Errorf("-version: say which version this is")
	}
	o.platforms = strings.Split(*platforms, ",")
	if *verify {
		return verifyLayout(ctx, o, *out, stdout)
	}
	return write(ctx, o, *out, os.Getenv("GOCACHE"), stdout)
}

// write builds the image and writes the layout and the SBOM.
func write(ctx context.Context, o options, out, cache string, stdout io.Writer) error {
	work, err := os.MkdirTemp("", "berth-image")
	if err != nil {
		return fmt.Errorf("making a working folder: %w", err)
	}
	defer os.RemoveAll(work) //nolint:errcheck // a temporary folder
	binaries := make([]binary, 0, len(o.platforms))
	for _, p := range o.platforms {
		platform, err := v1.ParsePlatform(p)
		if err != nil {
			return fmt.Errorf("platform %q: %w", p, err)
		}
		b, err := build(ctx, o, *platform, work, cache)
		if err != nil {
			return err
		}
		binaries = append(binaries, b)
	}
	index, err := indexOf(o, binaries)
	if err != nil {
		return err
	}
	if err := replaceLayout(out, index); err != nil {
		return err
	}
	digest, err := index.Digest()
	if err != nil {
		return fmt.Errorf("reading the digest: %w", err)
	}
	sbom, err := sbomOf(o, digest, binaries)
	if err != nil {
		return err
	}
	if err := os.WriteFile(sbomFile(out), sbom, 0o644); err != nil { //nolint:gosec // to be read by anyone
		return fmt.Errorf("writing the SBOM: %w", err)
	}
	fmt.Fprintf(stdout, "%s %s\n", out, digest)
	return nil
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
