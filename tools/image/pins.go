package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// pins finds where the files of some folders name an image of a version, with its digest or without.
type pins struct {
	folders []string
	write   bool // put the digest right; otherwise a wrong one is an error
}

// hold holds every place against the digest, which is written sha256:HEX.
func (p pins) hold(image, version, digest string) error {
	reference := regexp.MustCompile(regexp.QuoteMeta(repository+image+":"+version) + `(@sha256:[0-9a-f]+)?\b`)
	want := repository + image + ":" + version + "@" + digest
	found := 0
	var wrong []error
	err := p.each(func(file string, text []byte) error {
		changed := false
		for _, at := range reference.FindAllIndex(text, -1) {
			found++
			if got := string(text[at[0]:at[1]]); got != want {
				changed = true
				line := strings.Count(string(text[:at[0]]), "\n") + 1
				wrong = append(wrong, fmt.Errorf("%s:%d: %s: the source makes %s: run make image-pin", file, line, got, digest))
			}
		}
		if !changed || !p.write {
			return nil
		}
		return os.WriteFile(file, reference.ReplaceAllLiteral(text, []byte(want)), 0o644) //nolint:gosec // a file of the repository
	})
	switch {
	case err != nil:
		return fmt.Errorf("looking for pinned images: %w", err)
	case found == 0:
		return fmt.Errorf("nothing in %s pins %s", strings.Join(p.folders, ", "), repository+image+":"+version)
	case p.write:
		return nil
	}
	return errors.Join(wrong...)
}

// each reads every file of the folders, in the order of their names.
func (p pins) each(visit func(file string, text []byte) error) error {
	for _, folder := range p.folders {
		err := filepath.WalkDir(folder, func(file string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return err
			}
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			return visit(file, text)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
