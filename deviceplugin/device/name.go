package device

import (
	"fmt"
	"regexp"
	"strings"
)

const (
	requests      = "requests." // what a quota puts before the name
	maxDomain     = 253 - len(requests)
	maxNameLength = 63
)

var (
	domain    = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)
	localName = regexp.MustCompile(`^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$`)
)

// ValidateResource reports whether the kubelet takes name for an extended resource (pkg/apis/core/v1/helper, IsExtendedResourceName).
func ValidateResource(name string) error {
	prefix, local, found := strings.Cut(name, "/")
	switch {
	case !found || strings.Contains(local, "/"):
		return fmt.Errorf("resource %q: write a domain, a slash and a name, as in gpu.intel.com/i915", name)
	case prefix == "kubernetes.io" || strings.HasSuffix(prefix, ".kubernetes.io") || strings.Contains(name, "kubernetes.io/"):
		return fmt.Errorf("resource %q: the domain kubernetes.io is Kubernetes's own", name)
	case strings.HasPrefix(name, requests):
		return fmt.Errorf("resource %q: a domain cannot begin with %q", name, requests)
	case len(prefix) > maxDomain || !domain.MatchString(prefix):
		return fmt.Errorf("resource %q: %q is not a domain of at most %d lower-case letters, digits, dots and dashes", name, prefix, maxDomain)
	case len(local) > maxNameLength || !localName.MatchString(local):
		return fmt.Errorf("resource %q: %q is not a name of at most %d letters, digits, dots, dashes and underscores", name, local, maxNameLength)
	}
	return nil
}
