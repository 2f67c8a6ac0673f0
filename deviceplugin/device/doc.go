// Package device holds what every other part of the plugin speaks in: devices as plain Go values.
//
// Discovery (drm, generic) makes a Device for each thing it finds. Shares turns it into the entries that the kubelet counts, each
// with an ID that changes whenever anything that would be handed out changes. A Feed carries the latest list, with a version, to
// whoever streams it. Prefer chooses among free IDs.
//
// Nothing here is a protobuf message. Such messages have hidden state that changes when they are sent, so a plugin that compares
// them sees changes that never happened.
package device
