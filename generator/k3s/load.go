package k3s

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/header"
)

// loadedFile is a configuration file that was read.
type loadedFile struct {
	path    string
	ours    bool
	entries []entry
}

// config is everything that stands in the configuration files of a node.
type config struct {
	files    []loadedFile
	merged   merged
	findings []Finding
}

// load reads a base file and its drop-ins as k3s does: the base first, then the files of <base>.d whose names end in
// .yaml or .yml in any case, in bytewise order; no recursion; dot-files count. Either may be absent. What would stop k3s
// becomes a finding, and reading goes on with the next file; an error is what kept us from reading.
func load(fsys fs.FS, base string) (*config, error) {
	c := &config{}
	paths, err := c.list(fsys, base)
	if err != nil {
		return nil, err
	}
	for _, p := range paths {
		content, err := fs.ReadFile(fsys, resolve(fsys, p))
		switch {
		case errors.Is(err, fs.ErrPermission):
			return nil, fmt.Errorf("reading the configuration: %w", err)
		case errors.Is(err, fs.ErrNotExist):
			// k3s takes any "does not exist" for "there is no configuration", even for one file of several.
			return c.ignoreAll(p), nil
		case err != nil:
			c.stop("config-unreadable", finding.Source{File: p}, fmt.Sprintf("the file cannot be read: %v", cause(err)),
				"Replace it by a regular file, or move it out of the folder.")
			continue
		}
		c.read(p, content)
	}
	return c, nil
}

func (c *config) list(fsys fs.FS, base string) ([]string, error) {
	paths, err := dropIns(fsys, base+".d")
	if errors.Is(err, fs.ErrPermission) {
		return nil, fmt.Errorf("reading the configuration: %w", err)
	}
	if err != nil {
		c.stop("config-unreadable", finding.Source{File: base + ".d"}, fmt.Sprintf("the folder cannot be read: %v", cause(err)),
			"Make it a folder.")
	}
	if _, err := fs.Stat(fsys, resolve(fsys, base)); err == nil {
		paths = slices.Insert(paths, 0, base)
	} else if errors.Is(err, fs.ErrPermission) {
		return nil, fmt.Errorf("reading the configuration: %w", err)
	}
	return paths, nil
}

// dropIns returns the files of a drop-in folder that k3s reads, in its order. A folder that is absent has none.
func dropIns(fsys fs.FS, dir string) ([]string, error) {
	entries, err := fs.ReadDir(fsys, resolve(fsys, dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, e := range entries { // fs.ReadDir sorts by name, bytewise
		if !e.IsDir() && isConfigName(e.Name()) {
			paths = append(paths, path.Join(dir, e.Name()))
		}
	}
	return paths, nil
}

func isConfigName(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

func (c *config) read(p string, content []byte) {
	entries, err := parseFile(content)
	if err != nil {
		action := "Write one `flag-name: value` per line."
		if strings.Contains(err.message, "cannot start any token") {
			action = "Indent with spaces: YAML allows no tabs there."
		}
		c.stop("config-invalid", at(p, err.line), err.message, action)
	}
	c.files = append(c.files, loadedFile{path: p, ours: header.IsOurs(content), entries: entries})
	for _, e := range entries {
		c.merged.add(p, e)
	}
}

func (c *config) ignoreAll(p string) *config {
	return &config{findings: append(c.findings, Finding{Finding: finding.Finding{
		Code: "config-ignored", Severity: finding.Error, Source: finding.Source{File: p},
		Message: "the link leads nowhere, and k3s then starts without any of its configuration files",
		Action:  "Repair the link, or remove it.",
	}})}
}

func (c *config) stop(code string, src finding.Source, message, action string) {
	c.findings = append(c.findings, Finding{finding.Finding{
		Code: code, Severity: finding.Error, Source: src, Message: message, Action: action,
	}, true})
}

// cause is the innermost reason of a file system error, without the path that the finding names already.
func cause(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}
