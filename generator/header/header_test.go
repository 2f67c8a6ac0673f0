package header

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAHeaderIsKnownAgain(t *testing.T) {
	head := New("something", []string{"home", "away"}, "More.", "", "And more.")
	want := "# Written by berth: something.\n#   intent: home\n#   intent: away\n" +
		"# Do not edit. Change the intent and run `berth generate` again.\n# More.\n#\n# And more.\n"
	if diff := cmp.Diff(want, head); diff != "" {
		t.Error(diff)
	}
	for name, text := range map[string]string{
		"as it is": head, "a script": "#!/bin/sh\n" + head, "a byte order mark": "\ufeff" + head,
	} {
		if !IsOurs([]byte(text + "rest\n")) {
			t.Errorf("%s: not known again", name)
		}
		if diff := cmp.Diff([]string{"away", "home"}, Intents([]byte(text+"rest\n#   intent: no\n"))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestWhatOthersWroteIsNotOurs(t *testing.T) {
	for name, text := range map[string]string{
		"nothing": "", "yaml": "a: b\n", "further down": "a: b\n# Written by berth: x.\n", "a script": "#!/bin/sh\necho\n",
	} {
		if IsOurs([]byte(text)) || Intents([]byte(text)) != nil {
			t.Errorf("%s is taken for ours", name)
		}
	}
}
