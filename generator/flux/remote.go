package flux

import (
	"bytes"
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/yaml"

	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/remote"
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

// fileProblem says that there is no build without a file that is fetched.
func (w *walk) fileProblem(k *Kustomization, e *remote.Error) Problem {
	p := w.remoteProblem(remoteRef{e.File, e.URL})
	p.Reason = RemoteFile
	p.Message = fmt.Sprintf("the folder %s cannot be built offline, since %s is fetched in the build", k.Path, e.URL)
	return p
}

func isKustomizationFile(base string) bool {
	return slices.Contains(konfig.RecognizedKustomizationFileNames(), base)
}

// withoutRemotes cuts the bases out that kustomize would fetch, and notes them. The text stays as it is when there are none.
func (v *view) withoutRemotes(file string, content []byte) ([]byte, error) {
	found := remote.Find(content)
	if len(found.Files) > 0 {
		return nil, v.refuse(file, found.Files[0])
	}
	if len(found.Bases) == 0 {
		return content, nil
	}
	var k types.Kustomization
	if err := yaml.Unmarshal(content, &k); err != nil {
		return nil, v.refuse(file, found.Bases[0]) // an old notation, or a fault: which of the two is for kustomize to know
	}
	k.Resources = v.cut(file, k.Resources)
	k.Components = v.cut(file, k.Components)
	k.Bases = v.cut(file, k.Bases) //nolint:staticcheck // the controller still reads the old field
	if len(k.BuildMetadata) == 0 {
		k.BuildMetadata = []string{types.OriginAnnotations} // kustomize refuses an empty file
	}
	return yaml.Marshal(k)
}

// refuse keeps a file back that would make kustomize fetch something.
func (v *view) refuse(file, url string) error {
	v.refused = &remote.Error{File: file, URL: url}
	return v.refused
}

func (v *view) cut(file string, entries []string) []string {
	return slices.DeleteFunc(entries, func(entry string) bool {
		if !remote.Is(entry) {
			return false
		}
		v.remote = append(v.remote, remoteRef{file, entry})
		return true
	})
}
