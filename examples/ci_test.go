package examples_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// Each command line with `berth check` in the files below ci/ runs: its flags exist, and in the small repository it finds
// something or is told to find nothing.
func TestTheCommandsOfTheWorkflowsRun(t *testing.T) {
	berth := filepath.Join(t.TempDir(), "berth")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", berth, "../functions/berth").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	repository := inGit(t)
	commands := regexp.MustCompile(`(?m)berth (check [^>\n]*)`)
	ran := 0
	for _, file := range []string{"ci/github.yaml", "ci/forgejo.yaml"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var workflow map[string]any
		if err := yaml.UnmarshalStrict(text, &workflow); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		for _, match := range commands.FindAllStringSubmatch(string(text), -1) {
			ran++
			command := strings.ReplaceAll(match[1], `"origin/$BASE"`, "base")
			cmd := exec.CommandContext(t.Context(), berth, strings.Fields(command)...)
			cmd.Dir = repository
			out, err := cmd.CombinedOutput()
			want := 1
			if strings.Contains(command, "--fail-on never") {
				want = 0
			}
			if got := cmd.ProcessState.ExitCode(); got != want {
				t.Errorf("%s: berth %s: exit status %d, want %d (%v)\n%s", file, command, got, want, err, out)
			}
		}
	}
	if ran != 4 {
		t.Errorf("%d commands ran", ran)
	}
}

func TestTheHookExists(t *testing.T) {
	var config struct {
		Repos []struct {
			Hooks []struct{ ID string }
		}
	}
	var offered []struct{ ID, Entry, Language string }
	for file, into := range map[string]any{"ci/pre-commit-config.yaml": &config, "../.pre-commit-hooks.yaml": &offered} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := yaml.Unmarshal(text, into); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	if len(offered) != 1 || len(config.Repos) != 1 || config.Repos[0].Hooks[0].ID != offered[0].ID || offered[0].Entry != "berth check" {
		t.Errorf("%+v offers %+v", offered, config)
	}
}

// inGit makes a Git repository of ci/repository, with a branch base from which the last commit began.
func inGit(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("ci/repository")); err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	for _, args := range [][]string{
		{"init", "-q", "-b", "base"}, {"add", "clusters", "berth.yaml"}, {"commit", "-q", "-m", "base"},
		{"checkout", "-q", "-b", "change"}, {"add", "."}, {"commit", "-q", "-m", "change"},
	} {
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	return dir
}
