// Package discover answers, for the resources of a configuration, which devices this node has for each.
//
// It asks drm for the cards once, hands each to the first resource that selects it, and asks generic for everything else. What comes out
// is what the file system says at this moment; what to make of a device that was there before and is not now is for inventory.
package discover
