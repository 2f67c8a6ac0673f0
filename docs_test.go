package berth_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
)

// Everything that a page shows is executed: `sh` blocks as a script, `console` blocks command by command with the output
// that follows ("..." stands for any lines), in a copy of the folder that the last `<!-- run in DIR -->` names. A block
// that cannot be run says so in a `<!-- not run: REASON -->` before it. A `yaml` block with a kind of Berth's must be a
// valid one.
func TestWhatThePagesShow(t *testing.T) {
	tools := buildTools(t)
	for _, page := range pages(t) {
		t.Run(page, func(t *testing.T) {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			p := &reader{tools: tools, folders: map[string]string{}}
			for _, b := range blocks(string(text)) {
				t.Run(fmt.Sprintf("line %d", b.line), func(t *testing.T) { p.check(t, b) })
			}
		})
	}
}

func pages(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"README.md", "docs/*.md", "docs/*/*.md", "examples/*/README.md", "clusters/README.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, found...)
	}
	return all
}

// block is one fenced block of a page.
type block struct {
	line     int
	language string
	lines    []string
	dir      string // where it runs; empty: nowhere was named
	skip     string // why it does not run
}

var (
	runIn  = regexp.MustCompile(`^<!-- run in (\S+) -->$`)
	notRun = regexp.MustCompile(`^<!-- not run: (.+) -->$`)
)

func blocks(page string) []block {
	var all []block
	var dir, skip string
	open := false
	for i, line := range strings.Split(page, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case open && trimmed == "```":
			open = false
		case open:
			last := &all[len(all)-1]
			last.lines = append(last.lines, line)
		case strings.HasPrefix(trimmed, "```"):
			all = append(all, block{line: i + 1, language: trimmed[3:], dir: dir, skip: skip})
			open, skip = true, ""
		case runIn.MatchString(trimmed):
			dir = runIn.FindStringSubmatch(trimmed)[1]
		case notRun.MatchString(trimmed):
			skip = notRun.FindStringSubmatch(trimmed)[1]
		}
	}
	return all
}

// reader runs the blocks of one page, which share the copies of the folders.
type reader struct {
	tools   string
	folders map[string]string
}

func (r *reader) check(t *testing.T, b block) {
	switch b.language {
	case "yaml":
		text := strings.Join(b.lines, "\n")
		if b.skip == "" {
			checkKinds(t, text)
		}
	case "sh", "console":
		if b.skip != "" {
			return
		}
		if b.dir == "" {
			t.Fatal("no <!-- run in DIR --> stands before this block, and no <!-- not run: REASON -->")
		}
		if b.language == "sh" {
			r.script(t, b)
		} else {
			r.console(t, b)
		}
	}
}

// checkKinds reads Berth's own kinds in a block.
func checkKinds(t *testing.T, text string) {
	t.Helper()
	for kind, read := range map[string]func(string, []byte) error{
		v1alpha1.KindTaintIntent:    func(f string, d []byte) error { _, err := v1alpha1.ReadTaintIntents(f, d); return err },
		v1alpha1.KindDevicePlugin:   func(f string, d []byte) error { _, err := v1alpha1.ReadDevicePlugins(f, d); return err },
		v1alpha1.KindDeviceEvidence: func(f string, d []byte) error { _, err := v1alpha1.ReadDeviceEvidence(f, d); return err },
		v1alpha1.KindRenderCheck:    func(f string, d []byte) error { _, err := v1alpha1.ReadRenderChecks(f, d); return err },
	} {
		if strings.Contains(text, "kind: "+kind) {
			if err := read("block", []byte(text)); err != nil {
				t.Error(err)
			}
		}
	}
}

func (r *reader) script(t *testing.T, b block) {
	if out, err := r.sh(t, b.dir, "set -eu\n"+strings.Join(b.lines, "\n")); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func (r *reader) console(t *testing.T, b block) {
	for at := 0; at < len(b.lines); {
		command, ok := strings.CutPrefix(b.lines[at], "$ ")
		if !ok {
			t.Fatalf("line %d: a console block begins with a command: $ ...", b.line+at+1)
		}
		for at++; at < len(b.lines) && strings.HasSuffix(command, `\`); at++ {
			command += "\n" + b.lines[at]
		}
		var want []string
		for ; at < len(b.lines) && !strings.HasPrefix(b.lines[at], "$ "); at++ {
			want = append(want, b.lines[at])
		}
		out, err := r.sh(t, b.dir, command)
		if len(want) == 0 {
			if err != nil {
				t.Errorf("$ %s: %v\n%s", command, err, out)
			}
			continue
		}
		if !matches(want, out) {
			t.Errorf("$ %s: -page +printed:\n%s", command, cmp.Diff(strings.Join(want, "\n"), strings.TrimRight(out, "\n")))
		}
	}
}

// matches compares lines, where "..." stands for any number of them.
func matches(want []string, got string) bool {
	var pattern strings.Builder
	for _, line := range want {
		if strings.TrimSpace(line) == "..." {
			pattern.WriteString(`(.*\n)*`)
			continue
		}
		pattern.WriteString(regexp.QuoteMeta(strings.TrimRight(line, " ")) + ` *\n`)
	}
	return regexp.MustCompile(`^` + pattern.String() + `\n*$`).MatchString(strings.TrimRight(got, "\n") + "\n")
}

func (r *reader) sh(t *testing.T, dir, script string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", script)
	cmd.Dir = r.folder(t, dir)
	cmd.Env = append(os.Environ(), "PATH="+r.tools+string(os.PathListSeparator)+os.Getenv("PATH"), "NO_COLOR=1")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// folder copies a folder of the repository, once for each page.
func (r *reader) folder(t *testing.T, dir string) string {
	t.Helper()
	if r.folders[dir] == "" {
		parent, err := os.MkdirTemp("", "page")
		if err != nil {
			t.Fatal(err)
		}
		copied := filepath.Join(parent, filepath.Base(dir))
		if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		r.folders[dir] = copied
	}
	return r.folders[dir]
}

// buildTools makes a folder with berth and kustomize, as a reader has them on the PATH.
func buildTools(t *testing.T) string {
	t.Helper()
	kustomize := os.Getenv("BERTH_KUSTOMIZE")
	if kustomize == "" {
		t.Skip("SKIPPED: BERTH_KUSTOMIZE does not name a kustomize; `make test` builds one")
	}
	dir := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", dir, "./functions/berth").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.Symlink(kustomize, filepath.Join(dir, "kustomize")); err != nil {
		t.Fatal(err)
	}
	return dir
}
