package rules

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
	"github.com/fluxcd/pkg/kustomize"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/flux"
	"github.com/berth-dev/berth/generator/report"
)

// BenchmarkCorpus compares, on the largest checkout of the corpus, all of berth check with the controller's builds of the
// same Kustomizations, without their substitution. The ratio is what counts: seconds depend on the machine.
func BenchmarkCorpus(b *testing.B) {
	dir, kustomizations := largest(b)
	target := copyOf(b, dir)
	var plainTime, checkTime time.Duration
	for b.Loop() {
		start := time.Now()
		for _, k := range kustomizations {
			plainBuild(b, target, k)
		}
		plainTime += time.Since(start)
		start = time.Now()
		whole(b, dir)
		checkTime += time.Since(start)
	}
	n := float64(b.N)
	b.ReportMetric(float64(len(kustomizations)), "kustomizations")
	b.ReportMetric(plainTime.Seconds()/n, "plain-s/op")
	b.ReportMetric(checkTime.Seconds()/n, "check-s/op")
	b.ReportMetric(checkTime.Seconds()/plainTime.Seconds(), "ratio")
}

// BenchmarkGenerated checks generated checkouts of growing size: the time for each Kustomization must not grow.
func BenchmarkGenerated(b *testing.B) {
	for _, n := range []int{50, 100, 250, 500} {
		b.Run(fmt.Sprintf("%d-kustomizations", n), func(b *testing.B) {
			dir := b.TempDir()
			generated(b, dir, n)
			for b.Loop() {
				whole(b, dir)
			}
			b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N)/float64(n), "ms/kustomization")
		})
	}
}

// whole is berth check from the first file to the last line.
func whole(b *testing.B, dir string) *check.Repository {
	b.Helper()
	setup, err := check.Find(dir, "")
	if err != nil {
		b.Fatal(err)
	}
	repository, err := check.Open(b.Context(), setup, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer repository.Checkout.Close() //nolint:errcheck // it was only read
	w, err := report.New("text", io.Discard, report.Options{})
	if err != nil {
		b.Fatal(err)
	}
	if err := report.Print(w, check.Run(repository, All())); err != nil {
		b.Fatal(err)
	}
	return repository
}

// plainBuild does what kustomize-controller does: write the kustomization.yaml, build, and take the file back.
func plainBuild(b *testing.B, root string, k *flux.Kustomization) {
	b.Helper()
	object, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&kustomizev1.Kustomization{Spec: k.Spec})
	if err != nil {
		b.Fatal(err)
	}
	dir := filepath.Join(root, filepath.FromSlash(k.Path))
	action, err := kustomize.NewGenerator(root, unstructured.Unstructured{Object: object}).WriteFile(dir, kustomize.WithSaveOriginalKustomization())
	if err != nil {
		b.Fatal(err)
	}
	resources, err := kustomize.SecureBuild(root, dir, false)
	if err != nil {
		b.Fatalf("%s: %v", k.ID, err)
	}
	if _, err := resources.AsYaml(); err != nil {
		b.Fatal(err)
	}
	if err := kustomize.CleanDirectory(dir, action); err != nil {
		b.Fatal(err)
	}
}

func largest(b *testing.B) (dir string, all []*flux.Kustomization) {
	b.Helper()
	for _, candidate := range corpus(b) {
		r := whole(b, candidate)
		for _, e := range r.Environments {
			var built []*flux.Kustomization
			for _, k := range e.Kustomizations {
				if k.Built {
					built = append(built, k)
				}
			}
			if len(built) > len(all) {
				dir, all = candidate, built
			}
		}
	}
	return dir, all
}

func copyOf(b *testing.B, dir string) string {
	b.Helper()
	target, err := filepath.EvalSymlinks(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	if err := os.CopyFS(target, os.DirFS(dir)); err != nil {
		b.Fatal(err)
	}
	err = filepath.WalkDir(target, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chmod(name, d.Type().Perm()|0o755)
	})
	if err != nil {
		b.Fatal(err)
	}
	return target
}

// generated writes a checkout with n Kustomizations in a tree of dependencies, each with a Deployment, a patch for it, and
// variables of a shared ConfigMap.
func generated(b *testing.B, dir string, n int) {
	b.Helper()
	put := func(name, text string) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	put("clusters/dev/vars.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cluster-vars, namespace: flux-system}\ndata: {DOMAIN: example.org}\n")
	put("taints.yaml", "apiVersion: berth.dev/v1alpha1\nkind: TaintIntent\nmetadata: {name: home}\nspec:\n  taints: [{name: wsl, taint: \"berth.dev/wsl=flaky:NoSchedule\"}]\n  nodes: [{names: [a]}, {names: [b], taints: [wsl]}]\n")
	for i := range n {
		name := fmt.Sprintf("app-%03d", i)
		depends := ""
		if i > 0 {
			depends = fmt.Sprintf("  dependsOn: [{name: app-%03d}]\n", i/2)
		}
		put("clusters/dev/"+name+".yaml", strings.ReplaceAll(generatedKustomization, "NAME", name)+depends)
		put("apps/"+name+"/kustomization.yaml", strings.ReplaceAll(generatedFolder, "NAME", name))
		put("apps/"+name+"/deployment.yaml", strings.ReplaceAll(generatedDeployment, "NAME", name))
	}
}

const generatedKustomization = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: NAME, namespace: flux-system}
spec:
  interval: 10m
  path: ./apps/NAME
  prune: true
  wait: true
  sourceRef: {kind: GitRepository, name: flux-system}
  postBuild: {substituteFrom: [{kind: ConfigMap, name: cluster-vars}]}
`

const generatedFolder = `resources: [deployment.yaml]
patches:
  - target: {kind: Deployment, name: NAME}
    patch: |
      - {op: add, path: /metadata/labels, value: {team: home}}
`

const generatedDeployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: NAME, namespace: default}
spec:
  selector: {matchLabels: {app: NAME}}
  template:
    metadata: {labels: {app: NAME}}
    spec:
      containers:
        - {name: app, image: "example.org/NAME:1", env: [{name: HOST, value: "NAME.${DOMAIN}"}]}
`
