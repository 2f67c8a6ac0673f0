// Package k3s writes the taints of a node as a drop-in for k3s or RKE2, and reads a node's configuration the way k3s does.
//
// Writing: an intent becomes one file per node (dropin.go).
//
// Reading: Discover finds the configuration of one or several nodes in a file system (site.go). ReadStart reads how k3s
// is started, from a systemd unit (unit.go, service.go) or a shell script (script.go), and yields invocations: a role,
// arguments and an environment (invocation.go). Load reads config.yaml and config.yaml.d in k3s's order, one file at a
// time (file.go), and merges them (merge.go). Effective brings the files and one invocation together: it parses each
// taint as the kubelet would (spec.go) and reports the taints with the place of each, or what stops the agent, and
// everything that would be lost without a word (check_*.go).
//
// The rules are those of github.com/k3s-io/k3s/pkg/configfilearg and of k8s.io/kubernetes/pkg/util/taints. Values are
// decoded with gopkg.in/yaml.v2, the library that k3s uses, because YAML 1.1 typing (yes, 0644, 1e3) decides what k3s
// sees; line numbers come from go.yaml.in/yaml/v3, which keeps them.
package k3s
