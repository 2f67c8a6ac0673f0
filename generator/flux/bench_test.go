package flux

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkCorpus compares, on the largest checkout of the corpus, Read with the plain controller builds of the same
// Kustomizations. The ratio is what counts: seconds depend on the machine.
func BenchmarkCorpus(b *testing.B) {
	dir, entry := largest(b)
	c := openDir(b, dir)
	e := readEnv(b, c, Options{Path: entry})
	values := newValueSources()
	for o := range e.Objects() {
		values.add(o)
	}
	p := plain{dir: copyOf(b, dir), client: cluster{objects: values.objects, unseen: unseenOf(e)}, strict: true}
	var plainTime, readTime time.Duration
	for b.Loop() {
		start := time.Now()
		for _, k := range e.Kustomizations {
			if _, err := p.run(b.Context(), k); err != nil {
				b.Fatalf("%s: %v", k.ID, err)
			}
		}
		plainTime += time.Since(start)
		start = time.Now()
		fresh := openDir(b, dir)
		readEnv(b, fresh, Options{Path: entry})
		readTime += time.Since(start)
	}
	n := float64(b.N)
	b.ReportMetric(float64(len(e.Kustomizations)), "kustomizations")
	b.ReportMetric(plainTime.Seconds()/n, "plain-s/op")
	b.ReportMetric(readTime.Seconds()/n, "read-s/op")
	b.ReportMetric(readTime.Seconds()/plainTime.Seconds(), "ratio")
}

// unseenOf gives a value to every variable whose value the checkout does not show.
func unseenOf(e *Environment) map[string]string {
	all := map[string]string{}
	for o := range e.Objects() {
		for _, use := range o.Uses {
			if use.Unseen {
				all[use.Name] = "value"
			}
		}
	}
	return all
}

func largest(tb testing.TB) (dir, entry string) {
	tb.Helper()
	most := 0
	for _, candidate := range corpus(tb) {
		c := openDir(tb, candidate)
		for _, found := range Discover(c) {
			if n := len(readEnv(tb, c, Options{Path: found.Path}).Kustomizations); n > most {
				most, dir, entry = n, candidate, found.Path
			}
		}
	}
	return dir, entry
}

// BenchmarkGenerated reads generated checkouts of growing size: the time for each Kustomization must not grow.
func BenchmarkGenerated(b *testing.B) {
	for _, n := range []int{50, 100, 250, 500} {
		b.Run(fmt.Sprintf("%d-kustomizations", n), func(b *testing.B) {
			dir := b.TempDir()
			generate(b, dir, n)
			for b.Loop() {
				readEnv(b, openDir(b, dir), Options{Path: "clusters/dev"})
			}
			b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N)/float64(n), "ms/kustomization")
		})
	}
}

// generate writes a checkout with n Kustomizations besides the entrypoint, each with a Deployment, a HelmRelease that its
// spec.patches change, and variables of a shared ConfigMap.
func generate(tb testing.TB, dir string, n int) {
	tb.Helper()
	write := func(name, text string) {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	write("clusters/dev/vars.yaml", generatedVars)
	for i := range n {
		name := fmt.Sprintf("app-%03d", i)
		dependsOn := ""
		if i > 0 {
			dependsOn = fmt.Sprintf("  dependsOn: [{name: app-%03d}]\n", i/2)
		}
		write("clusters/dev/"+name+".yaml", fmt.Sprintf(generatedKustomization, name, dependsOn))
		write("apps/"+name+"/kustomization.yaml", "resources: [deployment.yaml, release.yaml]\n")
		write("apps/"+name+"/deployment.yaml", fmt.Sprintf(generatedDeployment, name))
		write("apps/"+name+"/release.yaml", fmt.Sprintf(generatedRelease, name))
	}
}

const generatedVars = `apiVersion: v1
kind: ConfigMap
metadata: {name: cluster-vars, namespace: flux-system}
data: {DOMAIN: example.org, REPLICAS: "2"}
`

const generatedKustomization = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: %[1]s, namespace: flux-system}
spec:
  interval: 10m
  path: ./apps/%[1]s
  prune: true
  sourceRef: {kind: GitRepository, name: flux-system}
%[2]s  postBuild:
    substituteFrom: [{kind: ConfigMap, name: cluster-vars}]
  patches:
    - target: {kind: HelmRelease}
      patch: |
        apiVersion: helm.toolkit.fluxcd.io/v2
        kind: HelmRelease
        metadata: {name: _}
        spec: {upgrade: {remediation: {retries: 3}}}
`

const generatedDeployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: %[1]s, namespace: apps}
spec:
  replicas: ${REPLICAS}
  selector: {matchLabels: {app: %[1]s}}
  template:
    metadata: {labels: {app: %[1]s}}
    spec:
      containers:
        - {name: app, image: "example.org/%[1]s:1", env: [{name: HOST, value: "%[1]s.${DOMAIN}"}]}
`

const generatedRelease = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: %[1]s, namespace: apps}
spec:
  interval: 1h
  chart: {spec: {chart: app, sourceRef: {kind: HelmRepository, name: apps}}}
  values: {ingress: {host: "%[1]s.${DOMAIN}"}}
`
