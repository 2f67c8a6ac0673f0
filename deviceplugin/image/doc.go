// Command image builds the container image of berth-device-plugin, from Go alone.
//
//	go run ./deviceplugin/image -version v0.1.0 -out dist/device-plugin
//	go run ./deviceplugin/image -version v0.1.0 -out dist/device-plugin -verify
//
// The first builds a static binary for each platform, puts each into an image of one layer and nothing else, and all into an index in an
// OCI layout, beside which it writes a list of the modules in the binaries as SPDX (an SBOM). The second does the same again in another
// folder with an empty build cache, and compares.
//
// Every byte depends on the source, the version and the Go toolchain only: no time, no path, no user and no setting of the machine. The
// same digest comes out on every machine with the same Go.
//
// The layout can be pushed with any tool that speaks OCI: crane push, skopeo copy, oras cp.
package main
