package main

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"
	"os"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// epoch is the time of everything: the image is as old as its source, which has no one time.
var epoch = time.Unix(0, 0).UTC()

// indexOf puts an image for each binary into one index.
func indexOf(o options, binaries []binary) (v1.ImageIndex, error) {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, b := range binaries {
		image, err := imageOf(o, b)
		if err != nil {
			return nil, fmt.Errorf("image for %s: %w", b.platform, err)
		}
		platform := b.platform
		index = mutate.AppendManifests(index, mutate.IndexAddendum{
			Add: image, Descriptor: v1.Descriptor{MediaType: types.OCIManifestSchema1, Platform: &platform},
		})
	}
	annotated, ok := mutate.Annotations(index, o.labels(o.version)).(v1.ImageIndex)
	if !ok {
		return nil, fmt.Errorf("annotating the index")
	}
	return annotated, nil
}

// imageOf makes an image that holds the binary and nothing else.
func imageOf(o options, b binary) (v1.Image, error) {
	text, err := os.ReadFile(b.file)
	if err != nil {
		return nil, fmt.Errorf("reading the binary: %w", err)
	}
	layer, err := layerOf(o.name, text)
	if err != nil {
		return nil, err
	}
	base := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	image, err := mutate.Append(base, mutate.Addendum{Layer: layer, History: v1.History{
		Created: v1.Time{Time: epoch}, CreatedBy: "go build " + o.mainPackage, Comment: o.name + " " + o.version,
	}})
	if err != nil {
		return nil, fmt.Errorf("adding the layer: %w", err)
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, fmt.Errorf("reading the configuration: %w", err)
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Variant = b.platform.OS, b.platform.Architecture, b.platform.Variant
	config.Created = v1.Time{Time: epoch}
	config.Config = v1.Config{
		Entrypoint: []string{"/" + o.name}, ExposedPorts: o.ports, Labels: o.labels(o.version), User: o.user,
	}
	return mutate.ConfigFile(image, config)
}

// layerOf is a layer of one file that belongs to root, with the time of the epoch.
func layerOf(name string, text []byte) (v1.Layer, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	header := &tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o755, Size: int64(len(text)), ModTime: epoch, Format: tar.FormatUSTAR}
	if err := w.WriteHeader(header); err != nil {
		return nil, fmt.Errorf("writing the layer: %w", err)
	}
	if _, err := w.Write(text); err != nil {
		return nil, fmt.Errorf("writing the layer: %w", err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("writing the layer: %w", err)
	}
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b.Bytes())), nil }
	return tarball.LayerFromOpener(open, tarball.WithMediaType(types.OCILayer))
}
