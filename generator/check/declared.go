package check

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/api/strict"
	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
)

// Declared is what files of Berth's kinds say.
type Declared struct {
	Intents  []*v1alpha1.TaintIntent
	Plugins  []*v1alpha1.DevicePlugin
	Evidence []*v1alpha1.DeviceEvidence
}

func (d *Declared) add(more *Declared) {
	d.Intents = append(d.Intents, more.Intents...)
	d.Plugins = append(d.Plugins, more.Plugins...)
	d.Evidence = append(d.Evidence, more.Evidence...)
}

// own is what a repository's files of Berth's kinds say, by file.
type own struct {
	named  []string // by spec.intents
	files  []string // all, sorted
	byFile map[string]*Declared
	proofs map[string][]string // files of evidence that the plugins in a file name
	broken []Finding
}

// readOwn reads the files that the RenderCheck names, or all of the repository where it names none.
func readOwn(s *Setup) (*own, error) {
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	defer root.Close() //nolint:errcheck // it was only read
	o := &own{named: s.Check.Spec.Intents, byFile: map[string]*Declared{}, proofs: map[string][]string{}}
	files := slices.Clone(o.named)
	for _, e := range s.Check.Spec.Environments {
		files = append(files, e.Intents...)
	}
	for _, g := range s.Check.Spec.Generated {
		files = append(append(files, g.Intents...), g.NodesFrom...)
	}
	if len(files) == 0 {
		if files, err = search(root.FS()); err != nil {
			return nil, fmt.Errorf("look for intents: %w", err)
		}
	}
	for _, file := range files {
		if err := o.read(root.FS(), path.Clean(file)); err != nil {
			return nil, fmt.Errorf("read intents: %w", err)
		}
	}
	slices.Sort(o.files)
	return o, nil
}

func (o *own) read(fsys fs.FS, file string) error {
	if slices.Contains(o.files, file) {
		return nil
	}
	text, err := fs.ReadFile(fsys, file)
	if err != nil {
		return err
	}
	d := &Declared{}
	o.byFile[file] = d
	o.files = append(o.files, file)
	for _, read := range []func() error{
		func() (err error) { d.Intents, err = v1alpha1.ReadTaintIntents(file, text); return err },
		func() (err error) { d.Plugins, err = v1alpha1.ReadDevicePlugins(file, text); return err },
		func() (err error) { d.Evidence, err = v1alpha1.ReadDeviceEvidence(file, text); return err },
	} {
		o.refuse(file, read())
	}
	for _, plugin := range d.Plugins {
		if plugin.Spec.Evidence != "" {
			o.evidence(fsys, file, path.Join(path.Dir(file), plugin.Spec.Evidence))
		}
	}
	return nil
}

// evidence reads the file that a plugin names; one that is missing is for a rule to tell.
func (o *own) evidence(fsys fs.FS, of, file string) {
	text, err := fs.ReadFile(fsys, file)
	if err != nil {
		return
	}
	o.proofs[of] = append(o.proofs[of], file)
	if o.byFile[file] == nil {
		seen, err := v1alpha1.ReadDeviceEvidence(file, text)
		o.refuse(file, err)
		o.byFile[file] = &Declared{Evidence: seen}
	}
}

// gather returns what files say, with the evidence that their plugins name, each file once.
func (o *own) gather(files []string) *Declared {
	d := &Declared{}
	taken := map[string]bool{}
	for _, file := range files {
		if one := o.byFile[path.Clean(file)]; one != nil && !taken[path.Clean(file)] {
			taken[path.Clean(file)] = true
			d.add(one)
		}
	}
	for _, file := range files {
		for _, proof := range o.proofs[path.Clean(file)] {
			if !taken[proof] {
				taken[proof] = true
				d.Evidence = append(d.Evidence, o.byFile[proof].Evidence...)
			}
		}
	}
	return d
}

// refuse turns what is wrong with a file into findings.
func (o *own) refuse(file string, err error) {
	var problems strict.Problems
	if !errors.As(err, &problems) {
		return
	}
	for _, p := range problems {
		f := At(finding.Source{File: file, Line: p.Line}, p.Message, "correct the file: nothing that it says is checked as long as it cannot be read")
		f.Field = p.Path
		if !slices.ContainsFunc(o.broken, func(known Finding) bool { return known.Source == f.Source && known.Message == f.Message }) {
			o.broken = append(o.broken, f)
		}
	}
}

// of returns what holds for an environment: the files that are named for it or for all. Where none are named, a file below
// an environment's folder holds for that one alone.
func (o *own) of(e v1alpha1.CheckedEnvironment, all []v1alpha1.CheckedEnvironment) *Declared {
	var files []string
	for _, file := range o.files {
		named := slices.ContainsFunc(slices.Concat(o.named, e.Intents), func(n string) bool { return path.Clean(n) == file })
		if named || !o.anyNamed(all) && o.holds(file, e, all) {
			files = append(files, file)
		}
	}
	return o.gather(files)
}

func (o *own) anyNamed(all []v1alpha1.CheckedEnvironment) bool {
	return len(o.named) > 0 || slices.ContainsFunc(all, func(e v1alpha1.CheckedEnvironment) bool { return len(e.Intents) > 0 })
}

func (o *own) holds(file string, e v1alpha1.CheckedEnvironment, all []v1alpha1.CheckedEnvironment) bool {
	return isBelow(file, e.Path) || !slices.ContainsFunc(all, func(other v1alpha1.CheckedEnvironment) bool { return isBelow(file, other.Path) })
}

// notIntended are folders whose intents are samples.
var notIntended = []string{"example", "examples", "node_modules", "test", "testdata", "tests", "vendor"}

// search finds the files that hold one of Berth's kinds, outside of folders with samples.
func search(fsys fs.FS) ([]string, error) {
	var files []string
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		base := entry.Name()
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && (strings.HasPrefix(base, ".") || slices.Contains(notIntended, base)):
			return fs.SkipDir
		case !entry.Type().IsRegular() || path.Ext(base) != ".yaml" && path.Ext(base) != ".yml":
			return nil
		}
		text, err := fs.ReadFile(fsys, name)
		if err == nil && holdsOwnKind(string(text)) {
			files = append(files, name)
		}
		return err
	})
	return files, err
}

// holdsOwnKind says whether a text has an object of Berth's at the top level, other than a RenderCheck.
func holdsOwnKind(text string) bool {
	if !strings.Contains(text, "\napiVersion: "+v1alpha1.GroupVersion) && !strings.HasPrefix(text, "apiVersion: "+v1alpha1.GroupVersion) {
		return false
	}
	for _, kind := range []string{v1alpha1.KindTaintIntent, v1alpha1.KindDevicePlugin, v1alpha1.KindDeviceEvidence} {
		if strings.Contains(text, "\nkind: "+kind) {
			return true
		}
	}
	return false
}
