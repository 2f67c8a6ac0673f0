package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/flux"
)

// entrypoint returns the path that --path gives, the environment that --env names, or the only one there is. A name of
// berth.yaml counts before those that are found in the folders.
func entrypoint(c *flux.Checkout, dir, env, at string) (string, error) {
	if at != "" {
		return at, nil
	}
	setup, err := check.Find(dir, "")
	if err != nil {
		return "", err
	}
	known := entrypoints(c, setup, env != "")
	names := make([]string, 0, len(known))
	for _, e := range known {
		if e.Name == env || e.Path == env {
			return e.Path, nil
		}
		names = append(names, fmt.Sprintf("%s (%s)", e.Name, e.Path))
	}
	switch {
	case len(known) == 0:
		return "", errors.New("no folder declares a Flux Kustomization: name the entrypoint with --path")
	case env != "":
		return "", fmt.Errorf("no environment is named %s: there are %s", env, strings.Join(names, ", "))
	case len(known) > 1:
		return "", fmt.Errorf("there are several environments: choose one of %s with --env", strings.Join(names, ", "))
	}
	return known[0].Path, nil
}

// entrypoints are those of berth.yaml, and those that are found where it names none, or where all are wanted.
func entrypoints(c *flux.Checkout, setup *check.Setup, all bool) []flux.Entrypoint {
	var known []flux.Entrypoint
	for _, e := range setup.Check.Spec.Environments {
		known = append(known, flux.Entrypoint{Name: e.Name, Path: e.Path})
	}
	if len(known) > 0 && !all {
		return known
	}
	for _, e := range flux.Discover(c) {
		if !slices.ContainsFunc(known, func(k flux.Entrypoint) bool { return k.Path == e.Path }) {
			known = append(known, e)
		}
	}
	return known
}
