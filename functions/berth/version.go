package main

import "runtime/debug"

// version is set by the linker for a release: -ldflags "-X main.version=v1.2.3".
var version string

// buildVersion returns the release, or what the Go toolchain knows of the build.
func buildVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}
