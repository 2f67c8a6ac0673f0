package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// verifyLayout builds again, from a copy of the source in another folder and with an empty cache, and compares every file.
func verifyLayout(ctx context.Context, o options, out string, stdout io.Writer) error {
	if _, err := os.Stat(out); err != nil {
		return fmt.Errorf("there is nothing to compare with: %w", err)
	}
	work, err := os.MkdirTemp("", "berth-verify")
	if err != nil {
		return fmt.Errorf("making a working folder: %w", err)
	}
	defer os.RemoveAll(work) //nolint:errcheck // a temporary folder
	again := o
	again.from = filepath.Join(work, "a", "copy")
	if err := copySource(o, again.from); err != nil {
		return err
	}
	rebuilt := filepath.Join(work, "image")
	if _, err := write(ctx, again, rebuilt, filepath.Join(work, "cache")); err != nil {
		return err
	}
	if err := compare(out, rebuilt); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: built again, every byte is the same\n", out)
	return nil
}

// copySource copies what the build reads: the two module files and the folders with the program's packages.
func copySource(o options, to string) error {
	for _, folder := range o.source {
		if err := os.CopyFS(filepath.Join(to, folder), os.DirFS(filepath.Join(o.from, folder))); err != nil {
			return fmt.Errorf("copying the source: %w", err)
		}
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(o.from, name))
		if err != nil {
			return fmt.Errorf("copying the source: %w", err)
		}
		if err := os.WriteFile(filepath.Join(to, name), text, 0o600); err != nil {
			return fmt.Errorf("copying the source: %w", err)
		}
	}
	return nil
}

// compare reports every file that is not the same in both layouts, and in the SBOMs beside them.
func compare(a, b string) error {
	filesA, err := files(a)
	if err != nil {
		return err
	}
	filesB, err := files(b)
	if err != nil {
		return err
	}
	if !slices.Equal(filesA, filesB) {
		return fmt.Errorf("%s is not what the source makes: it has %s, and built again %s", a, strings.Join(filesA, " "), strings.Join(filesB, " "))
	}
	var differing []error
	same := func(x, y string) {
		textX, errX := os.ReadFile(x)
		textY, errY := os.ReadFile(y)
		if errX != nil || errY != nil {
			differing = append(differing, errX, errY)
		} else if !bytes.Equal(textX, textY) {
			differing = append(differing, fmt.Errorf("%s is not what the source makes", x))
		}
	}
	for _, name := range filesA {
		same(filepath.Join(a, name), filepath.Join(b, name))
	}
	same(sbomFile(a), sbomFile(b))
	return errors.Join(differing...)
}

func files(dir string) ([]string, error) {
	var all []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			all = append(all, name)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", dir, err)
	}
	return all, nil
}
