package flux

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
	"github.com/fluxcd/pkg/kustomize"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	kubeschema "k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/kustomize/api/resmap"
)

// plain does to a copy of a checkout what kustomize-controller does, with nothing but its library: write the
// kustomization.yaml, SecureBuild with a schema parsed anew, SubstituteVariables. It is the measure for everything here.
type plain struct {
	dir    string
	client client.Client
	strict bool
}

func copyOf(t testing.TB, dir string) string {
	t.Helper()
	target, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(target, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(target, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if d.IsDir() {
			mode = 0o755
		}
		return os.Chmod(name, mode)
	})
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// at returns the controller for a Kustomization whose files an ArtifactGenerator copied: they are copied for it.
func (p plain) at(t testing.TB, c *Checkout, k *Kustomization) plain {
	t.Helper()
	if k.artifact == nil || k.artifact.real == nil {
		return p
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range k.artifact.real {
		text, err := c.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), string(text))
	}
	p.dir = dir
	return p
}

// run returns what the controller would hand to its server-side apply.
func (p plain) run(ctx context.Context, k *Kustomization) ([]byte, error) {
	object, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&kustomizev1.Kustomization{Spec: k.Spec})
	if err != nil {
		return nil, err
	}
	u := unstructured.Unstructured{Object: object}
	u.SetNamespace(k.Namespace)
	u.SetName(k.Name)
	dir := filepath.Join(p.dir, filepath.FromSlash(cmp.Or(k.dir, k.Path)))
	action, err := kustomize.NewGenerator(p.dir, u).WriteFile(dir, kustomize.WithSaveOriginalKustomization())
	if err != nil {
		return nil, err
	}
	m, err := kustomize.SecureBuild(p.dir, dir, false)
	if err := errors.Join(err, kustomize.CleanDirectory(dir, action)); err != nil {
		return nil, err
	}
	if k.Spec.PostBuild != nil {
		if err := p.substitute(ctx, k, u, m); err != nil {
			return nil, err
		}
	}
	return m.AsYaml()
}

func (p plain) substitute(ctx context.Context, k *Kustomization, u unstructured.Unstructured, m resmap.ResMap) error {
	always := k.Spec.PostBuild.SubstituteStrategy == kustomizev1.SubstituteStrategyAlways
	for _, r := range m.Resources() {
		out, err := kustomize.SubstituteVariables(ctx, p.client, u, r,
			kustomize.SubstituteWithStrict(p.strict), kustomize.SubstituteWithAlways(always))
		if err != nil {
			return err
		}
		if out != nil {
			if _, err := m.Replace(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// ours returns the same bytes from this package, before commonMetadata.
func ours(ctx context.Context, e *Environment, values *valueSources, k *Kustomization) ([]byte, []Problem, error) {
	b := builder{checkout: e.Checkout}
	built, err := b.run(k.Spec, k.dir, k.artifact)
	if err != nil {
		return nil, nil, err
	}
	copied := *k
	s := newSubstituter(&copied, values, e.Rules)
	var problems []Problem
	for i, r := range built.resources.Resources() {
		problems = append(problems, s.apply(ctx, newObject(&copied, e.Checkout, &r.RNode, built.origins[i]), r)...)
	}
	text, err := built.resources.AsYaml()
	return text, problems, err
}

// cluster answers the controller's questions for ConfigMaps and Secrets with what an environment builds.
type cluster struct {
	client.Client
	objects map[objectKey]*Object
	// unseen is the content of every Secret that the checkout does not show, when it is set.
	unseen map[string]string
}

func (c cluster) Get(_ context.Context, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	kind := "ConfigMap"
	if _, ok := into.(*corev1.Secret); ok {
		kind = "Secret"
	}
	o := c.objects[objectKey{"", kind, key.Namespace, key.Name}]
	if secret, ok := into.(*corev1.Secret); ok && o == nil && c.unseen != nil {
		secret.Data = map[string][]byte{}
		for name, value := range c.unseen {
			secret.Data[name] = []byte(value)
		}
		return nil
	}
	if o == nil {
		return apierrors.NewNotFound(kubeschema.GroupResource{Resource: kind}, key.Name)
	}
	switch into := into.(type) {
	case *corev1.ConfigMap:
		into.Data = dataOf(o)
	case *corev1.Secret:
		into.Data = map[string][]byte{}
		for name, value := range dataOf(o) {
			into.Data[name] = []byte(value)
		}
	}
	return nil
}

// firstDifference shows where two renders part.
func firstDifference(a, b []byte) string {
	left, right := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := range min(len(left), len(right)) {
		if !bytes.Equal(left[i], right[i]) {
			return string(left[i]) + "\n" + string(right[i])
		}
	}
	return "one ends early"
}
