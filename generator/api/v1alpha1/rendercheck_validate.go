package v1alpha1

import (
	"path"
	"regexp"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/berth-dev/berth/generator/api/strict"
)

// Validate checks what a RenderCheck says by itself. Whether its paths exist, and its expressions compile, is for package
// check. The error is a strict.Problems.
func (c *RenderCheck) Validate() error {
	v := &collector{origin: c.origin}
	v.name("check", c.Metadata.Name)
	v.marks(c.Metadata.Labels, c.Metadata.Annotations)
	s := &c.Spec
	if s.FluxVersion != "" && !fluxVersion.MatchString(s.FluxVersion) {
		v.fail("spec.fluxVersion", `%q is no version of Flux 2: write it like "2.9"`, s.FluxVersion)
	}
	v.environments(s.Environments)
	v.paths("spec.intents", s.Intents)
	if s.Variables != nil {
		v.variables("spec.variables", s.Variables)
	}
	for i, crd := range s.RuntimeCRDs {
		v.runtimeCRD(strict.Item("spec.runtimeCRDs", i), crd)
	}
	for i, name := range s.Provides {
		v.resourceName(strict.Item("spec.provides", i), name)
	}
	for i, g := range s.Generated {
		at := strict.Item("spec.generated", i)
		v.inside(at+".path", g.Path)
		v.paths(at+".from", g.From)
		v.paths(at+".nodesFrom", g.NodesFrom)
		v.paths(at+".intents", g.Intents)
		if len(g.Intents) == 0 {
			v.fail(at+".intents", "is empty: list the files that were given to berth generate")
		}
	}
	for i, entry := range s.Ignore {
		v.ignored(strict.Item("spec.ignore", i), entry)
	}
	return v.problems.Err()
}

var fluxVersion = regexp.MustCompile(`^v?2\.[0-9]+(\.[0-9]+)?$`)

func (c *collector) environments(all []CheckedEnvironment) {
	names, folders := map[string]string{}, map[string]string{}
	for i, e := range all {
		at := strict.Item("spec.environments", i)
		c.said(at+".name", e.Name, "what the report calls the environment")
		c.inside(at+".path", e.Path)
		c.oneOf(at+".stage", string(e.Stage), string(Active), string(DesignOnly))
		c.once(names, at+".name", e.Name)
		c.once(folders, at+".path", path.Clean(e.Path))
		c.paths(at+".intents", e.Intents)
	}
}

// once refuses a value that an earlier field had.
func (c *collector) once(first map[string]string, at, value string) {
	if earlier, twice := first[value]; twice {
		c.fail(at, "%q was used before, %s", value, c.origin.Where(earlier))
		return
	}
	first[value] = at
}

func (c *collector) paths(at string, all []string) {
	for i, p := range all {
		c.inside(strict.Item(at, i), p)
	}
}

// inside refuses a path that leads out of the repository.
func (c *collector) inside(at, p string) {
	clean := path.Clean(p)
	switch {
	case strings.TrimSpace(p) == "":
		c.fail(at, "is missing: write a path relative to the repository's root")
	case !c.resolved(at, p):
	case path.IsAbs(p) || clean == ".." || strings.HasPrefix(clean, "../") || strings.Contains(p, `\`):
		c.fail(at, "%q leads out of the repository: write a path relative to its root, with slashes", p)
	}
}

func (c *collector) ignored(at string, entry IgnoredFinding) {
	c.said(at+".code", entry.Code, "which finding is meant, by its code")
	c.said(at+".reason", entry.Reason, "why it is accepted")
	if entry.Path != "" {
		c.inside(at+".path", entry.Path)
	}
	if _, err := time.Parse(time.DateOnly, string(entry.Until)); err != nil {
		c.fail(at+".until", "%q is no day: write the last day on which the finding is accepted, such as 2027-01-31", entry.Until)
	}
}

func (c *collector) runtimeCRD(at string, crd RuntimeCRD) {
	c.said(at+".madeBy.apiVersion", crd.MadeBy.APIVersion, "the apiVersion of the object that makes the controller act")
	c.said(at+".madeBy.kind", crd.MadeBy.Kind, "the kind of the object that makes the controller act")
	if len(crd.Kinds) == 0 {
		c.fail(at+".kinds", "is empty: list the kinds as Kind.group, such as DataVolume.cdi.kubevirt.io")
	}
	for i, kind := range crd.Kinds {
		name, group, ok := strings.Cut(kind, ".")
		if !ok || name == "" || len(validation.IsDNS1123Subdomain(group)) > 0 {
			c.fail(strict.Item(at+".kinds", i), "%q is no kind with its group: write it like DataVolume.cdi.kubevirt.io", kind)
		}
	}
}
