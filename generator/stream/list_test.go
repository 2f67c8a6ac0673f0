package stream

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

const head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"

func write(t *testing.T, list *ResourceList) string {
	t.Helper()
	var out bytes.Buffer
	if err := list.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestWhatNobodyChangedLeavesAsTheBytesThatCame(t *testing.T) {
	cases := map[string]string{
		"comments around and inside items": head + `items:
# first
- # about a
  kind: A # trailing
  metadata: {name: a}   # odd   spacing

# second
- kind: B
  # own
  metadata:
    name:   "b"
functionConfig:
  kind: X
`,
		"dashes indented by two":      head + "items:\n  - kind: A\n    metadata:\n      name: a\n  - kind: B\nfunctionConfig:\n  kind: X\n",
		"a dash on a line of its own": head + "items:\n-\n  kind: A\n-   kind: B\n    metadata: {}\n",
		"block scalars that look like items": head + `items:
- kind: ConfigMap
  data:
    a: |
      - kind: not an item
      functionConfig:
      # no comment
    b: |+
      kept

- kind: B
`,
		"no line break at the end":                head + "items:\n- kind: A\n- kind: B",
		"windows line breaks":                     strings.ReplaceAll(head+"items:\n- kind: A\n- kind: B\nfunctionConfig:\n  kind: X\n", "\n", "\r\n"),
		"function configuration before the items": head + "functionConfig:\n  kind: X\nitems:\n- kind: A\n",
		"anchors inside an item":                  head + "items:\n- kind: A\n  a: &x [1]\n  b: *x\n",
		"long names and unknown annotations":      head + "items:\n- kind: A\n  metadata:\n    annotations:\n      internal.config.kubernetes.io/index: '0'\n      config.k8s.io/id: '1'\n",
	}
	for name, in := range cases {
		t.Run(name, func(t *testing.T) {
			list, err := ReadList([]byte(in))
			if err != nil {
				t.Fatal(err)
			}
			want := in
			if !strings.HasSuffix(want, "\n") {
				want += "\n"
			}
			if diff := cmp.Diff(want, write(t, list)); diff != "" {
				t.Errorf("-came +left:\n%s", diff)
			}
			if len(list.Items) == 0 {
				t.Error("no item was found")
			}
		})
	}
}

func TestAChangedItemKeepsItsNeighboursItsCommentsAndItsStyle(t *testing.T) {
	in := head + `items:
- kind: A
  x:   1
# about b
- kind: B # kept
  list:
    - one   # kept too
  text: |+
    ends with a blank line

- kind: C
  y:   2
`
	list, err := ReadList([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	node, err := list.Items[1].Edit()
	if err != nil {
		t.Fatal(err)
	}
	if err := node.PipeE(yaml.SetField("new", yaml.NewStringRNode("v"))); err != nil {
		t.Fatal(err)
	}
	list.Items = append(list.Items, New(yaml.MustParse("kind: D\nmetadata:\n  name: d\n")))
	want := head + `items:
- kind: A
  x:   1
# about b
- kind: B # kept
  list:
    - one # kept too
  text: |+
    ends with a blank line

  new: v
- kind: C
  y:   2
- kind: D
  metadata:
    name: d
`
	got := write(t, list)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("-want +got:\n%s", diff)
	}
	again, err := ReadList([]byte(got))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got, write(t, again)); diff != "" {
		t.Errorf("the second reading changed it:\n%s", diff)
	}
}

func TestEditingAnAnchoredValueDoesNotChangeItsAliases(t *testing.T) {
	list, err := ReadList([]byte(head + "items:\n- a: &x\n  - 1\n  b: *x\n"))
	if err != nil {
		t.Fatal(err)
	}
	node, err := list.Items[0].Edit()
	if err != nil {
		t.Fatal(err)
	}
	if err := node.PipeE(yaml.Lookup("a"), yaml.Append(yaml.NewScalarRNode("2").YNode())); err != nil {
		t.Fatal(err)
	}
	want := head + "items:\n- a:\n  - 1\n  - 2\n  b:\n  - 1\n"
	if diff := cmp.Diff(want, write(t, list)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestOddShapesTakeTheSlowWayAndLoseNothing(t *testing.T) {
	cases := map[string]struct {
		in    string
		kinds []string
	}{
		"json":                        {`{"apiVersion":"config.kubernetes.io/v1","kind":"ResourceList","items":[{"kind":"A"},{"kind":"B"}],"functionConfig":{"kind":"X"}}`, []string{"A", "B"}},
		"flow items":                  {head + "items: [{kind: A}, {kind: B}]\nfunctionConfig: {kind: X}\n", []string{"A", "B"}},
		"no items":                    {head + "items: []\nfunctionConfig: {kind: X}\n", nil},
		"null items":                  {head + "items:\nfunctionConfig: {kind: X}\n", nil},
		"anchors across items":        {head + "items:\n- &a\n  kind: A\n- *a\nfunctionConfig: {kind: X}\n", []string{"A", "A"}},
		"results that came in":        {head + "items:\n- kind: A\nfunctionConfig: {kind: X}\nresults:\n- message: old\n", []string{"A"}},
		"a quoted scalar at column 0": {head + "items:\n- kind: A\n  x: \"one\n- two\"\n- kind: B\nfunctionConfig: {kind: X}\n", []string{"A", "B"}},
		"a comment behind items":      {head + "items: # all\n- kind: A\nfunctionConfig: {kind: X}\n", []string{"A"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			list, err := ReadList([]byte(c.in))
			if err != nil {
				t.Fatal(err)
			}
			for round := range 2 {
				var kinds []string
				for _, item := range list.Items {
					kinds = append(kinds, item.Kind)
				}
				if diff := cmp.Diff(c.kinds, kinds); diff != "" {
					t.Errorf("round %d:\n%s", round, diff)
				}
				if list.FunctionConfig == nil {
					t.Errorf("round %d: the function configuration is lost", round)
				}
				if list, err = ReadList([]byte(write(t, list))); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func TestFaultsNameTheirLine(t *testing.T) {
	cases := map[string]struct{ in, want string }{
		"empty":                     {"", "standard input is empty"},
		"blank":                     {" \n\n", "standard input is empty"},
		"only a comment":            {"# nothing\n", "holds no document"},
		"another kind":              {"kind: Deployment\n", "line 1: is not a ResourceList but Deployment"},
		"a scalar":                  {"hello\n", "line 1: is not a ResourceList: a YAML mapping was expected"},
		"another version":           {"apiVersion: v1\nkind: ResourceList\nitems: []\n", "ResourceList of apiVersion v1; config.kubernetes.io/v1"},
		"yaml that does not parse":  {head + "items:\n- kind: A\n- kind: B\n  x: [1\n- kind: C\n", "line 6: this is not YAML: did not find expected ',' or ']'"},
		"a tab":                     {head + "items:\n- kind: A\n\tx: 1\n", "this is not YAML: found a tab character that violates indentation"},
		"a key twice":               {head + "items:\n- kind: A\n  x: 1\n  x: 2\n", `line 6: key "x" stands twice`},
		"an item that is no object": {head + "items:\n- kind: A\n- text\n", "line 5: an item is not an object"},
		"items that are no list":    {head + "items:\n  a: b\n", "line 4: items is not a list"},
		"two documents":             {head + "items:\n- kind: A\n---\nkind: B\n", "a second document follows"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := ReadList([]byte(c.in))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestResultsOfAnEarlierFunctionAreReplacedAndNothingElseChanges(t *testing.T) {
	items := "items:\n- kind: A # kept\n  x:   1\n"
	config := "functionConfig:\n  kind: X\n"
	old := "results:\n# old\n- message: old\n  severity: info\n"
	for name, in := range map[string]string{"last": head + items + config + old, "in the middle": head + items + old + config} {
		list, err := ReadList([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(head+items+config, write(t, list)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}

func TestNothingIsWrittenBehindADocumentMarker(t *testing.T) {
	list, err := ReadList([]byte(head + "items:\n- kind: A\nfunctionConfig: {kind: X}\n...\n"))
	if err != nil {
		t.Fatal(err)
	}
	list.Results = []Result{{Message: "m", Severity: SeverityInfo}}
	if _, err := ReadList([]byte(write(t, list))); err != nil {
		t.Errorf("what was written cannot be read: %v\n%s", err, write(t, list))
	}
}

func TestResultsStandBehindWhatCame(t *testing.T) {
	list, err := ReadList([]byte(head + "items:\n- kind: A\nfunctionConfig:\n  kind: X"))
	if err != nil {
		t.Fatal(err)
	}
	list.Results = []Result{{Message: "m", Severity: SeverityInfo, ResourceRef: &ResourceRef{APIVersion: "v1", Kind: "A", Name: "a"}}}
	want := head + `items:
- kind: A
functionConfig:
  kind: X
results:
- message: m
  severity: info
  resourceRef:
    apiVersion: v1
    kind: A
    name: a
`
	if diff := cmp.Diff(want, write(t, list)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Cutting by indentation and decoding as a whole are two ways to one meaning.
func FuzzReadList(f *testing.F) {
	f.Add(head + "items:\n- kind: A\n  x: |\n    - b\n- kind: B\n")
	f.Add(head + "items:\n  - kind: A\n# c\n  - kind: B\nfunctionConfig: {}\n")
	f.Add(head + "items: [{kind: A}]\n")
	f.Add(head + "items:\n- x: \"a\n- b\"\n")
	f.Fuzz(func(t *testing.T, in string) {
		list, err := ReadList([]byte(in))
		if err != nil {
			return
		}
		whole, err := readWhole([]byte(in))
		if err != nil {
			t.Fatalf("cut, but not read whole: %v", err)
		}
		if len(whole.Items) != len(list.Items) {
			t.Fatalf("cut into %d items, read as %d", len(list.Items), len(whole.Items))
		}
		for i := range list.Items {
			if diff := cmp.Diff(text(t, whole.Items[i]), text(t, list.Items[i])); diff != "" {
				t.Fatalf("item %d: -whole +cut:\n%s", i, diff)
			}
		}
		again, err := ReadList([]byte(write(t, list)))
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, write(t, list))
		}
		if len(again.Items) != len(list.Items) {
			t.Fatalf("%d items left, %d came back", len(list.Items), len(again.Items))
		}
	})
}

func text(t *testing.T, item *Item) any {
	t.Helper()
	node, err := item.Node()
	if err != nil {
		t.Fatal(err)
	}
	if err := node.DeAnchor(); err != nil {
		t.Skip(err)
	}
	var v any
	if err := node.YNode().Decode(&v); err != nil {
		t.Skip(err)
	}
	return v
}
