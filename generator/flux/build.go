package flux

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"

	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
	"github.com/fluxcd/pkg/kustomize"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/yaml"
)

// builder builds folders of a checkout as kustomize-controller does.
type builder struct {
	checkout *Checkout
	schema   schema
}

// build is what came out of one.
type build struct {
	resources resmap.ResMap
	origins   []Origin // one for each resource
	files     []string
	remote    []remoteRef
}

// run builds a folder with what a Kustomization's spec adds to its kustomization.yaml. The result is that of
// generator.WriteFile and SecureBuild in kustomize-controller, without the network.
func (b *builder) run(spec kustomizev1.KustomizationSpec, dir string, a *artifact) (*build, error) {
	manifest, err := b.generate(spec, dir, a)
	if err != nil {
		return nil, err
	}
	result, err := b.kustomize(manifest, dir, a, true)
	if err == nil {
		return result, nil
	}
	// Origins are ours, not the controller's: a build that only fails with them has not failed.
	return b.kustomize(manifest, dir, a, false)
}

// manifest is a kustomization.yaml as the controller would have written it.
type manifest struct {
	file    string // in the checkout
	content types.Kustomization
}

func (b *builder) generate(spec kustomizev1.KustomizationSpec, dir string, a *artifact) (manifest, error) {
	folder, ok := a.folder(dir)
	if !ok {
		return manifest{}, fmt.Errorf("%s is put together from several folders by an ArtifactGenerator, which is not followed", dir)
	}
	if err := b.checkFolder(a, dir); err != nil {
		return manifest{}, err
	}
	if spec.IgnoreMissingComponents {
		spec.Components = slices.DeleteFunc(slices.Clone(spec.Components), func(component string) bool {
			return kustomize.IsLocalRelativePath(component) && !a.isDir(path.Join(dir, component))
		})
	}
	object, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&kustomizev1.Kustomization{Spec: spec})
	if err != nil {
		return manifest{}, err
	}
	abs := filepath.Join(b.checkout.dir, filepath.FromSlash(folder))
	content, file, action, err := kustomize.NewGenerator(b.checkout.dir, unstructured.Unstructured{Object: object}).GenerateManifest(abs)
	if err != nil {
		return manifest{}, err
	}
	m := manifest{file: path.Join(dir, filepath.Base(file))}
	if err := yaml.Unmarshal(content, &m.content); err != nil {
		return manifest{}, err
	}
	if action == kustomize.CreatedAction {
		// The library looks at the disk, where files may stand that the archive leaves out.
		m.content.Resources = slices.DeleteFunc(m.content.Resources, func(r string) bool {
			name := path.Join(dir, filepath.ToSlash(r))
			return !a.isFile(name) && !a.isDir(name)
		})
	}
	return m, nil
}

func (b *builder) kustomize(m manifest, dir string, a *artifact, withOrigins bool) (*build, error) {
	ours := withOrigins && !slices.Contains(m.content.BuildMetadata, types.OriginAnnotations)
	content := m.content
	if ours {
		content.BuildMetadata = append(slices.Clone(content.BuildMetadata), types.OriginAnnotations)
	}
	text, err := yaml.Marshal(content)
	if err != nil {
		return nil, err
	}
	v := newView(b.checkout, a)
	v.written[m.file] = text
	resources, err := b.krusty(v, filepath.Join(b.checkout.dir, filepath.FromSlash(dir)))
	if err != nil {
		return nil, err
	}
	result := &build{resources: resources, files: v.files(), remote: v.remote, origins: originsOf(resources, dir, a)}
	if ours {
		err = resources.RemoveOriginAnnotations()
	}
	return result, err
}

// krusty runs kustomize with the options of fluxcd/pkg/kustomize.Build.
func (b *builder) krusty(v *view, dir string) (resources resmap.ResMap, err error) {
	kustomizeLock.Lock()
	defer kustomizeLock.Unlock()
	defer func() { b.schema.settle(err != nil) }()
	// Kustomize panics at some malformed objects; the controller recovers as well.
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("recovered from kustomize build panic: %v", r)
		}
	}()
	b.schema.prepare()
	options := &krusty.Options{LoadRestrictions: types.LoadRestrictionsNone, PluginConfig: types.DisabledPluginConfig()}
	resources, err = krusty.MakeKustomizer(options).Run(v, dir)
	if err != nil {
		return nil, cmp.Or(v.refused, err)
	}
	for _, r := range resources.Resources() {
		if r.GetName() == "" || r.GetKind() == "" || r.GetApiVersion() == "" {
			return nil, errors.New("failed to decode Kubernetes apiVersion, kind and name from: " + r.String())
		}
	}
	return resources, nil
}
