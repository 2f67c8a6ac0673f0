package v1alpha1

import "testing"

const smallCheck = `apiVersion: berth.dev/v1alpha1
kind: RenderCheck
metadata: {name: home}
spec:
  ignore:
    - {code: remote-base, path: apps/legacy/, object: Deployment plex/*, reason: leaves with the app, until: 2027-01-31}
    - {code: remote-base, reason: all of them, until: 2027-01-31}
`

func TestADayMayStandWithoutQuotes(t *testing.T) {
	checks, err := ReadRenderChecks("berth.yaml", []byte(smallCheck))
	if err != nil || len(checks) != 1 || checks[0].Spec.Ignore[0].Until != "2027-01-31" {
		t.Fatalf("%+v, %v", checks, err)
	}
	if at := checks[0].Position("spec.ignore[1]").String(); at != "berth.yaml:7" {
		t.Errorf("the second entry stands at %s", at)
	}
}

func TestAnEntryMeansAFindingByCodeFolderAndObject(t *testing.T) {
	checks, err := ReadRenderChecks("berth.yaml", []byte(smallCheck))
	if err != nil {
		t.Fatal(err)
	}
	narrow, wide := &checks[0].Spec.Ignore[0], &checks[0].Spec.Ignore[1]
	for name, c := range map[string]struct {
		code, file, object string
		narrow, wide       bool
	}{
		"inside":         {"remote-base", "apps/legacy/kustomization.yaml", "Deployment plex/plex", true, true},
		"another object": {"remote-base", "apps/legacy/kustomization.yaml", "Deployment web/web", false, true},
		"another folder": {"remote-base", "apps/legacy-2/kustomization.yaml", "Deployment plex/plex", false, true},
		"another code":   {"placeholder", "apps/legacy/kustomization.yaml", "Deployment plex/plex", false, false},
	} {
		if got := narrow.Means(c.code, c.file, c.object); got != c.narrow {
			t.Errorf("%s: the narrow entry says %v", name, got)
		}
		if got := wide.Means(c.code, c.file, c.object); got != c.wide {
			t.Errorf("%s: the wide entry says %v", name, got)
		}
	}
}

func TestAPlaceholderIsAWholeValue(t *testing.T) {
	v := &CheckedVariables{Placeholders: []string{"TBD-*", "CHANGEME"}}
	for value, want := range map[string]bool{"TBD-PROD-VIP": true, "CHANGEME": true, "not TBD-yet": false, "": false} {
		if got := v.IsPlaceholder(value); got != want {
			t.Errorf("%q: %v", value, got)
		}
	}
}
