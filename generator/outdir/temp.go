package outdir

import (
	"path"
	"strings"
)

const tempSuffix = ".berth-tmp" // not .yaml: k3s reads every such file in config.yaml.d, hidden ones too

// temp is a hidden name beside a file.
func temp(name string) string {
	return path.Join(path.Dir(name), "."+path.Base(name)+tempSuffix)
}

func isTemp(name string) bool {
	base := path.Base(name)
	return strings.HasPrefix(base, ".") && strings.HasSuffix(base, tempSuffix)
}
