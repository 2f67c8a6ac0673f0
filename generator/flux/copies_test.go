package flux

import (
	"bytes"
	"strings"
	"testing"
)

// artifacts is a checkout whose ArtifactGenerator makes the artifact app with the given copies.
func artifacts(copies, path string) string {
	return `
-- dev/generator.yaml --
apiVersion: source.extensions.fluxcd.io/v1beta1
kind: ArtifactGenerator
metadata: {name: g, namespace: flux-system}
spec:
  sources: [{alias: repo, kind: GitRepository, name: flux-system}, {alias: other, kind: OCIRepository, name: elsewhere}]
  artifacts: [{name: app, copy: [` + copies + `]}]
-- dev/app.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: app, namespace: flux-system}
spec: {path: ` + path + `, namePrefix: x-, sourceRef: {kind: ExternalArtifact, name: app}}
-- apps/base/kustomization.yaml --
resources: [config.yaml]
-- apps/base/config.yaml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: base}}
-- apps/prod/kustomization.yaml --
resources: [../base]
configMapGenerator: [{name: made, literals: [a=b]}]
-- plain/config.yaml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: plain}}
`
}

func TestArtifactsThatAreCopiedFromTheCheckoutAreBuilt(t *testing.T) {
	cases := []struct{ name, copies, path, folder, file string }{
		{"two folders, as they were", `{from: "@repo/apps/base/**", to: "@artifact/base/"}, {from: "@repo/apps/prod/**", to: "@artifact/prod/"}`, "./prod", "apps/prod", "apps/base/config.yaml"},
		{"a folder with its name", `{from: "@repo/apps", to: "@artifact/deep/"}`, "./deep/apps/base", "apps/base", "apps/base/config.yaml"},
		{"everything", `{from: "@repo/**", to: "@artifact/"}`, "./apps/prod", "apps/prod", "apps/base/config.yaml"},
		{"a folder without a kustomization.yaml as the root", `{from: "@repo/plain/**", to: "@artifact/"}`, "./", "plain", "plain/config.yaml"},
		{"a file", `{from: "@repo/plain/config.yaml", to: "@artifact/config.yaml"}`, "./", "plain", "plain/config.yaml"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			c := openText(t, artifacts(tc.copies, tc.path))
			e := readEnv(t, c, Options{Path: "dev"})
			k := e.Kustomization(ID{"flux-system", "app"})
			if !k.Built || k.Path != tc.folder || k.Objects[0].Origin.File != tc.file {
				t.Fatalf("built %v from %s: %v, %v", k.Built, k.Path, k.Problems, k.Objects)
			}
			want, err := plain{}.at(t, c, k).run(t.Context(), k)
			if err != nil {
				t.Fatal(err)
			}
			got, _, err := ours(t.Context(), e, newValueSources(), k)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%v: %s", err, firstDifference(got, want))
			}
		})
	}
}

func TestArtifactsThatCannotBeFollowedSayWhy(t *testing.T) {
	for copies, want := range map[string]string{
		`{from: "@other/**", to: "@artifact/"}`:                                                                        "made by ArtifactGenerator flux-system/g: OCIRepository flux-system/elsewhere: declared nowhere",
		`{from: "@nobody/**", to: "@artifact/"}`:                                                                       "no source has the alias nobody",
		`{from: "@repo/apps/*/config.yaml", to: "@artifact/"}`:                                                         "the copy from @repo/apps/*/config.yaml to @artifact/ is not followed",
		`{from: "@repo/apps/**", to: "@artifact/", exclude: ["*.md"]}`:                                                 "is not followed",
		`{from: "@repo/apps/**", to: "@artifact/", strategy: Merge}`:                                                   "is not followed",
		`{from: "@repo/nowhere", to: "@artifact/"}`:                                                                    "the copy from @repo/nowhere finds nothing",
		`{from: "@repo/apps/base/**", to: "@artifact/"}, {from: "@repo/plain/config.yaml", to: "@artifact/more.yaml"}`: "put together from several folders",
	} {
		k := readEnv(t, openText(t, artifacts(copies, "./")), Options{Path: "dev"}).Kustomization(ID{"flux-system", "app"})
		if k.Built || !strings.Contains(k.Problems[0].Message, want) {
			t.Errorf("%s: got %v", copies, k.Problems)
		}
	}
}
