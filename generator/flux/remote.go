package flux

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/yaml"

	"github.com/berth-dev/berth/generator/finding"
)

// remoteRef is an entry of a kustomization.yaml that kustomize would fetch.
type remoteRef struct {
	file string // in the checkout
	url  string
}

// remoteProblem says that a build went on without a remote base.
func (w *walk) remoteProblem(r remoteRef) Problem {
	at := finding.Source{File: r.file}
	if content, err := w.env.Checkout.ReadFile(r.file); err == nil {
		before, _, _ := bytes.Cut(content, []byte(r.url))
		at.Line = bytes.Count(before, []byte("\n")) + 1
	}
	return Problem{
		Reason: RemoteBase, Source: at, subject: r.url,
		Message: fmt.Sprintf("%s is fetched at every reconcile and cannot be seen offline", r.url),
	}
}

func isKustomizationFile(base string) bool {
	return slices.Contains(konfig.RecognizedKustomizationFileNames(), base)
}

// isRemote asks kustomize whether it would fetch a path. It clones what its own parser takes for a repository, and the
// same parser decides how an origin is written.
func isRemote(entry string) bool {
	if hasURLScheme(entry) {
		return true
	}
	return new(resource.Origin).Append(entry).Repo != ""
}

func hasURLScheme(entry string) bool {
	lower := strings.ToLower(entry)
	return strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://")
}

// withoutRemotes cuts the entries out that kustomize would fetch, and notes them. The text stays as it is when there are
// none.
func (v *view) withoutRemotes(file string, content []byte) ([]byte, error) {
	if !mayBeRemote(content) {
		return content, nil
	}
	var k types.Kustomization
	if err := yaml.Unmarshal(content, &k); err != nil {
		return content, nil // kustomize will say what is wrong, in its own words
	}
	before := len(v.remote)
	k.Resources = v.cut(file, k.Resources)
	k.Components = v.cut(file, k.Components)
	k.Bases = v.cut(file, k.Bases) //nolint:staticcheck // the controller still reads the old field
	if other := otherRemote(k); other != "" {
		v.refused = fmt.Errorf("%s refers to %s, which cannot be fetched offline", file, other)
		return nil, v.refused
	}
	if len(v.remote) == before {
		return content, nil
	}
	if len(k.BuildMetadata) == 0 {
		k.BuildMetadata = []string{types.OriginAnnotations} // kustomize refuses an empty file
	}
	return yaml.Marshal(k)
}

func mayBeRemote(content []byte) bool {
	for _, sign := range []string{"://", "git@", "github.com", "git::"} {
		if bytes.Contains(bytes.ToLower(content), []byte(sign)) {
			return true
		}
	}
	return bytes.Contains(content, []byte("@"))
}

func (v *view) cut(file string, entries []string) []string {
	return slices.DeleteFunc(entries, func(entry string) bool {
		if strings.ContainsAny(entry, "\n{") || !isRemote(entry) {
			return false
		}
		v.remote = append(v.remote, remoteRef{file, entry})
		return true
	})
}

// otherRemote finds a URL where a file is meant. Without the file the build would mean something else, so it is not cut.
func otherRemote(k types.Kustomization) string {
	paths := slices.Concat(k.Crds, k.Configurations, k.Generators, k.Transformers, k.Validators, []string{k.OpenAPI["path"]})
	for _, p := range k.Patches {
		paths = append(paths, p.Path)
	}
	for _, r := range k.Replacements {
		paths = append(paths, r.Path)
	}
	for _, g := range k.ConfigMapGenerator {
		paths = slices.Concat(paths, g.EnvSources, values(g.FileSources))
	}
	for _, g := range k.SecretGenerator {
		paths = slices.Concat(paths, g.EnvSources, values(g.FileSources))
	}
	for _, p := range paths {
		if hasURLScheme(p) || (!strings.Contains(p, "\n") && strings.Contains(p, "://") && isRemote(p)) {
			return p
		}
	}
	return ""
}

// values cuts the key off the file of a generator's key=file.
func values(sources []string) []string {
	files := make([]string, len(sources))
	for i, source := range sources {
		_, file, found := strings.Cut(source, "=")
		if !found {
			file = source
		}
		files[i] = file
	}
	return files
}
