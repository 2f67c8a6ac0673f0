// Package livetest is a small Kubernetes API server for tests, on loopback.
//
// It keeps objects from YAML, serves list (in pages), get and merge patches, and does what client-go's fake does not and
// Berth depends on: it refuses a patch with an old resource version, it honours dryRun, and it answers in the words of
// the real server where a right is missing. It can be told to interleave another writer, to be away for a while, and to
// refuse. That the real kube-apiserver behaves alike is tested in e2e/.
package livetest
