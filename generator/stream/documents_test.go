package stream

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestADocumentStreamIsCutAtItsMarkers(t *testing.T) {
	cases := map[string]struct {
		in   string
		want []string // kind:line
	}{
		"one document":               {"kind: A\n", []string{"A:1"}},
		"several, empty ones too":    {"---\n# nothing\n---\nkind: A\n---\n---\nkind: B\n...\n", []string{"A:4", "B:7"}},
		"a comment on the marker":    {"--- # first\nkind: A\n", []string{"A:2"}},
		"a document on the marker":   {"--- {kind: A}\n--- {kind: B}\n", []string{"A:1", "B:2"}},
		"markers in a block scalar":  {"kind: A\nx: |\n  ---\n  kind: no\n", []string{"A:1"}},
		"byte order mark and CRLF":   {"\xef\xbb\xbfkind: A\r\n---\r\nkind: B\r\n", []string{"A:1", "B:3"}},
		"a ResourceList":             {head + "items:\n- kind: A\n- kind: B\n", []string{"A:4", "B:5"}},
		"a null document":            {"kind: A\n---\nnull\n---\n~\n---\nkind: B\n", []string{"A:1", "B:7"}},
		"two lists and an object":    {head + "items:\n- kind: A\n---\nkind: B\n---\n" + head + "items: [{kind: C}]\n", []string{"A:4", "B:6", "C:0"}},
		"nothing":                    {"", nil},
		"comments only, as helm has": {"---\n# Source: x\n", nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			items, err := ReadDocuments("f.yaml", []byte(c.in))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, i := range items {
				got = append(got, i.Kind+":"+string(rune('0'+i.Line)))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAFaultInADocumentNamesFileAndLine(t *testing.T) {
	cases := map[string]struct{ in, want string }{
		"does not parse": {"kind: A\n---\nkind: B\nx: [1\n", "f.yaml:4: this is not YAML"},
		"not an object":  {"kind: A\n---\n- a\n", "f.yaml:3: is not an object"},
		"a key twice":    {"kind: A\n---\nkind: B\nm:\n  a: 1\n  a: 2\n", `f.yaml:6: key "a" stands twice; keep one (it first stands on line 5)`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := ReadDocuments("f.yaml", []byte(c.in))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}
