package strict

import "testing"

func TestAFileIsSplitIntoItsDocuments(t *testing.T) {
	for text, want := range map[string][]int{
		"":                                    nil,
		"# only a comment\n":                  nil,
		"---\n---\n":                          nil,
		"a: 1\n":                              {1},
		"---\na: 1\n---\n# x\n---\nb: 2":      {2, 6},
		"a: 1\n...\n---\nb: 2\n":              {1, 4},
		"\xef\xbb\xbfa: 1\r\n---\r\nb: 2\r\n": {1, 3},
		"%YAML 1.1\n---\na: 1\n":              {3},
	} {
		nodes, err := Documents("f.yaml", []byte(text))
		if err != nil || len(nodes) != len(want) {
			t.Errorf("%q: %d documents, %v", text, len(nodes), err)
			continue
		}
		for i, node := range nodes {
			if node.Line != want[i] {
				t.Errorf("%q: document %d begins on line %d, want %d", text, i, node.Line, want[i])
			}
		}
	}
}

func TestWhatIsNoYAMLIsRefusedWithItsLine(t *testing.T) {
	const (
		colon = "; quote text with a colon and a space in it, and look at the indentation"
		token = "; indent with spaces, not tabs, and quote text that begins with @ or `"
		block = "; look at the indentation and the quotes on this line and in the block that it begins"
	)
	for text, want := range map[string]string{
		"a: 1\nb: [1\n":              "f.yaml:2: this is not YAML: did not find expected ',' or ']'",
		"a: 1\nb: {c: 1\nd: 2\n":     "f.yaml:2: this is not YAML: did not find expected ',' or '}'",
		"a: b: c\n":                  "f.yaml:1: this is not YAML: mapping values are not allowed in this context" + colon,
		"a: 1\n b: 2\n":              "f.yaml:2: this is not YAML: mapping values are not allowed in this context" + colon,
		"a:\n\tb: 1\n":               "f.yaml:2: this is not YAML: found character that cannot start any token" + token,
		"a: @x\n":                    "f.yaml:1: this is not YAML: found character that cannot start any token" + token,
		"a:\n  b: 1\n  c: \"x\" y\n": "f.yaml:2: this is not YAML: did not find expected key" + block,
		"a: 1\nb:\n  - c\n  d: 1\n":  "f.yaml:3: this is not YAML: did not find expected '-' indicator" + block,
		"a: 1\nb: \"x\nc: 1\n":       "f.yaml:2: this is not YAML: found unexpected end of stream",
		"a: 1\n---\nb: *x\n":         "f.yaml:3: this is not YAML: unknown anchor 'x' referenced",
		"a: 1\nb: \"\x01\"\n":        "f.yaml:2: this is not YAML: control characters are not allowed",
		"a: 1\nb: 2\nc: \xff\xfe\n":  "f.yaml:3: this is not YAML: invalid leading UTF-8 octet",
		"%YAML 1.2\n---\na: 1\n":     "f.yaml:1: this is not YAML: found incompatible YAML document",
	} {
		if _, err := Documents("f.yaml", []byte(text)); err == nil || err.Error() != want {
			t.Errorf("%q\ngot  %v\nwant %s", text, err, want)
		}
	}
}
