package main

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// The parts of SPDX 2.3 that a list of Go modules needs (https://spdx.github.io/spdx-spec/v2.3/).
type (
	spdxDocument struct {
		Version       string             `json:"spdxVersion"`
		License       string             `json:"dataLicense"`
		ID            string             `json:"SPDXID"`
		Name          string             `json:"name"`
		Namespace     string             `json:"documentNamespace"`
		Creation      spdxCreation       `json:"creationInfo"`
		Packages      []spdxPackage      `json:"packages"`
		Relationships []spdxRelationship `json:"relationships"`
	}
	spdxCreation struct {
		Created  string   `json:"created"`
		Creators []string `json:"creators"`
	}
	spdxPackage struct {
		Name     string          `json:"name"`
		ID       string          `json:"SPDXID"`
		Version  string          `json:"versionInfo"`
		Download string          `json:"downloadLocation"`
		License  string          `json:"licenseConcluded"`
		Declared string          `json:"licenseDeclared"`
		Analyzed bool            `json:"filesAnalyzed"`
		Checksum []spdxChecksum  `json:"checksums,omitempty"`
		Refs     []spdxReference `json:"externalRefs,omitempty"`
	}
	spdxChecksum struct {
		Algorithm string `json:"algorithm"`
		Value     string `json:"checksumValue"`
	}
	spdxReference struct {
		Category string `json:"referenceCategory"`
		Type     string `json:"referenceType"`
		Locator  string `json:"referenceLocator"`
	}
	spdxRelationship struct {
		From string `json:"spdxElementId"`
		Type string `json:"relationshipType"`
		To   string `json:"relatedSpdxElement"`
	}
)

const (
	rootID      = "SPDXRef-image"
	noAssertion = "NOASSERTION"
)

// sbomOf lists what the binaries say they were built from.
func sbomOf(o options, digest v1.Hash, binaries []binary) ([]byte, error) {
	d := spdxDocument{
		Version: "SPDX-2.3", License: "CC0-1.0", ID: "SPDXRef-DOCUMENT", Name: o.name + "-" + o.version,
		Namespace: sourceURL + "/sbom/" + digest.Hex,
		Creation:  spdxCreation{Created: "1970-01-01T00:00:00Z", Creators: []string{"Tool: " + o.name + "-image"}},
		Packages: []spdxPackage{{
			Name: o.name, ID: rootID, Version: o.version, Download: "git+" + sourceURL, License: "Apache-2.0", Declared: "Apache-2.0",
			Checksum: []spdxChecksum{{"SHA256", digest.Hex}},
		}},
		Relationships: []spdxRelationship{{"SPDXRef-DOCUMENT", "DESCRIBES", rootID}},
	}
	for _, m := range modules(binaries) {
		p, err := packageOf(m)
		if err != nil {
			return nil, err
		}
		d.Packages = append(d.Packages, p)
		d.Relationships = append(d.Relationships, spdxRelationship{rootID, "CONTAINS", p.ID})
	}
	text, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing the SBOM: %w", err)
	}
	return append(text, '\n'), nil
}

// modules gives every module of every binary once, and Go's standard library, sorted.
func modules(binaries []binary) []*debug.Module {
	all := map[string]*debug.Module{}
	for _, b := range binaries {
		all["std"] = &debug.Module{Path: "stdlib", Version: strings.TrimPrefix(b.info.GoVersion, "go")}
		for _, m := range b.info.Deps {
			if m.Replace != nil {
				m = m.Replace
			}
			all[m.Path+"@"+m.Version] = m
		}
	}
	return slices.SortedFunc(maps.Values(all), func(a, b *debug.Module) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Version, b.Version))
	})
}

func packageOf(m *debug.Module) (spdxPackage, error) {
	p := spdxPackage{
		Name: m.Path, ID: "SPDXRef-" + strings.Map(spdxRune, m.Path+"-"+m.Version), Version: m.Version,
		Download: noAssertion, License: noAssertion, Declared: noAssertion,
		Refs: []spdxReference{{"PACKAGE-MANAGER", "purl", "pkg:golang/" + m.Path + "@" + m.Version}},
	}
	if m.Sum == "" {
		return p, nil
	}
	sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(m.Sum, "h1:"))
	if err != nil {
		return p, fmt.Errorf("module %s: checksum %q: %w", m.Path, m.Sum, err)
	}
	p.Checksum = []spdxChecksum{{"SHA256", hex.EncodeToString(sum)}}
	return p, nil
}

// spdxRune keeps what an SPDX identifier may have.
func spdxRune(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' {
		return r
	}
	return '-'
}
