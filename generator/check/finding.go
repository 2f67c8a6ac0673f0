package check

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/flux"
	"github.com/berth-dev/berth/generator/tree"
)

// Finding is something that is wrong, in one or more environments.
type Finding struct {
	finding.Finding
	// Environments are the names of those that have it, in the order of the setup. It is empty for what is wrong with the
	// repository as a whole.
	Environments []string `json:"environments,omitempty"`
	// Fingerprint stays the same as long as the finding does, whatever happens to lines above it.
	Fingerprint string `json:"fingerprint"`
}

// On makes a finding about a place in an object. The message is one sentence without its end, and so is the action.
func On(o *flux.Object, path tree.Path, message, action string) Finding {
	object := o.Object
	f := At(o.Source(), message, action)
	f.Object = &object
	if len(path) > 0 {
		f.Field, f.Source = path.String(), o.SourceOf(path)
	}
	return f
}

// OnKustomization makes a finding about a place in a Flux Kustomization.
func OnKustomization(k *flux.Kustomization, path tree.Path, message, action string) Finding {
	if k.Object != nil {
		return On(k.Object, path, message, action)
	}
	f := At(k.Place(), message, action)
	f.Object = &finding.Object{APIVersion: "kustomize.toolkit.fluxcd.io/v1", Kind: "Kustomization", Namespace: k.Namespace, Name: k.Name}
	return f
}

// At makes a finding about a place in a file.
func At(at finding.Source, message, action string) Finding {
	f := Finding{}
	f.Source, f.Message, f.Action = at, message, action
	return f
}

// As returns the finding with another severity.
func (f Finding) As(s finding.Severity) Finding {
	f.Severity = s
	return f
}

// key is what makes two findings the same one, seen in two environments.
func (f *Finding) key() string {
	return strings.Join([]string{f.Code, string(f.Severity), f.Source.String(), f.object(), f.Field, f.Message, f.Action}, "\x00")
}

func (f *Finding) object() string {
	if f.Object == nil {
		return ""
	}
	return f.Object.String()
}

// mark computes the fingerprint.
func (f *Finding) mark() {
	sum := sha256.Sum256([]byte(strings.Join([]string{f.Code, f.File, f.object(), f.Field, f.Message}, "\x00")))
	f.Fingerprint = hex.EncodeToString(sum[:8])
}

// merge folds the same finding of several environments into one, and sorts: errors first, then by place.
func merge(all []Finding) []Finding {
	byKey := map[string]int{}
	var merged []Finding
	for _, f := range all {
		f.mark()
		if i, ok := byKey[f.key()]; ok {
			for _, name := range f.Environments {
				if !slices.Contains(merged[i].Environments, name) {
					merged[i].Environments = append(merged[i].Environments, name)
				}
			}
			continue
		}
		byKey[f.key()] = len(merged)
		merged = append(merged, f)
	}
	Sort(merged)
	return merged
}

// Sort puts the worst first, then orders by place, code, object and message.
func Sort(all []Finding) {
	rank := map[finding.Severity]int{finding.Error: 0, finding.Warning: 1, finding.Info: 2}
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(rank[a.Severity], rank[b.Severity]), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Code, b.Code), cmp.Compare(a.object(), b.object()), cmp.Compare(a.Field, b.Field), cmp.Compare(a.Message, b.Message))
	})
}

// Where names the finding's place for a person: the file and line, or the object where no file is known.
func (f *Finding) Where() string {
	if at := f.Source.String(); at != "" {
		return at
	}
	return cmp.Or(f.object(), fmt.Sprintf("(%s)", strings.Join(f.Environments, ", ")))
}
