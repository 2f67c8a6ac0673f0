package v1alpha1

import (
	"strings"
	"testing"
)

func TestATaintIsReadInEverySpellingThatKubernetesKnows(t *testing.T) {
	for spelling, want := range map[string]Taint{
		"berth.dev/wsl=flaky:NoSchedule":           {"berth.dev/wsl", "flaky", NoSchedule},
		"wsl:NoExecute":                            {"wsl", "", NoExecute},
		"wsl=:PreferNoSchedule":                    {"wsl", "", PreferNoSchedule},
		"CriticalAddonsOnly=true:NoExecute":        {"CriticalAddonsOnly", "true", NoExecute},
		"a.b/c_d.e=f_g.h-i:NoSchedule":             {"a.b/c_d.e", "f_g.h-i", NoSchedule},
		"node.cilium.io/agent-not-ready:NoExecute": {"node.cilium.io/agent-not-ready", "", NoExecute},
	} {
		got, err := ParseTaint(spelling)
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v, want %+v", spelling, got, err, want)
		}
		again, err := ParseTaint(got.String())
		if err != nil || again != got {
			t.Errorf("%s: printed as %s it is read as %+v, %v", spelling, got, again, err)
		}
	}
}

func TestWhatIsNoTaintIsRefusedWithTheReason(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "is empty",
		"key":                          "has no effect",
		"key=value":                    "has no effect",
		"key=NoSchedule":               "did you mean key:NoSchedule?",
		"key=value=NoSchedule":         "did you mean key=value:NoSchedule?",
		"key:":                         "has no effect",
		"key=value:":                   "has no effect",
		":NoSchedule":                  "has no key",
		"=value:NoSchedule":            "has no key",
		"key:NoSchedule:NoExecute":     "more than one colon",
		"key=a=b:NoSchedule":           "more than one equals sign",
		"key:NoSchedule-":              "ends in a dash",
		"key-":                         "ends in a dash",
		"a=b:NoSchedule,c=d:NoExecute": "holds a comma",
		"key=value: NoSchedule":        "holds a space",
		" key:NoSchedule":              "holds a space",
		"key:NoSchedule\n":             "holds a space",
		"key:noschedule":               "did you mean NoSchedule?",
		"key:NoExcute":                 "did you mean NoExecute?",
		"key:PreferNoSchedul":          "did you mean PreferNoSchedule?",
		"key:no-schedule":              "did you mean NoSchedule?",
		"key:Evict":                    "write NoSchedule, PreferNoSchedule or NoExecute",
		"a/b/c:NoSchedule":             "is no qualified name",
		"UPPER.example/key:NoSchedule": "is no qualified name",
		"key=-x:NoSchedule":            "is no label value",
		"${KEY}:NoSchedule":            "Flux substitutes",
		"key=${VALUE}:NoSchedule":      "Flux substitutes",
		"key:${EFFECT:=NoSchedule}":    "Flux substitutes",
		`key="value":NoSchedule`:       "is no label value",
		"{a=b NoSchedule}":             "holds a space",
	} {
		got, err := ParseTaint(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v, %v, want %q", text, got, err, want)
			continue
		}
		if !strings.HasPrefix(err.Error(), "taint \"") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: the error is not one line about the taint: %v", text, err)
		}
		if got != (Taint{}) {
			t.Errorf("%q: %+v came back beside an error", text, got)
		}
	}
}

func TestANamedTaintResolvesFromEitherForm(t *testing.T) {
	want := Taint{"a", "b", NoSchedule}
	for _, named := range []NamedTaint{
		{Name: "x", Taint: "a=b:NoSchedule"},
		{Name: "x", Key: "a", Value: "b", Effect: NoSchedule, Reason: "because"},
	} {
		if got, err := named.Resolve(); err != nil || got != want {
			t.Errorf("%+v: %+v, %v", named, got, err)
		}
	}
	for want, named := range map[string]NamedTaint{
		"is given twice":   {Taint: "a=b:NoSchedule", Value: "b"},
		"says nothing":     {Name: "x", Reason: "because"},
		"has no key":       {Value: "b", Effect: NoSchedule},
		"has no effect":    {Key: "a"},
		"is no label":      {Key: "a", Value: "b c", Effect: NoSchedule},
		"there is no":      {Key: "a", Effect: "NoSchedul"},
		"holds a ${...}: ": {Key: "${A}", Effect: NoSchedule},
	} {
		if got, err := named.Resolve(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %+v, %v, want %q", named, got, err, want)
		}
	}
}
