package harness

import (
	"archive/tar"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// nameAnnotation is where containerd looks for the name of an image in an archive of an OCI layout.
const nameAnnotation = "io.containerd.image.name"

// ImportLayout gives the node the image of an OCI layout, as if it had been pulled under a name. One that is pinned by its
// digest is looked up without its tag.
func (n *Node) ImportLayout(t *testing.T, layout, name string) {
	t.Helper()
	archive := filepath.Join(n.Dir, "layout.tar")
	if err := writeLayoutArchive(archive, layout, name); err != nil {
		t.Fatal(err)
	}
	n.importImage(t, archive)
}

// writeLayoutArchive packs a layout, with the name in its index.
func writeLayoutArchive(archive, layout, name string) error {
	out, err := os.Create(archive)
	if err != nil {
		return fmt.Errorf("packing %s: %w", layout, err)
	}
	defer out.Close() //nolint:errcheck // the archive is whole when the writer is closed
	w := tar.NewWriter(out)
	index, err := namedIndex(layout, name)
	if err != nil {
		return fmt.Errorf("packing %s: %w", layout, err)
	}
	if err := w.WriteHeader(&tar.Header{Name: "index.json", Mode: 0o644, Size: int64(len(index)), Typeflag: tar.TypeReg}); err != nil {
		return fmt.Errorf("packing %s: %w", layout, err)
	}
	if _, err := w.Write(index); err != nil {
		return fmt.Errorf("packing %s: %w", layout, err)
	}
	files, err := filepath.Glob(filepath.Join(layout, "blobs", "sha256", "*"))
	if err != nil {
		return fmt.Errorf("packing %s: %w", layout, err)
	}
	for _, file := range append(files, filepath.Join(layout, "oci-layout")) {
		if err := packFile(w, layout, file); err != nil {
			return fmt.Errorf("packing %s: %w", layout, err)
		}
	}
	return w.Close()
}

func namedIndex(layout, name string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(layout, "index.json"))
	if err != nil {
		return nil, err
	}
	var index v1.IndexManifest
	if err := json.Unmarshal(text, &index); err != nil {
		return nil, err
	}
	if len(index.Manifests) != 1 {
		return nil, fmt.Errorf("it holds %d images", len(index.Manifests))
	}
	index.Manifests[0].Annotations = map[string]string{nameAnnotation: name}
	return json.Marshal(index)
}

func packFile(w *tar.Writer, layout, file string) error {
	name, err := filepath.Rel(layout, file)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := w.WriteHeader(&tar.Header{Name: filepath.ToSlash(name), Mode: 0o644, Size: int64(len(text)), Typeflag: tar.TypeReg}); err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}
