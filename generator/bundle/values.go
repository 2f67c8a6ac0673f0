package bundle

import (
	"fmt"
	"path"
	"strings"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/header"
	"github.com/berth-dev/berth/generator/stream"
	"github.com/berth-dev/berth/generator/toleration"
)

// valuesDir is the folder of the overlays in the bundle.
const valuesDir = "helm-values/"

// ValuesFiles returns an overlay for each values file that the intents name, to be given to helm behind the file itself.
// read returns the content of a file. With an error among the findings the files must not be used.
func ValuesFiles(intents []*v1alpha1.TaintIntent, read func(file string) ([]byte, error)) ([]File, []finding.Finding, error) {
	overlays, found, err := toleration.Overlays(intents, read)
	if err != nil || finding.HasErrors(found) {
		return nil, found, err
	}
	var files []File
	taken := map[string]string{}
	for _, o := range overlays {
		name := valuesDir + within(o.Name)
		if first, twice := taken[name]; twice {
			return nil, nil, fmt.Errorf("overlays: %s and %s would both become %s: rename one of them", first, o.File, name)
		}
		taken[name] = o.File
		text, err := stream.Encode(o.Values, nil)
		if err != nil {
			return nil, nil, fmt.Errorf("overlay of %s: %w", o.File, err)
		}
		head := header.New("tolerations for what is installed with "+within(o.Name), o.Intents,
			"", "Give it to helm behind that file, which it completes:",
			"  helm upgrade ... -f "+within(o.Name)+" -f "+name,
			"Helm replaces lists, so each list here is complete. Run `berth generate` again when that file changes.")
		files = append(files, File{Path: name, Content: []byte(head + "---\n" + string(text)), Mode: modeFile})
	}
	return files, found, nil
}

// within makes the path of a file, relative to its intent, relative to the bundle: without .. at its beginning.
func within(file string) string {
	file = path.Clean(file)
	for strings.HasPrefix(file, "../") {
		file = strings.TrimPrefix(file, "../")
	}
	return file
}
