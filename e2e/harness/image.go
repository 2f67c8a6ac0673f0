package harness

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// ProbeImage is the image of the pods and of their sandboxes: the probe, and the programs under test beside it. No registry has it.
const ProbeImage = "berth.test/probe:1"

// writeProbeImage makes an image of static binaries, as an archive that containerd imports. The first is its entry point.
func writeProbeImage(archive string, binaries ...string) error {
	image := empty.Image
	for _, binary := range binaries {
		layer, err := binaryLayer(binary)
		if err != nil {
			return err
		}
		if image, err = mutate.AppendLayers(image, layer); err != nil {
			return fmt.Errorf("making the image: %w", err)
		}
	}
	image, err := mutate.ConfigFile(image, &v1.ConfigFile{
		OS: "linux", Architecture: runtime.GOARCH,
		Config: v1.Config{Entrypoint: []string{"/" + filepath.Base(binaries[0])}, Cmd: []string{"pause"}},
		RootFS: mustRootFS(image),
	})
	if err != nil {
		return fmt.Errorf("making the image: %w", err)
	}
	tag, err := name.NewTag(ProbeImage)
	if err != nil {
		return fmt.Errorf("making the image: %w", err)
	}
	return tarball.WriteToFile(archive, tag, image)
}

// ImportPinned gives the node's runtime the image in an OCI layout, as if it had been pulled from a repository by its digest, which is
// returned.
func (n *Node) ImportPinned(t *testing.T, layoutDir, repository string) (digest string) {
	t.Helper()
	path, err := layout.FromPath(layoutDir)
	if err != nil {
		t.Fatal(err)
	}
	index, err := path.ImageIndex()
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil || len(manifest.Manifests) != 1 {
		t.Fatalf("%s holds not one image: %v", layoutDir, err)
	}
	digest = manifest.Manifests[0].Digest.String()
	n.ImportLayout(t, layoutDir, repository+"@"+digest)
	return digest
}

// TagProbe gives the probe's image another name on the node, in the place of an image from a registry.
func (n *Node) TagProbe(t *testing.T, image string) {
	t.Helper()
	if err := n.ctr("-n", "k8s.io", "images", "tag", ProbeImage, image); err != nil {
		t.Fatal(err)
	}
}

func mustRootFS(image v1.Image) v1.RootFS {
	config, err := image.ConfigFile()
	if err != nil { // of an image in memory
		panic(err)
	}
	return config.RootFS
}

func binaryLayer(binary string) (v1.Layer, error) {
	text, err := os.ReadFile(binary)
	if err != nil {
		return nil, fmt.Errorf("making the layer: %w", err)
	}
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	err = w.WriteHeader(&tar.Header{Name: filepath.Base(binary), Mode: 0o755, Size: int64(len(text)), Typeflag: tar.TypeReg})
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("making the layer: %w", err)
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b.Bytes())), nil })
}
