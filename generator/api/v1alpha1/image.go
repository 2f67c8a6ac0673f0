package v1alpha1

import (
	"errors"
	"fmt"
	"strings"

	"github.com/distribution/reference"
	_ "github.com/opencontainers/go-digest" // sha256 has to be known for a digest to be valid
)

// image checks a container image: a registry or a name, a tag, and a digest unless tagOnly allows to go without.
func (c *collector) image(path, image string, tagOnly bool) {
	switch {
	case image == "":
		c.fail(path, "is missing: write the image with tag and digest, as in registry/name:v1.2.3@sha256:...")
	case !c.resolved(path, image):
	default:
		if err := checkImage(image, tagOnly); err != nil {
			c.fail(path, "the image %q %v", image, err)
		}
	}
}

func checkImage(image string, tagOnly bool) error {
	if name, digest, found := strings.Cut(image, "@"); found {
		if err := checkDigest(name, digest); err != nil {
			return err
		}
	}
	parsed, err := reference.ParseNormalizedNamed(image)
	if err != nil {
		return fmt.Errorf("is not valid: %w", err)
	}
	tagged, hasTag := parsed.(reference.Tagged)
	_, hasDigest := parsed.(reference.Digested)
	switch {
	case !hasTag:
		return errors.New("has no tag, which tells a person which version it is: write name:tag@digest")
	case tagged.Tag() == "latest":
		return errors.New("has the tag latest, which says nothing about the version: write the version's own tag")
	case !hasDigest && !tagOnly:
		return errors.New("has no digest: a tag can be moved, so write name:tag@sha256:..., or say allowTagOnly: true")
	}
	return nil
}

// checkDigest says more than the library about the digest, since it is copied by hand.
func checkDigest(name, digest string) error {
	algorithm, hex, found := strings.Cut(digest, ":")
	switch {
	case name == "":
		return errors.New("has no name before the digest")
	case !found || algorithm != "sha256":
		return fmt.Errorf("has the digest %q: a digest is sha256: and 64 hexadecimal digits", digest)
	case len(hex) != 64:
		return fmt.Errorf("has a digest of %d digits: sha256 has 64, copy it again", len(hex))
	case strings.Trim(hex, "0123456789abcdef") != "":
		return errors.New("has a digest with other characters than 0-9 and a-f: copy it again, in lower case")
	}
	return nil
}
