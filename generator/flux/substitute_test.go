package flux

import (
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/tree"
)

// substituted reads a checkout with one Kustomization, app, whose folder holds a ConfigMap with the given data, and returns
// the environment and the ConfigMap after the replacement.
func substituted(t *testing.T, version, postBuild, data, more string) (*Environment, *Kustomization, *Object) {
	t.Helper()
	c := openText(t, `
-- clusters/dev/app.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: app, namespace: flux-system}
spec:
  path: ./app
  sourceRef: {kind: GitRepository, name: flux-system}
`+indent(postBuild)+`
-- app/config.yaml --
apiVersion: v1
kind: ConfigMap
metadata:
  name: config
  namespace: app
data:
`+indent(data)+`
`+more)
	e := readEnv(t, c, Options{Path: "clusters/dev", Version: version})
	k := e.Kustomization(ID{"flux-system", "app"})
	return e, k, e.Object("", "ConfigMap", "app", "config")
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ")
}

const vars = `
-- clusters/dev/vars.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: vars, namespace: flux-system}
data: {A: from-vars, B: from-vars, LINES: "one\ntwo\n"}
-- clusters/dev/more.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: more, namespace: flux-system}
data: {B: from-more, C: from-more}
-- clusters/dev/secret.yaml --
apiVersion: v1
kind: Secret
metadata: {name: secret, namespace: flux-system}
data: {D: ZnJvbS1zZWNyZXQ=}
stringData: {E: from-string-data}
-- clusters/dev/sealed.yaml --
apiVersion: v1
kind: Secret
metadata: {name: sealed, namespace: flux-system}
stringData: {F: "ENC[AES256_GCM,data:AA==,iv:AA==,tag:AA==,type:str]"}
sops: {mac: "ENC[...]"}
-- clusters/dev/external.yaml --
apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: {name: maker, namespace: flux-system}
spec: {target: {name: made}}
`

func TestSubstitutionFollowsTheController(t *testing.T) {
	from := func(refs ...string) string {
		text := "postBuild:\n  substituteFrom:\n"
		for _, ref := range refs {
			kind, name, _ := strings.Cut(ref, "/")
			optional := strings.HasSuffix(name, "?")
			text += "  - {kind: " + kind + ", name: " + strings.TrimSuffix(name, "?")
			if optional {
				text += ", optional: true"
			}
			text += "}\n"
		}
		return text
	}
	cases := []struct {
		name, version, postBuild, value, want string
		problem                               Reason
	}{
		{name: "without postBuild the text ships as it stands", value: "${A}", want: "${A}"},
		{name: "an empty postBuild replaces nothing", postBuild: "postBuild: {substitute: {}}", value: "${A:=x}", want: "${A:=x}"},
		{name: "a variable without braces is none", postBuild: from("ConfigMap/vars"), value: "$A ${A}", want: "$A from-vars"},
		{name: "two dollar signs make a literal", postBuild: from("ConfigMap/vars"), value: "$${A} ${A}", want: "${A} from-vars"},
		{name: "a later reference wins", postBuild: from("ConfigMap/vars", "ConfigMap/more"), value: "${A} ${B} ${C}", want: "from-vars from-more from-more"},
		{name: "an earlier reference loses", postBuild: from("ConfigMap/more", "ConfigMap/vars"), value: "${B}", want: "from-vars"},
		{name: "an inline value wins over all", postBuild: from("ConfigMap/vars") + "  substitute: {A: inline}", value: "${A}", want: "inline"},
		{name: "line breaks are cut out of values", postBuild: from("ConfigMap/vars"), value: "${LINES}", want: "onetwo"},
		{name: "a plain Secret gives its data", postBuild: from("Secret/secret"), value: "${D} ${E}", want: "from-secret from-string-data"},
		{name: "a default stands in", postBuild: from("ConfigMap/vars"), value: "${X:=default} ${X:-other}", want: "default other"},
		{name: "functions of the shell work", postBuild: from("ConfigMap/vars"), value: "${A^^} ${A/from/to} ${A:0:4} ${#A}", want: "FROM-VARS to-vars from 9"},
		{name: "an undefined variable is refused since 2.9", postBuild: from("ConfigMap/vars"), value: "${X} ${A}", want: "${X} from-vars", problem: VariableUndefined},
		{name: "an undefined variable was empty before 2.9", version: "2.8", postBuild: from("ConfigMap/vars"), value: "a${X}b", want: "ab"},
		{name: "the strategy Always replaces without variables", postBuild: "postBuild: {substituteStrategy: Always}", value: "${X:=default}", want: "default"},
		{name: "the strategy was not known before 2.9", version: "v2.8.3", postBuild: "postBuild: {substituteStrategy: Always}", value: "${X:=default}", want: "${X:=default}"},
		{name: "a missing ConfigMap is a problem", postBuild: from("ConfigMap/nowhere", "ConfigMap/vars"), value: "${A}", want: "from-vars", problem: SubstituteFromMissing},
		{name: "an optional one is not", postBuild: from("ConfigMap/nowhere?", "ConfigMap/vars"), value: "${A}", want: "from-vars"},
		{name: "a variable that an absent Secret may hold stays", postBuild: from("ConfigMap/vars", "Secret/nowhere"), value: "${A} ${X}", want: "from-vars ${X}"},
		{name: "a default goes before what cannot be seen", postBuild: from("Secret/nowhere"), value: "${X:=default}", want: "default"},
		{name: "an encrypted Secret is not seen", postBuild: from("Secret/sealed"), value: "${F}", want: "${F}"},
		{name: "a Secret that the cluster makes is not seen", postBuild: from("Secret/made"), value: "${X}", want: "${X}"},
		{name: "a text that is no template is a problem", postBuild: from("ConfigMap/vars"), value: "${A", want: "${A", problem: SubstitutionFailed},
		{name: "a value that breaks the YAML is a problem", postBuild: "postBuild: {substitute: {A: '\"'}}", value: "'${A} b'", want: "${A} b", problem: SubstitutionFailed},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			_, k, o := substituted(t, tc.version, tc.postBuild, "value: "+tc.value, vars)
			got := tree.Lookup(o.Node(), "data", "value").Value
			if got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
			if tc.problem != "" && !hasReason(k, tc.problem) {
				t.Errorf("got problems %v, want %s", k.Problems, tc.problem)
			}
			if tc.problem == "" && len(k.Problems) > 0 {
				t.Errorf("got problems %v", k.Problems)
			}
		})
	}
}

