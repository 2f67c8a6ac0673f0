package v1alpha1

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// quotaPrefix is what a ResourceQuota puts before a resource's name.
const quotaPrefix = "requests."

// resourceName checks the name of an extended resource as the kubelet does when a plugin registers (IsExtendedResourceName
// in k8s.io/kubernetes/pkg/apis/core/v1/helper); it refuses others with "the ResourceName is invalid".
func (c *collector) resourceName(path, name string) bool {
	before := len(c.problems)
	domain, _, slash := strings.Cut(name, "/")
	switch {
	case name == "":
		c.fail(path, "is empty: write a domain, a slash and a name, as in gpu.intel.com/i915")
	case !c.resolved(path, name):
	case !slash:
		c.fail(path, "the resource %q has no domain: write a domain, a slash and a name, as in gpu.intel.com/i915", name)
	case strings.Contains(name, "kubernetes.io/"):
		c.fail(path, "the resource %q is in the domain kubernetes.io, which is Kubernetes's own: the kubelet refuses it, so use a domain of yours", name)
	case strings.HasPrefix(name, quotaPrefix):
		c.fail(path, "the resource %q begins with %s, which is how a ResourceQuota names one: leave that out", name, quotaPrefix)
	case len(domain) > validation.DNS1123SubdomainMaxLength-len(quotaPrefix):
		c.fail(path, "the domain of the resource %q has %d characters: the kubelet takes %d", name, len(domain), validation.DNS1123SubdomainMaxLength-len(quotaPrefix))
	default:
		c.check(path, "the resource", name, validation.IsQualifiedName(name))
	}
	return len(c.problems) == before
}
