package flux

import (
	"fmt"
	"strings"
	"testing"
)

func TestWhichSourceIsTheCheckout(t *testing.T) {
	app := func(kind, name string) string {
		return fmt.Sprintf("\n-- dev/app-%[2]s.yaml --\n{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: app, namespace: flux-system}, spec: {path: ./app, sourceRef: {kind: %[1]s, name: %[2]s}}}\n", kind, name)
	}
	source := func(kind, name, field, url string) string {
		return fmt.Sprintf("\n-- dev/source.yaml --\n{apiVersion: source.toolkit.fluxcd.io/v1, kind: %s, metadata: {name: %s, namespace: flux-system}, spec: {%s: %q}}\n", kind, name, field, url)
	}
	const content = "\n-- app/config.yaml --\n{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n"
	const config = "\n-- .git/config --\n[core]\n\turl = nothing\n[remote \"origin\"]\n\turl = git@example.org:home/cluster.git\n\tfetch = x\n[remote \"fork\"]\n\turl = https://example.org/fork\n"
	second := strings.NewReplacer("name: app,", "name: second,", "app-b", "second").Replace(app("GitRepository", "b"))
	cases := []struct {
		name, files string
		available   bool
		why         string
	}{
		{"flux-system, by convention", app("GitRepository", "flux-system"), true, "flux-system stands for this repository by convention"},
		{"flux-system as an artifact of this repository", app("OCIRepository", "flux-system"), true, "by convention"},
		{"a repository of the same URL, whatever the protocol", app("GitRepository", "home") + source("GitRepository", "home", "url", "https://Example.org/home/cluster") + config, true, "its URL is that of the checkout's remote origin"},
		{"the one that all use", app("GitRepository", "b") + second, true, "all Kustomizations of the entrypoint use it"},
		{"not one of several", app("GitRepository", "a") + second, false, "declared nowhere in this environment"},
		{"not another repository beside flux-system", app("GitRepository", "other") + strings.Replace(second, "name: b}", "name: flux-system}", 1) + source("GitRepository", "other", "url", "https://example.org/other"), false, "another repository, https://example.org/other"},
		{"not an OCI artifact", app("OCIRepository", "oci") + source("OCIRepository", "oci", "url", "oci://example.org/a"), false, "an OCI artifact, oci://example.org/a"},
		{"not a bucket", app("Bucket", "bucket") + source("Bucket", "bucket", "endpoint", "s3.example.org"), false, "a bucket, s3.example.org"},
		{"not an artifact that a controller makes", app("ExternalArtifact", "made"), false, "an artifact that a controller makes in the cluster"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			e := readEnv(t, openText(t, tc.files+content), Options{Path: "dev"})
			k := e.Kustomization(ID{"flux-system", "app"})
			if k.Source.Available != tc.available || !strings.Contains(k.Source.Why, tc.why) {
				t.Errorf("got %v, %q", k.Source.Available, k.Source.Why)
			}
			if tc.available != k.Built || tc.available == hasReason(k, SourceNotAvailable) {
				t.Errorf("built %v, problems %v", k.Built, k.Problems)
			}
			for _, s := range e.Sources {
				if s.Checkout != tc.available {
					t.Errorf("%s: checkout is %v", s.Object, s.Checkout)
				}
			}
		})
	}
}

func TestGitURLsOfOneRepositoryAreTheSame(t *testing.T) {
	same := []string{
		"https://example.org/a/b", "https://example.org/a/b.git", "https://user@Example.org/a/b/", "ssh://git@example.org/a/b",
		"ssh://git@example.org:2222/a/b.git", "git@example.org:a/b.git",
	}
	for _, a := range same {
		for _, b := range same {
			if !sameRepository(a, b) {
				t.Errorf("%s and %s differ", a, b)
			}
		}
	}
	for _, other := range []string{"", "https://example.org/a/c", "https://example.com/a/b"} {
		if sameRepository(same[0], other) {
			t.Errorf("%s and %s are the same", same[0], other)
		}
	}
}
