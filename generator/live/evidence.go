package live

import (
	"fmt"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/daemonset"
	"github.com/berth-dev/berth/generator/finding"
)

// Looker says who looked, when and how, for those who read the evidence later.
type Looker struct {
	By, At, With string
}

// Evidence turns a sighting into the object that lets a plugin's consumers be switched. The findings are what is missing:
// then there is no evidence. The rule is that of daemonset.Prove, so that what is written here is never refused there.
func (s *Sighting) Evidence(plugin *v1alpha1.DevicePlugin, by Looker) (*v1alpha1.DeviceEvidence, []finding.Finding, error) {
	if len(s.Missing) > 0 {
		return nil, s.Missing, nil
	}
	evidence := &v1alpha1.DeviceEvidence{
		TypeMeta: v1alpha1.TypeMeta{APIVersion: v1alpha1.GroupVersion, Kind: v1alpha1.KindDeviceEvidence},
		Metadata: v1alpha1.FileMeta{Name: plugin.Metadata.Name, Annotations: map[string]string{"config.kubernetes.io/local-config": "true"}},
		Spec: v1alpha1.DeviceEvidenceSpec{
			Plugin: plugin.Metadata.Name, Image: plugin.Spec.Image, SeenBy: by.By, SeenAt: by.At, SeenWith: by.With, Nodes: s.Nodes,
		},
	}
	if err := evidence.Validate(); err != nil {
		return nil, nil, fmt.Errorf("the evidence of %s: %w", plugin.Metadata.Name, err)
	}
	if missing := daemonset.Prove(plugin, []*v1alpha1.DeviceEvidence{evidence}); len(missing) > 0 {
		return nil, missing, nil
	}
	return evidence, nil, nil
}
