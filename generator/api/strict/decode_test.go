package strict

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

type inner struct {
	Name  string            `json:"name"`
	Tags  []string          `json:"tags,omitempty"`
	Words map[string]string `json:"words,omitempty"`
}

type Mixin struct {
	Extra *inner `json:"extra,omitempty"`
}

type effect string

type outer struct {
	Kind    string `json:"kind"`
	Mixin   `json:",inline"`
	Effect  effect           `json:"effect"`
	Count   int              `json:"count"`
	Ready   bool             `json:"ready"`
	Entries []inner          `json:"entries"`
	ByName  map[string]inner `json:"byName"`
	Ignored string           `json:"-"`
	hidden  string
}

func decodeText(t *testing.T, text string, lines bool) (outer, *Index, error) {
	t.Helper()
	var node yaml.Node
	if err := yaml.Unmarshal([]byte(text), &node); err != nil {
		t.Fatal(err)
	}
	out := outer{Ignored: "kept", hidden: "kept"}
	index, err := Decode(Source{File: "f.yaml", Lines: lines}, &node, &out)
	return out, index, err
}

func TestADocumentFillsAStruct(t *testing.T) {
	got, _, err := decodeText(t, `
kind: "true"
effect: NoSchedule
count: -3
ready: true
extra: {name: x}
entries:
  - name: |
      two
      lines
    tags: [a, !!str 1, '', "null"]
  - {name: yes, words: {a.b/c: d}}
byName: {one: {name: 1st}}
`, true)
	if err != nil {
		t.Fatal(err)
	}
	want := outer{
		Kind: "true", Effect: "NoSchedule", Count: -3, Ready: true,
		Mixin: Mixin{Extra: &inner{Name: "x"}},
		Entries: []inner{
			{Name: "two\nlines\n", Tags: []string{"a", "1", "", "null"}},
			{Name: "yes", Words: map[string]string{"a.b/c": "d"}},
		},
		ByName:  map[string]inner{"one": {Name: "1st"}},
		Ignored: "kept", hidden: "kept",
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(outer{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestTheIndexSaysWhereEachFieldStood(t *testing.T) {
	_, index, err := decodeText(t, "kind: a\nentries:\n  - name: b\n    words:\n      a.b/c: d\n    tags:\n      - x\n      - y\n", true)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]Position{
		"":                        {"f.yaml", 1, 1},
		"kind":                    {"f.yaml", 1, 7},
		"entries":                 {"f.yaml", 2, 1},
		"entries[0]":              {"f.yaml", 3, 5},
		"entries[0].words[a.b/c]": {"f.yaml", 5, 14},
		"entries[0].tags":         {"f.yaml", 6, 5},
		"entries[0].tags[1]":      {"f.yaml", 8, 9},
		"entries[0].words[other]": {"f.yaml", 4, 5}, // not written: the nearest that is
		"effect":                  {"f.yaml", 1, 1},
	} {
		if got := index.Position(path); got != want {
			t.Errorf("%s stood at %+v, want %+v", path, got, want)
		}
	}
	if !index.Has("entries[0].name") || index.Has("effect") {
		t.Error("the index does not know which fields were written")
	}
	var none *Index
	if none.Position("kind") != (Position{}) || none.Has("kind") {
		t.Error("a nil index knows positions")
	}
}

func TestEachFaultIsNamedWithItsPlace(t *testing.T) {
	for text, want := range map[string]string{
		"knd: a":                       `f.yaml:1: knd: unknown field "knd": did you mean kind?`,
		"dikn: a":                      `f.yaml:1: dikn: unknown field "dikn": did you mean kind?`,
		"by_name: {}":                  `f.yaml:1: by_name: unknown field "by_name": did you mean byName?`,
		"hidden: a":                    `f.yaml:1: hidden: unknown field "hidden": the fields here are kind, extra, effect, count, ready, entries, byName`,
		"Ignored: a":                   `f.yaml:1: Ignored: unknown field "Ignored": the fields here are kind, extra, effect, count, ready, entries, byName`,
		"name: a":                      `f.yaml:1: name: unknown field "name": it belongs below extra`,
		"extra: {ready: true}":         `f.yaml:1: extra.ready: unknown field "ready": it belongs one level up`,
		"entries: [{ready: x}]":        `f.yaml:1: entries[0].ready: unknown field "ready": it belongs one level up`,
		"kind: a\nkind: b":             `f.yaml:2: kind: the key was given before on line 1: YAML readers differ in which of the two they keep, so remove one`,
		"extra: {words: {a: b, a: b}}": `f.yaml:1: extra.words.a: the key was given before on line 1: YAML readers differ in which of the two they keep, so remove one`,
		"kind: true":                   `f.yaml:1: kind: text belongs here, and YAML reads true as a boolean: quote it, "true"`,
		"kind: 0644":                   `f.yaml:1: kind: text belongs here, and YAML reads 0644 as a number: quote it, "0644"`,
		"kind: 1e3":                    `f.yaml:1: kind: text belongs here, and YAML reads 1e3 as a number: quote it, "1e3"`,
		"kind: ~":                      `f.yaml:1: kind: text belongs here, and YAML reads ~ as null: quote it, "~"`,
		"kind:":                        `f.yaml:1: kind: has no value: give it one, or remove the line`,
		"kind: !!int '3'":              `f.yaml:1: kind: text belongs here, this is a number`,
		"kind: !!binary YQ==":          `f.yaml:1: kind: text belongs here, this is a value with the tag !!binary`,
		"kind: [a]":                    `f.yaml:1: kind: text belongs here, this is a list`,
		"effect: 1":                    `f.yaml:1: effect: text belongs here, and YAML reads 1 as a number: quote it, "1"`,
		"ready: 'true'":                `f.yaml:1: ready: true or false belongs here, without quotes, this is text`,
		"ready: yes":                   `f.yaml:1: ready: true or false belongs here, without quotes, this is text`,
		"ready: !!bool maybe":          `f.yaml:1: ready: true or false belongs here, this is maybe`,
		"count: '1'":                   `f.yaml:1: count: a whole number belongs here, without quotes, this is text`,
		"count: 1.5":                   `f.yaml:1: count: a whole number in decimal digits belongs here, this is 1.5`,
		"count: 010":                   `f.yaml:1: count: a whole number in decimal digits belongs here, this is 010`,
		"count: 99999999999999999999":  `f.yaml:1: count: a whole number in decimal digits belongs here, this is 99999999999999999999`,
		"entries: {name: a}":           `f.yaml:1: entries: a list belongs here, this is a map: begin each entry with "- "`,
		"entries: a":                   `f.yaml:1: entries: a list belongs here, this is text`,
		"entries: [a]":                 `f.yaml:1: entries[0]: a map of fields belongs here, this is text: its fields are name, tags, words`,
		"entries:":                     `f.yaml:1: entries: has no value: write its entries, [] for none, or remove the line`,
		"entries: !!set {a: }":         `f.yaml:1: entries: a list belongs here, this is a map: begin each entry with "- "`,
		"extra:":                       `f.yaml:1: extra: has no value: give it fields, or remove the line`,
		"extra: {tags: a}":             `f.yaml:1: extra.tags: a list belongs here, this is text: write [a]`,
		"extra: {words: [a]}":          `f.yaml:1: extra.words: a map of fields belongs here, this is a list`,
		"extra: {words: {a: 1}}":       `f.yaml:1: extra.words.a: text belongs here, and YAML reads 1 as a number: quote it, "1"`,
		"extra: {words: {1: a}}":       `f.yaml:1: extra.words: the key 1 is a number: quote it as "1"`,
		"extra: {words: {[a]: b}}":     `f.yaml:1: extra.words: a key must be plain text, this one is a list`,
		"extra: !x {name: a}":          `f.yaml:1: extra: a map of fields belongs here, this is a value with the tag !x: its fields are name, tags, words`,
		"[a]":                          `f.yaml:1: a map of fields belongs here, this is a list: its fields are kind, extra, effect, count, ready, entries, byName`,
		"":                             `f.yaml: the document is empty`,
		"kind: &a x":                   `f.yaml:1: kind: the anchor &a is not supported here: kustomize and kpt expand references differently, so write the value out`,
		"&a kind: x":                   `f.yaml:1: the anchor &a is not supported here: kustomize and kpt expand references differently, so write the value out`,
	} {
		if _, _, err := decodeText(t, text, true); err == nil || err.Error() != want {
			t.Errorf("%s\ngot  %v\nwant %s", text, err, want)
		}
	}
}

func TestAllFaultsAreReportedInTheOrderOfTheFile(t *testing.T) {
	_, _, err := decodeText(t, "kind: 1\nkind: 2\nextra: {nam: a, tags: b}\nready: 1\n", true)
	var lines []int
	for _, p := range AsProblems(err) {
		lines = append(lines, p.Line*100+p.Column)
	}
	if diff := cmp.Diff([]int{107, 201, 309, 323, 408}, lines); diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

func TestWithoutLinesNoMessageNamesOne(t *testing.T) {
	_, _, err := decodeText(t, "kind: a\nkind: b\nready: 1\n", false)
	want := "f.yaml: kind: the key was given before: YAML readers differ in which of the two they keep, so remove one\n" +
		"f.yaml: ready: true or false belongs here, without quotes, this is a number"
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

func TestAnAliasIsNeverFollowed(t *testing.T) {
	bomb := "a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\n"
	_, _, err := decodeText(t, bomb, true)
	if problems := AsProblems(err); len(problems) != 7 {
		t.Errorf("%d problems: %v", len(problems), err)
	}
}

func TestATypeThatIsNotSupportedIsAMistakeInTheProgram(t *testing.T) {
	for name, out := range map[string]any{
		"a field of an unknown type": &struct {
			F float64 `json:"f"`
		}{},
		"no pointer":             outer{},
		"no pointer to a struct": new(string),
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("it was decoded")
				}
			}()
			var node yaml.Node
			if err := yaml.Unmarshal([]byte("f: 1"), &node); err != nil {
				t.Fatal(err)
			}
			_, _ = Decode(Source{}, &node, out)
		})
	}
}
