package v1alpha1

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

func (v *validator) spec() {
	spec := v.intent.Spec
	if spec.Taints == nil {
		v.fail("spec.taints", "is missing: list the taints that nodes may carry, [] for none")
	}
	if len(spec.Nodes) == 0 {
		v.fail("spec.nodes", "names no node: list every node of the cluster, those without taints too")
	}
	v.oneOf("spec.distribution", string(spec.Distribution), string(K3s), string(RKE2))
	v.oneOf("spec.dropIn.mode", string(spec.DropIn.Mode), string(Append), string(Own))
	v.disabled("spec.disable", spec.Disable)
	v.fileName("spec.dropIn.fileName", spec.DropIn.FileName)
}

// fileName checks the name of a file in config.yaml.d, which is a key of a ConfigMap too.
func (v *validator) fileName(path, name string) {
	lower := strings.ToLower(name)
	switch {
	case !v.resolved(path, name):
	case strings.ContainsAny(name, `/\`):
		v.fail(path, "%q holds a slash: k3s reads no folders below config.yaml.d, so give the name alone", name)
	case strings.HasPrefix(name, "-"):
		v.fail(path, "%q begins with a dash, which programs take for a flag: begin it with a number, such as %s", name, DefaultDropInFileName)
	case strings.HasPrefix(name, "."):
		v.fail(path, "%q begins with a dot, so people would not see it beside the others: begin it with a number, such as %s", name, DefaultDropInFileName)
	case !strings.HasSuffix(lower, ".yaml") && !strings.HasSuffix(lower, ".yml"):
		v.fail(path, "%q ends in neither .yaml nor .yml: k3s ignores other files", name)
	default:
		v.check(path, "the file name", name, validation.IsConfigMapKey(name))
	}
}

// disabled checks the names of packaged components. Which ones there are depends on the distribution's version.
func (v *validator) disabled(path string, names []string) {
	v.each(path, names, func(name string) error {
		if errs := validation.IsDNS1123Label(name); len(errs) > 0 {
			return fmt.Errorf("%q is no name of a packaged component: write it as the disable option has it, such as coredns", name)
		}
		return nil
	})
}
