package k3s

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/finding"
)

// checkUnread finds files that hold node-taint where people put them and k3s does not look.
func (e *effective) checkUnread() {
	if e.base == "" {
		return
	}
	dir := path.Dir(e.base)
	stem := strings.TrimSuffix(path.Base(e.base), path.Ext(e.base))
	for _, p := range e.candidates(dir, stem) {
		content, err := fs.ReadFile(e.FS, resolve(e.FS, p))
		if err != nil || !bytes.Contains(content, []byte(nodeTaint)) {
			continue
		}
		e.add(finding.Finding{Code: "file-ignored", Severity: finding.Warning, Source: at(p, lineOf(content)),
			Message: fmt.Sprintf("the file holds %s, and k3s does not read it: %s", nodeTaint, e.why(p)),
			Action:  "Move the file, or delete it if it is a leftover."})
	}
}

// candidates returns the files in and around the drop-in folder that k3s did not read.
func (e *effective) candidates(dir, stem string) []string {
	var paths []string
	for _, name := range []string{stem + ".yml", stem, stem + ".json"} {
		paths = append(paths, path.Join(dir, name))
	}
	for _, name := range []string{e.base + ".d", path.Join(dir, stem+".yml.d"), path.Join(dir, stem+".d")} {
		root := resolve(e.FS, name)
		_ = fs.WalkDir(e.FS, root, func(p string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() { // what cannot be listed holds nothing that we could name
				paths = append(paths, name+strings.TrimPrefix(p, root))
			}
			return nil
		})
	}
	slices.Sort(paths)
	return slices.DeleteFunc(slices.Compact(paths), func(p string) bool {
		return p == e.base || slices.Contains(e.report.Files, p) || path.Dir(p) == e.base+".d" && isConfigName(path.Base(p))
	})
}

func (e *effective) why(p string) string {
	switch dropIns := e.base + ".d"; {
	case path.Dir(p) == dropIns:
		return "its name ends neither in .yaml nor in .yml"
	case strings.HasPrefix(p, dropIns+"/"):
		return "folders below " + path.Base(dropIns) + " are not searched"
	default:
		return fmt.Sprintf("it reads %s and the folder %s", path.Base(e.base), path.Base(e.base)+".d")
	}
}

// lineOf returns the line of the first mention of node-taint.
func lineOf(content []byte) int {
	before, _, _ := bytes.Cut(content, []byte(nodeTaint))
	return bytes.Count(before, []byte("\n")) + 1
}
