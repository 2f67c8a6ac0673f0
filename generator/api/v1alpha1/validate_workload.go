package v1alpha1

import (
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

var (
	kindName    = regexp.MustCompile(`^([A-Z][A-Za-z0-9]*|postgresql)$`) // Zalando's kind is the one in lower case
	versionName = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)
)

// commonKinds are those whose spelling people get wrong; every other kind is taken as it is written.
var commonKinds = []string{
	"CronJob", "DaemonSet", "Deployment", KindHelmRelease, KindHelmChart, KindHelmChartConfig, KindKustomization, KindApplication, "Job", "Pod", "PodTemplate", "ReplicaSet", "ReplicationController", "StatefulSet",
}

func (v *collector) workload(path string, w Workload) {
	v.apiVersion(path+".apiVersion", w.APIVersion)
	v.kind(path+".kind", w.Kind)
	v.pattern(path+".namespace", "the namespace", w.Namespace, validation.IsDNS1123Label)
	v.pattern(path+".name", "the name", w.Name, validation.IsDNS1123Subdomain)
	v.labels(path+".labels", w.Labels)
	if w.Name == "" && len(w.Labels) == 0 {
		v.fail(path, "needs a name or labels; name: \"*\" means every %s", kindOrObject(w.Kind))
	}
}

func kindOrObject(kind string) string {
	if kind == "" {
		return "object"
	}
	return kind
}

func (v *collector) apiVersion(path, version string) {
	if version == "" || !v.resolved(path, version) {
		return
	}
	group, name, grouped := strings.Cut(version, "/")
	if !grouped {
		group, name = "", version
	}
	if !versionName.MatchString(name) || grouped && len(validation.IsDNS1123Subdomain(group)) > 0 {
		v.fail(path, "%q is no apiVersion: write group/version, such as apps/v1, or v1", version)
	}
}

func (v *collector) kind(path, kind string) {
	switch {
	case kind == "":
		v.fail(path, "is missing: say which kind of object is meant, such as DaemonSet")
	case !v.resolved(path, kind):
	case strings.Contains(kind, "*"):
		v.fail(path, "the kind %q holds a *: kinds are exact, write an entry for each", kind)
	case commonKind(kind) != "":
		v.fail(path, "there is no kind %q: did you mean %s?", kind, commonKind(kind))
	case !kindName.MatchString(kind):
		v.fail(path, "%q is no kind: kinds are written like DaemonSet", kind)
	}
}

// commonKind is the kind behind a spelling in other case or in the plural, or nothing.
func commonKind(kind string) string {
	i := slices.IndexFunc(commonKinds, func(known string) bool {
		return kind != known && (strings.EqualFold(kind, known) || strings.EqualFold(kind, known+"s"))
	})
	if i < 0 {
		return ""
	}
	return commonKinds[i]
}

// pattern checks a name in which * may stand for any characters.
func (v *collector) pattern(path, what, pattern string, rule func(string) []string) {
	switch {
	case pattern == "" || !v.resolved(path, pattern):
	case strings.ContainsAny(pattern, `?[]{}()^$+|\`) || strings.Contains(pattern, ".*"):
		v.fail(path, "%s %q looks like a regular expression or a shell pattern: only * is a wildcard, for any number of characters", what, pattern)
	default:
		v.check(path, what, pattern, rule(strings.ReplaceAll(pattern, "*", "x")))
	}
}
