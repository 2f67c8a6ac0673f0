package flux

import (
	"path"

	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/resource"
)

// originsOf reads where kustomize says that the resources came from. Its paths start at the folder that is built.
func originsOf(resources resmap.ResMap, dir string, a *artifact) []Origin {
	origins := make([]Origin, resources.Size())
	for i, r := range resources.Resources() {
		if o, err := r.GetOrigin(); err == nil && o != nil {
			origins[i] = originIn(o, dir)
			origins[i].File = a.inCheckout(origins[i].File)
		}
	}
	return origins
}

func originIn(o *resource.Origin, dir string) Origin {
	if o.ConfiguredIn != "" {
		return Origin{File: path.Join(dir, o.ConfiguredIn), Generator: o.ConfiguredBy.Kind}
	}
	if o.Path == "" {
		return Origin{}
	}
	return Origin{File: path.Join(dir, o.Path)}
}
