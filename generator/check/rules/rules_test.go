package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/bundle"
	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/render"
	"github.com/berth-dev/berth/generator/stamp"
	"github.com/berth-dev/berth/internal/golden"
)

// today is the day of every case.
var today = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// Each rule has a repository in which it finds what its golden file says, and one in which no rule finds anything.
func TestEveryRuleHasAFailingAndAPassingCase(t *testing.T) {
	for _, rule := range All() {
		t.Run(rule.Code+"/bad", func(t *testing.T) {
			var lines []string
			for _, f := range findingsIn(t, rule.Code, "bad") {
				if f.Code == rule.Code {
					lines = append(lines, line(f))
				}
			}
			if len(lines) == 0 {
				t.Fatal("the rule finds nothing")
			}
			golden.Check(t, filepath.Join("testdata", rule.Code, "bad.golden"), strings.Join(lines, "\n")+"\n")
		})
		t.Run(rule.Code+"/good", func(t *testing.T) {
			for _, f := range findingsIn(t, rule.Code, "good") {
				t.Error(line(f))
			}
		})
	}
}

func TestEveryCaseBelongsToARule(t *testing.T) {
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if _, err := Find(entry.Name()); err != nil {
			t.Error(err)
		}
	}
}

func line(f check.Finding) string {
	text := f.String()
	if len(f.Environments) > 0 {
		text += " (" + strings.Join(f.Environments, ", ") + ")"
	}
	return text
}

// findingsIn runs all rules over the repository of a case.
func findingsIn(t *testing.T, code, name string) []check.Finding {
	t.Helper()
	dir := t.TempDir()
	archive, err := txtar.ParseFile(filepath.Join("testdata", code, name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range archive.Files {
		if !strings.HasPrefix(file.Name, "@") {
			write(t, dir, file.Name, file.Data)
		}
	}
	if i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == "@GENERATE@" }); i >= 0 {
		generate(t, dir, strings.TrimSpace(string(archive.Files[i].Data)))
	}
	return findings(t, dir)
}

// defaultCheck is the berth.yaml of a case that has none.
const defaultCheck = "apiVersion: berth.dev/v1alpha1\nkind: RenderCheck\nmetadata: {name: test}\nspec:\n  environments: [{name: dev, path: clusters/dev}]\n"

func findings(t *testing.T, dir string) []check.Finding {
	t.Helper()
	return checked(t, dir).Findings
}

func checked(t *testing.T, dir string) *check.Result {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dir, check.FileName)); err != nil {
		write(t, dir, check.FileName, []byte(defaultCheck))
	}
	setup, err := check.Find(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	repository, err := check.Open(t.Context(), setup, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer repository.Checkout.Close() //nolint:errcheck // it was only read
	result := check.Run(repository, All())
	result.WithoutIgnored(repository.Check, today)
	return result
}

// write writes a file of a case. @RECORD@ stands for the record of the smallest intent of the cases.
func write(t *testing.T, dir, name string, content []byte) {
	t.Helper()
	text := string(content)
	if strings.Contains(text, "@RECORD@") {
		text = strings.ReplaceAll(text, "@RECORD@", record(t))
	}
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func record(t *testing.T) string {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/record-missing/good.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range archive.Files {
		if file.Name != "taints.yaml" {
			continue
		}
		intents, err := v1alpha1.ReadTaintIntents(file.Name, file.Data)
		if err != nil {
			t.Fatal(err)
		}
		node, err := stamp.ConfigMaps(intents[0])[0].Node()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(node.MustString())
	}
	t.Fatal("no intent")
	return ""
}

// generate writes what berth generate would write, and damages it when the case says so.
func generate(t *testing.T, dir, how string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "taints.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	intents, err := v1alpha1.ReadTaintIntents("taints.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	items, err := render.Build(filepath.Join(dir, "base"))
	if err != nil {
		t.Fatal(err)
	}
	from := filepath.Join(dir, "base")
	files, _, err := bundle.Files(intents, []bundle.Render{bundle.ReadRender(from, items)})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		content := file.Content
		if how == "edit" {
			if strings.HasSuffix(file.Path, ".sh") {
				continue
			}
			content = []byte(strings.ReplaceAll(string(content), "flaky", "edited"))
		}
		write(t, dir, "generated/"+file.Path, content)
		if err := os.Chmod(filepath.Join(dir, "generated", filepath.FromSlash(file.Path)), file.Mode); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCodesTitlesAndHelp(t *testing.T) {
	seen := map[string]bool{}
	for _, rule := range All() {
		switch {
		case seen[rule.Code]:
			t.Errorf("%s is there twice", rule.Code)
		case rule.Title == "" || strings.HasSuffix(rule.Title, "."):
			t.Errorf("%s: title %q", rule.Code, rule.Title)
		case len(rule.Help) < 100:
			t.Errorf("%s: its help says little", rule.Code)
		case !slices.Contains(check.Groups(), rule.Group):
			t.Errorf("%s: group %q", rule.Code, rule.Group)
		}
		for n, text := range strings.Split(rule.Help, "\n") {
			if len(text) > 130 {
				t.Errorf("%s: line %d of its help has %d characters", rule.Code, n+1, len(text))
			}
		}
		seen[rule.Code] = true
	}
}

func TestAMisspelledCodeIsNamed(t *testing.T) {
	_, err := Find("substitution-mising")
	if want := fmt.Sprintf("there is no rule %q: did you mean substitution-missing?", "substitution-mising"); err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
}
