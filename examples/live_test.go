package examples_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	berthrender "github.com/berth-dev/berth/generator/render"
)

func TestTheLiveExampleBuildsAndItsIntentIsValid(t *testing.T) {
	items, err := berthrender.Build("live")
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, item := range items {
		ids = append(ids, item.ID())
	}
	if !slices.ContainsFunc(ids, func(id string) bool { return strings.HasPrefix(id, "ConfigMap berth/berth-intents-") }) || !slices.Contains(ids, "CronJob berth/berth-apply") {
		t.Errorf("built %v", ids)
	}
	text, err := os.ReadFile("live/taints.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v1alpha1.ReadTaintIntents("taints.yaml", text); err != nil {
		t.Error(err)
	}
}

// The role to read must not be able to change anything.
func TestTheRoleToReadOnlyLists(t *testing.T) {
	text, err := os.ReadFile("live/rbac.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range regexp.MustCompile(`(?m)^---$`).Split(string(text), -1) {
		var role rbacv1.ClusterRole
		if err := yaml.Unmarshal([]byte(document), &role); err != nil {
			t.Fatal(err)
		}
		if role.Name != "berth-read" {
			continue
		}
		for _, rule := range role.Rules {
			if !slices.Equal(rule.Verbs, []string{"list"}) {
				t.Errorf("%v may %v", rule.Resources, rule.Verbs)
			}
		}
	}
}
