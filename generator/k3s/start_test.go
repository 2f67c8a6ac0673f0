package k3s

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
)

func TestWordsAreSplitAsSystemdSplitsThem(t *testing.T) {
	for text, want := range map[string][]string{
		`a  b	c`:             {"a", "b", "c"},
		`'a b' "c d"`:        {"a b", "c d"},
		`--x='a b'`:          {"--x=a b"},
		`a\x20b \t \"q\" \s`: {"a b", "\t", `"q"`, " "},
		`"it's" 'say "x"'`:   {"it's", `say "x"`},
		"\u00e0\u00a0b c":    {"\u00e0\u00a0b", "c"},
		`""`:                 {""},
		`\q`:                 {`\q`},
		"a\nb":               {"a", "b"},
		"":                   {},
	} {
		got := []string{}
		for _, w := range splitWords(text, 1, true) {
			got = append(got, w.text)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// startOf reads one file and renders each invocation as "role file:line flag-values...".
func startOf(t *testing.T, name, content string, d v1alpha1.Distribution) (string, *Start) {
	t.Helper()
	start, err := ReadStart(fstest.MapFS{name: {Data: []byte(content)}}, name, name, d)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, v := range start.Invocations {
		line := string(v.Role) + " " + v.String()
		for _, value := range v.flag(nodeTaint) {
			line += " " + value.Text
			if value.unknown {
				line += "?"
			}
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "; "), start
}

func TestEveryWayToStartK3sIsFound(t *testing.T) {
	unit := "[Service]\nExecStart="
	for name, tc := range map[string]struct{ file, content, want string }{
		"a plain unit":                 {"x.service", unit + "/usr/local/bin/k3s agent --node-taint a:NoSchedule", "agent x.service:2 a:NoSchedule"},
		"systemd's prefixes":           {"x.service", unit + "-!/usr/local/bin/k3s server", "server x.service:2"},
		"another name for the program": {"x.service", unit + "@/usr/local/bin/k3s k3s agent --node-taint a:NoSchedule", "agent x.service:2 a:NoSchedule"},
		"env in front":                 {"x.service", unit + "/usr/bin/env A=b k3s --debug agent --node-taint a:NoSchedule", "agent x.service:2 a:NoSchedule"},
		"kubectl of k3s":               {"x.service", unit + "/usr/local/bin/k3s kubectl get agent", ""},
		"another section":              {"x.service", "[Unit]\nExecStart=k3s agent\n[Service]\n", ""},
		"a comment":                    {"x.service", "[Service]\n#ExecStart=k3s agent\n; ExecStart=k3s agent\n", ""},
		"CRLF":                         {"x.service", "[Service]\r\nExecStart=k3s \\\r\n agent \\\r\n --node-taint a:NoSchedule\r\n", "agent x.service:2 a:NoSchedule"},
		"a flag without its value":     {"x.service", unit + "k3s agent --node-taint", "agent x.service:2"},
		"behind the end of flags":      {"x.service", unit + "k3s agent -- --node-taint a:NoSchedule", "agent x.service:2"},
		"a specifier":                  {"x.service", unit + "k3s agent --node-taint %H=x:NoSchedule", "agent x.service:2 %H=x:NoSchedule?"},
		"sudo":                         {"x.sh", "sudo -E k3s agent --node-taint a:NoSchedule &", "agent x.sh:1 a:NoSchedule"},
		"an unset variable":            {"x.sh", "k3s agent --node-taint \"$TAINT\"", "agent x.sh:1 $TAINT?"},
		"a default for one":            {"x.sh", "k3s agent --node-taint \"${TAINT:-a:NoSchedule}\"", "agent x.sh:1 a:NoSchedule"},
		"a loop":                       {"x.sh", "for t in a b; do\n  k3s agent --node-taint $t:NoSchedule\ndone", "agent x.sh:2 $t:NoSchedule?"},
		"either branch":                {"x.sh", "if x; then\nk3s server --node-taint a:NoSchedule\nelse\nk3s agent --node-taint a:NoSchedule\nfi", "server x.sh:2 a:NoSchedule; agent x.sh:4 a:NoSchedule"},
		"a variable that grows":        {"x.sh", "F=--node-taint\nF+=' a:NoSchedule'\nk3s agent $F", "agent x.sh:3 a:NoSchedule"},
		"export before the installer":  {"x.sh", "INSTALL_K3S_EXEC='agent --node-taint a:NoSchedule'\nexport INSTALL_K3S_EXEC\ncurl https://get.k3s.io | sh -", "agent x.sh:3 a:NoSchedule"},
		"allexport":                    {"x.sh", "set -a\nINSTALL_K3S_EXEC='agent --node-taint a:NoSchedule'\ncurl https://get.k3s.io | sh -", "agent x.sh:3 a:NoSchedule"},
		"a part that is not known":     {"x.sh", "curl https://get.k3s.io | INSTALL_K3S_EXEC=\"agent --node-ip $(hostname -I) --node-taint a:NoSchedule\" sh -", "agent x.sh:1 a:NoSchedule"},
		"env instead of assignment":    {"x.sh", "curl -sfL https://get.k3s.io > install-k3s.sh; bash -x install-k3s.sh agent --node-taint a:NoSchedule", "agent x.sh:1 a:NoSchedule"},
		"a pipe about something else":  {"x.sh", "curl https://example.com/setup | sh -s - --node-taint a:NoSchedule", ""},
		"grep of k3s":                  {"x.sh", "k3s --version | grep -q v1", ""},
		"a heredoc is data":            {"x.sh", "cat <<EOF\nk3s agent --node-taint a:NoSchedule\nEOF", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got, _ := startOf(t, tc.file, tc.content, v1alpha1.K3s); got != tc.want {
				t.Errorf("got  %q\nwant %q", got, tc.want)
			}
		})
	}
}

func TestRKE2IsFoundUnderItsOwnName(t *testing.T) {
	got, start := startOf(t, "rke2-agent.service",
		"[Service]\nEnvironment=RKE2_CONFIG_FILE=/opt/rke2.yaml\nExecStart=/usr/local/bin/rke2 agent --node-taint a:NoSchedule", v1alpha1.RKE2)
	if got != "agent rke2-agent.service:3 a:NoSchedule" {
		t.Errorf("got %q", got)
	}
	if base, ok := start.Invocations[0].base(); !ok || base.Text != "/opt/rke2.yaml" {
		t.Errorf("base: got %q, %v", base.Text, ok)
	}
	if got, _ := startOf(t, "x.service", "[Service]\nExecStart=/usr/local/bin/k3s agent", v1alpha1.RKE2); got != "" {
		t.Errorf("k3s is not RKE2: got %q", got)
	}
}

func TestAScriptThatDoesNotParseIsAnErrorWithItsLine(t *testing.T) {
	_, err := ReadStart(fstest.MapFS{"x.sh": {Data: []byte("echo\nif true; then\n")}}, "x.sh", "scripts/x.sh", v1alpha1.K3s)
	if err == nil || !strings.HasPrefix(err.Error(), "scripts/x.sh:2: ") {
		t.Errorf("got %v", err)
	}
}

// The units and scripts of a real cluster, where they are at hand: BERTH_CORPUS names a folder of repositories.
func TestUnitsAndScriptsOfARealClusterAreRead(t *testing.T) {
	corpus := os.Getenv("BERTH_CORPUS")
	if corpus == "" {
		t.Skip("SKIPPED: BERTH_CORPUS is not set: it names a folder of real repositories")
	}
	files, err := filepath.Glob(filepath.Join(corpus, "*", "s[yc]*", "*.s[eh]*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s holds no systemd/*.service and no scripts/*.sh: %v", corpus, err)
	}
	found := map[Role]int{}
	for _, file := range files {
		start, err := ReadStart(os.DirFS(filepath.Dir(file)), filepath.Base(file), filepath.Base(file), v1alpha1.K3s)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		for _, v := range start.Invocations {
			found[v.Role]++
			t.Logf("%s: %s, %d arguments, taints %v", v.Source, v.Role, len(v.args), v.flag(nodeTaint))
		}
		for _, f := range start.Findings {
			t.Log(f.String())
		}
	}
	if found[Server] == 0 || found[Agent] == 0 {
		t.Errorf("found %v, want a server and an agent", found)
	}
}
