package k3s

import (
	"path"
	"strings"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
)

// Role is what a node runs as.
type Role string

// The roles. A server runs an agent too, so node-taint is valid for both.
const (
	Server Role = "server"
	Agent  Role = "agent"
)

// Invocation is one way in which k3s or RKE2 is started.
type Invocation struct {
	Role Role
	// Source is where the command stands.
	finding.Source
	args []word
	// configFile is K3S_CONFIG_FILE or RKE2_CONFIG_FILE, where it is set.
	configFile string
}

// findInvocation looks for `k3s agent ...` or `k3s server ...` in a command line, whatever stands before it.
func findInvocation(words []word, d v1alpha1.Distribution) ([]word, Role) {
	for i, w := range words {
		if path.Base(w.text) != string(d) {
			continue
		}
		for j, arg := range words[i+1:] {
			if role := Role(arg.text); role == Server || role == Agent {
				return words[i+j+2:], role
			}
			if !strings.HasPrefix(arg.text, "-") {
				break
			}
		}
	}
	return nil, ""
}

// flag returns the values of a flag, written --name value, --name=value or with one dash.
func (v *Invocation) flag(names ...string) []Value {
	var values []Value
	for i := 0; i < len(v.args); i++ {
		arg := v.args[i]
		if arg.text == "--" {
			break
		}
		name, text, joined := strings.Cut(arg.text, "=")
		if !isFlag(name, names) {
			continue
		}
		if !joined {
			if i++; i == len(v.args) {
				break
			}
			text = v.args[i].text
		}
		src := at(v.File, v.args[i].line)
		values = append(values, Value{Text: text, Source: src, unknown: arg.unknown || v.args[i].unknown})
	}
	return values
}

func isFlag(text string, names []string) bool {
	for _, name := range names {
		if text == "--"+name || text == "-"+name {
			return true
		}
	}
	return false
}

// base returns the configuration file of the invocation and where it was named; none names the default. The variable
// beats the flag, and of several flags the first counts (k3s-io/k3s pkg/configfilearg).
func (v *Invocation) base() (Value, bool) {
	if v.configFile != "" {
		w := unmarked(v.configFile, v.Line)
		return Value{Text: w.text, Source: v.Source, unknown: w.unknown}, true
	}
	if values := v.flag("config", "c"); len(values) > 0 {
		return values[0], true
	}
	return Value{}, false
}

// configVariable is the environment variable that moves the configuration file.
func configVariable(d v1alpha1.Distribution) string {
	return strings.ToUpper(string(d)) + "_CONFIG_FILE"
}