func TestUnseenReferencesSayWhy(t *testing.T) {
	e, k, _ := substituted(t, "", `postBuild:
  substituteFrom:
  - {kind: Secret, name: nowhere}
  - {kind: Secret, name: sealed}
  - {kind: Secret, name: made}`, "value: ${X}", vars)
	want := []string{
		"Secret flux-system/nowhere is not in the repository",
		"Secret flux-system/sealed is encrypted with SOPS",
		"Secret flux-system/made is made in the cluster by ExternalSecret flux-system/maker",
	}
	for i, ref := range k.Substitution.Unseen {
		if ref.Reason != want[i] {
			t.Errorf("got %q, want %q", ref.Reason, want[i])
		}
	}
	kinds := map[UnseenKind]int{}
	for _, u := range e.Unseen {
		kinds[u.Kind]++
	}
	if kinds[UnseenVariables] != 3 || kinds[UnseenEncrypted] != 1 {
		t.Errorf("got %v of what is not seen", kinds)
	}
}

func TestSubstitutionIsDisabledByLabelOrAnnotation(t *testing.T) {
	for _, field := range []string{"labels", "annotations"} {
		c := openText(t, `
-- dev/app.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: app, namespace: flux-system}
spec:
  path: ./app
  sourceRef: {kind: GitRepository, name: flux-system}
  postBuild: {substitute: {A: x}}
-- app/config.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: config, `+field+`: {kustomize.toolkit.fluxcd.io/substitute: disabled}}
data: {value: "${A} ${UNDEFINED}"}
`)
		e := readEnv(t, c, Options{Path: "dev"})
		o := e.Object("", "ConfigMap", "", "config")
		if got := tree.Lookup(o.Node(), "data", "value").Value; got != "${A} ${UNDEFINED}" || !o.SubstitutionDisabled {
			t.Errorf("%s: got %q, disabled %v", field, got, o.SubstitutionDisabled)
		}
		if k := o.Kustomization; len(k.Problems) > 0 {
			t.Errorf("%s: got problems %v", field, k.Problems)
		}
	}
}

func TestATypeMayChangeWhenAVariableIsReplaced(t *testing.T) {
	_, _, o := substituted(t, "", "postBuild: {substitute: {PORT: '8080', OCTAL: '0644', YES: 'yes'}}", "port: ${PORT}\nmode: ${OCTAL}\nanswer: ${YES}\nquoted: \"${PORT}\"", "")
	tags := map[string]string{}
	for _, key := range []string{"port", "mode", "answer", "quoted"} {
		node := tree.Lookup(o.Node(), "data", key)
		tags[key] = yaml.NewRNode(node).YNode().ShortTag()
	}
	if tags["port"] != yaml.NodeTagInt || tags["answer"] != yaml.NodeTagBool {
		t.Errorf("got %v", tags)
	}
	if !strings.Contains(o.Template, "port: ${PORT}") {
		t.Errorf("the template is lost: %q", o.Template)
	}
	// The quotes are lost in the build: Flux replaces the text that kustomize writes, not the one in Git.
	if tags["quoted"] != yaml.NodeTagInt {
		t.Errorf("quotes in Git made a difference: %v", tags)
	}
}

func TestUsesAreThoseOfTheControllersParser(t *testing.T) {
	cases := []struct{ text, want string }{
		{"a: b", ""},
		{"a: $A $(B)", ""},
		{"a: ${B} ${A}", "A B"},
		{"a: $${A} ${B}", "B"},
		{"a: ${A:=${B}}", "A? B"},
		{"a: ${A:=x} ${A}", "A"},
		{"a: ${A:=x} ${A-y}", "A?"},
		{"a: ${#A} ${B^^}", "A B"},
		{"a: ${A[@]} ${B:-x} $${C}", "A B?"}, // bash, which the parser refuses
	}
	for _, tc := range cases {
		var got []string
		for _, use := range usesOf(tc.text) {
			name := use.Name
			if use.Defaulted {
				name += "?"
			}
			got = append(got, name)
		}
		if strings.Join(got, " ") != tc.want {
			t.Errorf("%s: got %v, want %s", tc.text, got, tc.want)
		}
	}
}

func TestVersionsAreReadAsPeopleWriteThem(t *testing.T) {
	for version, strict := range map[string]bool{"": true, "2.9": true, "v2.10.1": true, "2.8": false, "v2.0.0": false} {
		rules, err := RulesOf(version)
		if err != nil || rules.Strict != strict {
			t.Errorf("%q: got %v, %v", version, rules, err)
		}
	}
	for _, version := range []string{"2", "3.0", "1.9", "2.x", "latest", "2.9.1.1", "2.-1"} {
		if _, err := RulesOf(version); err == nil || !strings.Contains(err.Error(), "write it like 2.9") {
			t.Errorf("%q: got %v", version, err)
		}
	}
}
