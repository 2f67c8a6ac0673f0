// Command image builds the container images of berth and berth-device-plugin, from Go alone.
//
//	go run ./tools/image -version v0.1.0 [PROGRAM...]            builds both, or those that are named
//	go run ./tools/image -version v0.1.0 -verify [PROGRAM...]    builds again and compares
//	go run ./tools/image -version v0.1.0 -pinned FOLDER,...      builds, and looks which digests the files pin
//	go run ./tools/image -version v0.1.0 -pin FOLDER,...         builds, and writes the digests into the files
//
// The first builds a static binary for each platform, puts each into an image of one layer and nothing else, and all into an index in an
// OCI layout, beside which it writes a list of the modules in the binaries as SPDX (an SBOM). The second does the same again in another
// folder with an empty build cache, and compares.
//
// Every byte depends on the source, the version and the Go toolchain only: no time, no path, no user and no setting of the machine. The
// same digest comes out on every machine with the same Go. So every change of a program's source is another digest: -pin writes it.
//
// The layout can be pushed with any tool that speaks OCI: crane push, skopeo copy, oras cp.
package main
