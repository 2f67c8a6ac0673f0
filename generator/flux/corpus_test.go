package flux

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/yaml"
)

// corpus returns the folders of strangers' repositories, or skips the test.
func corpus(t testing.TB) []string {
	t.Helper()
	root := os.Getenv("BERTH_CORPUS")
	if root == "" {
		t.Skip("BERTH_CORPUS is not set: point it at a folder that holds checkouts of Flux repositories")
	}
	dirs, err := filepath.Glob(filepath.Join(root, "*"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("BERTH_CORPUS=%s holds no folders (%v)", root, err)
	}
	return dirs
}

func TestCorpusKustomizationsBuildToTheBytesOfThePlainLibrary(t *testing.T) {
	same := 0
	for _, dir := range corpus(t) {
		c := openDir(t, dir)
		target := copyOf(t, dir)
		for _, entry := range Discover(c) {
			e := readEnv(t, c, Options{Path: entry.Path})
			values := newValueSources()
			for o := range e.Objects() {
				values.add(o)
			}
			p := plain{dir: target, client: cluster{objects: values.objects}, strict: true}
			for _, k := range e.Kustomizations {
				if !k.Built || hasReason(k, RemoteBase) {
					continue
				}
				want, plainErr := p.at(t, c, k).run(t.Context(), k)
				got, problems, err := ours(t.Context(), e, values, k)
				if err != nil {
					t.Fatalf("%s: %v", k.ID, err)
				}
				if refused := len(problems) > 0 || len(k.Substitution.Missing)+len(k.Substitution.Unseen) > 0; (plainErr != nil) != refused {
					t.Errorf("%s: the plain library says %v, we say %v", k.ID, plainErr, problems)
				}
				if plainErr != nil {
					continue
				}
				if !bytes.Equal(got, want) {
					t.Errorf("%s %s differs: %s", filepath.Base(dir), k.ID, firstDifference(got, want))
				}
				same++
			}
		}
	}
	t.Logf("%d Kustomizations build to the same bytes", same)
}

func TestCorpusFoldersBuildToTheBytesOfThePlainLibrary(t *testing.T) {
	same, refused := 0, 0
	for _, dir := range corpus(t) {
		c := openDir(t, dir)
		p := plain{dir: copyOf(t, dir)}
		for _, file := range c.Files() {
			if !isKustomizationFile(path.Base(file)) || !buildable(t, c, file) {
				continue
			}
			k := &Kustomization{Path: path.Dir(file)}
			b := builder{checkout: c}
			built, err := b.run(k.Spec, k.Path, c.all)
			if err == nil && len(built.remote) > 0 {
				continue // the plain library would go to the network
			}
			want, wantErr := p.run(t.Context(), k)
			if (err == nil) != (wantErr == nil) {
				t.Errorf("%s: the plain library says %v, we say %v", file, wantErr, err)
				continue
			}
			if err != nil {
				refused++
				continue
			}
			got, err := built.resources.AsYaml()
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s differs (%v): %s", file, err, firstDifference(got, want))
			}
			same++
		}
	}
	t.Logf("%d folders build to the same bytes, %d are refused by both", same, refused)
}

// buildable leaves out components, which need a parent, and Flux's own Kustomizations in a file of that name.
func buildable(t *testing.T, c *Checkout, file string) bool {
	t.Helper()
	content, err := c.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var k types.Kustomization
	_ = yaml.Unmarshal(content, &k)
	return k.Kind != types.ComponentKind && !strings.HasPrefix(k.APIVersion, group)
}

func TestCorpusLeavesNothingUnexplained(t *testing.T) {
	for _, dir := range corpus(t) {
		c := openDir(t, dir)
		for _, entry := range Discover(c) {
			e := readEnv(t, c, Options{Path: entry.Path})
			built, objects := 0, 0
			for _, k := range e.Kustomizations {
				if !k.Built && len(k.Problems) == 0 {
					t.Errorf("%s %s is not built, and nothing says why", filepath.Base(dir), k.ID)
				}
				if k.Built {
					built++
				}
				for _, o := range k.Objects {
					objects++
					if o.Origin.File == "" {
						t.Errorf("%s of %s: where it comes from is not known", o, k.ID)
					}
				}
			}
			t.Logf("%s %s: %d Kustomizations, %d built; %d objects; %d HelmReleases; %d not seen",
				filepath.Base(dir), entry.Path, len(e.Kustomizations), built, objects, len(e.HelmReleases), len(e.Unseen))
		}
	}
}
