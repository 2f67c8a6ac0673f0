//go:build deps

// Package berth holds, while several people add packages at once, the modules that they need.
package berth

import (
	_ "github.com/agnivade/levenshtein"
	_ "github.com/distribution/reference"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/invopop/jsonschema"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/santhosh-tekuri/jsonschema/v6"
	_ "golang.org/x/term"
	_ "golang.org/x/tools/go/packages"
	_ "gopkg.in/yaml.v2"
	_ "k8s.io/api/core/v1"
	_ "k8s.io/apimachinery/pkg/util/validation"
	_ "k8s.io/component-helpers/scheduling/corev1"
	_ "mvdan.cc/sh/v3/shell"
	_ "sigs.k8s.io/kustomize/api/krusty"
)
