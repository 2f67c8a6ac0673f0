package strict

import (
	"fmt"
	"testing"
)

func TestAProblemIsOneLineWithWhatIsKnown(t *testing.T) {
	for want, p := range map[string]Problem{
		"f.yaml:3: a.b: is wrong": {File: "f.yaml", Line: 3, Column: 1, Path: "a.b", Message: "is wrong"},
		"f.yaml: a.b: is wrong":   {File: "f.yaml", Path: "a.b", Message: "is wrong"},
		"line 3: is wrong":        {Line: 3, Message: "is wrong"},
		"a.b: is wrong":           {Path: "a.b", Message: "is wrong"},
		"is wrong":                {Message: "is wrong"},
	} {
		if got := p.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestProblemsAreSortedAndEachIsSaidOnce(t *testing.T) {
	problems := Problems{
		{File: "b", Line: 1, Message: "4"},
		{File: "a", Line: 10, Message: "3"},
		{File: "a", Line: 2, Column: 9, Message: "2"},
		{File: "a", Line: 2, Column: 3, Message: "1"},
		{File: "a", Line: 2, Column: 3, Message: "1"},
		{File: "a", Message: "z found first"},
		{File: "a", Message: "y found second"},
	}
	want := "a: z found first\na: y found second\na:2: 1\na:2: 2\na:10: 3\nb:1: 4"
	if got := problems.Err().Error(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if problems[0].Message != "4" {
		t.Error("sorting changed the caller's list")
	}
	if err := (Problems{}).Err(); err != nil {
		t.Errorf("no problem is %v", err)
	}
	if got := AsProblems(fmt.Errorf("reading: %w", problems.Err())); len(got) != 6 {
		t.Errorf("%d problems inside a wrapped error", len(got))
	}
}

func TestPathsAreWrittenAsTheAPIServerWritesThem(t *testing.T) {
	for want, got := range map[string]string{
		"a":              Child("", "a"),
		"a.b":            Child("a", "b"),
		"a[x.y/z]":       Child("a", "x.y/z"),
		"a[]":            Child("a", ""),
		"a[3]":           Item("a", 3),
		"a[3].b":         Child(Item("a", 3), "b"),
		"parent a.b":     "parent " + parent("a.b.c"),
		"parent a":       "parent " + parent("a[x.y/z]"),
		"parent a[3]":    "parent " + parent("a[3].b"),
		"parent ":        "parent " + parent("a"),
		"parent of that": "parent of that",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestTheNearestWordIsTheOneThatWasMeant(t *testing.T) {
	effects := []string{"NoSchedule", "PreferNoSchedule", "NoExecute"}
	for word, want := range map[string]string{
		"NoSchedul": "NoSchedule", "noschedule": "NoSchedule", "no_execute": "NoExecute", "prefer-no-schedule": "PreferNoSchedule",
		"NoScheudle": "NoSchedule", "NoExcute": "NoExecute", "Evict": "", "": "",
	} {
		if got := Nearest(word, effects); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
	for word, want := range map[string]string{"wls": "wsl", "wsl2": "wsl", "gpu": "", "w": ""} {
		if got := Nearest(word, []string{"wsl"}); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}
