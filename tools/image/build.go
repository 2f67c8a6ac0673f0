package main

import (
	"context"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// binary is the program for one platform.
type binary struct {
	platform v1.Platform
	file     string
	info     *debug.BuildInfo
}

// build compiles the program for a platform. cache is a folder for the build cache; "" for the usual one.
func build(ctx context.Context, o options, p v1.Platform, work, cache string) (binary, error) {
	b := binary{platform: p, file: filepath.Join(work, strings.ReplaceAll(p.String(), "/", "-"))}
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-mod=readonly", "-tags", o.tags,
		"-ldflags", "-s -w -buildid= -X main.version="+o.version, "-o", b.file, o.mainPackage)
	cmd.Dir = o.from
	cmd.Env = environ(p, cache)
	if out, err := cmd.CombinedOutput(); err != nil {
		return b, fmt.Errorf("building for %s: %w\n%s", p, err, out)
	}
	info, err := buildinfo.ReadFile(b.file)
	if err != nil {
		return b, fmt.Errorf("building for %s: %w", p, err)
	}
	b.info = info
	return b, nil
}

// environ is the environment less everything with which a machine can change what the compiler makes.
func environ(p v1.Platform, cache string) []string {
	var env []string
	for _, pair := range os.Environ() {
		name, _, _ := strings.Cut(pair, "=")
		switch name {
		case "PATH", "HOME", "GOPATH", "GOMODCACHE", "GOPROXY", "GOSUMDB", "GONOSUMDB", "GOTOOLCHAIN", "TMPDIR", "SSL_CERT_FILE",
			"HTTPS_PROXY", "NO_PROXY", "https_proxy", "no_proxy":
			env = append(env, pair)
		}
	}
	env = append(env, "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off", "GOENV=off", "GOEXPERIMENT=", "GOOS="+p.OS, "GOARCH="+p.Architecture)
	switch p.Architecture {
	case "arm":
		env = append(env, "GOARM="+strings.TrimPrefix(p.Variant, "v"))
	case "amd64":
		env = append(env, "GOAMD64=v1")
	case "arm64":
		env = append(env, "GOARM64=v8.0")
	}
	if cache != "" {
		env = append(env, "GOCACHE="+cache)
	}
	return env
}
