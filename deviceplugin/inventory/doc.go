// Package inventory remembers what the node has.
//
// Each scan is merged into what is known. A device that was found before and is not now stays, as unhealthy, since the kubelet may have
// given it to a pod; it is healthy again when it is back, under the same ID. A device whose nodes have other names now is another entry,
// and the old one goes. Where a scan could not read everything, what it did not find stays as it was, unless its nodes are plainly not
// there: one card that cannot be read must not hide that another has gone.
//
// Every resource has a Feed. It gets a new list when, and only when, something changed.
package inventory
