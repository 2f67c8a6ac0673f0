package podspec

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/tree"
)

func TestEveryRowOfTheTableParses(t *testing.T) {
	for _, r := range builtin {
		if _, err := tree.Parse(r.tolerations); err != nil {
			t.Errorf("%s %s: %v", r.group, r.kind, err)
		}
	}
}

func TestSlotsOfEachKind(t *testing.T) {
	template := "spec.template.spec.tolerations spec.template.spec.affinity"
	cases := map[string]struct{ apiVersion, kind, want string }{
		"Pod":                   {"v1", "Pod", "spec.tolerations spec.affinity"},
		"PodTemplate":           {"v1", "PodTemplate", "template.spec.tolerations template.spec.affinity"},
		"ReplicationController": {"v1", "ReplicationController", template},
		"Deployment":            {"apps/v1", "Deployment", template},
		"an older version":      {"apps/v1beta2", "Deployment", template},
		"StatefulSet":           {"apps/v1", "StatefulSet", template},
		"DaemonSet":             {"apps/v1", "DaemonSet", template},
		"ReplicaSet":            {"apps/v1", "ReplicaSet", template},
		"Job":                   {"batch/v1", "Job", template},
		"CronJob":               {"batch/v1", "CronJob", "spec.jobTemplate.spec.template.spec.tolerations spec.jobTemplate.spec.template.spec.affinity"},
	}
	root := yaml.MustParse("{}").YNode()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			slots, err := Slots(root, Object{APIVersion: c.apiVersion, Kind: c.kind}, v1alpha1.Carrier{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range slots {
				got = append(got, s.Tolerations.String()+" "+s.Affinity.String())
			}
			if diff := cmp.Diff([]string{c.want}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAKindThatCarriesNothingIsAnError(t *testing.T) {
	root := yaml.MustParse("{}").YNode()
	cases := map[string]struct {
		object  Object
		carrier v1alpha1.Carrier
		want    string
	}{
		"a ConfigMap":                {Object{APIVersion: "v1", Kind: "ConfigMap"}, v1alpha1.Carrier{}, "not a kind that is known to carry"},
		"a Deployment of another":    {Object{APIVersion: "example.com/v1", Kind: "Deployment"}, v1alpha1.Carrier{}, "Deployment of example.com/v1"},
		"a HelmRelease without path": {Object{APIVersion: helmGroup + "/v2", Kind: "HelmRelease"}, v1alpha1.Carrier{}, "name the place in helm.values"},
		"a path that is none":        {Object{APIVersion: helmGroup + "/v2", Kind: "HelmRelease"}, v1alpha1.Carrier{Helm: &v1alpha1.Helm{Values: []string{"a..b"}}}, "a key is empty"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := Slots(root, c.object, c.carrier)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}
