package live

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// codes are the places where the package gives a finding its code.
var codes = regexp.MustCompile(`(?:finding\.(?:Error|Warning|Info), |severity, |fault\([^"]*|miss\([^"]*|note\(|unsafe\([^"]*|Code: )"([a-z]+(?:-[a-z]+)+)"`)

func TestEveryCodeStandsInTheDocumentation(t *testing.T) {
	page, err := os.ReadFile("../../docs/live.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range codes.FindAllStringSubmatch(string(text), -1) {
			found[match[1]] = true
		}
	}
	if len(found) < 25 {
		t.Errorf("only %d codes were found: the test no longer sees them", len(found))
	}
	for code := range found {
		if !strings.Contains(string(page), "`"+code+"`") {
			t.Errorf("docs/live.md does not name %s", code)
		}
	}
}
