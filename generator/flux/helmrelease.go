package flux

import (
	"fmt"

	helmv2 "github.com/fluxcd/helm-controller/api/v2"
	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
	"sigs.k8s.io/yaml"
)

// HelmRelease is a Flux HelmRelease (helm.toolkit.fluxcd.io). Its chart is not rendered.
type HelmRelease struct {
	ID
	Object *Object
	Spec   helmv2.HelmReleaseSpec
	// Values are the values that can be seen, merged as helm-controller does it: valuesFrom in its order, then
	// spec.values.
	Values map[string]any
	// Unseen are the entries of valuesFrom whose values are not part of Values.
	Unseen []Reference
	// Err says why the object is no valid HelmRelease; Spec may then be empty.
	Err error
}

func newHelmRelease(o *Object, values *valueSources) *HelmRelease {
	h := &HelmRelease{ID: ID{o.Namespace, o.Name}, Object: o, Values: map[string]any{}}
	release := helmv2.HelmRelease{}
	if err := decodeObject(o, &release); err != nil {
		h.Err = fmt.Errorf("%s: %w", o.Object, err)
		return h
	}
	h.Spec = release.Spec
	for _, ref := range h.Spec.ValuesFrom {
		h.merge(ref, values.find(o.Namespace, kustomizev1.SubstituteReference{Kind: ref.Kind, Name: ref.Name}))
	}
	if inline := release.GetValues(); inline != nil {
		h.Values = mergeMaps(h.Values, inline)
	}
	return h
}

func (h *HelmRelease) merge(ref helmv2.ValuesReference, found lookup) {
	reference := Reference{Kind: ref.Kind, Name: ref.Name, Optional: ref.Optional, Reason: found.reason}
	if found.state == absent && ref.Optional {
		return
	}
	if found.state != seen {
		h.Unseen = append(h.Unseen, reference)
		return
	}
	text, ok := found.data[ref.GetValuesKey()]
	switch {
	case !ok && ref.Optional:
		return
	case !ok:
		reference.Reason = fmt.Sprintf("%s has no key %s", found.object.Object, ref.GetValuesKey())
	case ref.TargetPath != "":
		reference.Reason = fmt.Sprintf("%s goes to %s, which is not followed", found.object.Object, ref.TargetPath)
	default:
		values := map[string]any{}
		err := yaml.Unmarshal([]byte(text), &values)
		if err == nil {
			h.Values = mergeMaps(h.Values, values)
			return
		}
		reference.Reason = fmt.Sprintf("%s key %s is no YAML mapping: %v", found.object.Object, ref.GetValuesKey(), err)
	}
	h.Unseen = append(h.Unseen, reference)
}

// mergeMaps lays one map of values over another: maps merge, everything else is replaced (Helm's coalescing).
func mergeMaps(under, over map[string]any) map[string]any {
	merged := make(map[string]any, len(under)+len(over))
	for key, value := range under {
		merged[key] = value
	}
	for key, value := range over {
		below, isMap := merged[key].(map[string]any)
		above, alsoMap := value.(map[string]any)
		if isMap && alsoMap {
			merged[key] = mergeMaps(below, above)
			continue
		}
		merged[key] = value
	}
	return merged
}
