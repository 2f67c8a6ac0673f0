// Package web answers GET requests for a few fixed pages: metrics and probes.
//
// Requests are read and responses written by net/http; only the server around them is ours. The one in net/http brings TLS and HTTP/2
// along, which nobody speaks to a device plugin, and takes a tenth of its resident memory on every node. Here a connection is for one
// request, and so few are open at a time that a client that misbehaves costs nothing.
package web
