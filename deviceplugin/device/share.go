package device

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
)

const (
	// MaxID is the most characters that the device plugin API gives a device ID (api.proto, message Device).
	MaxID = 63
	// MaxShares is the most entries that one resource may have. The kubelet takes messages of 4 MiB, which is about 50,000 entries
	// of this size; beyond that it ends the stream and the resource is at zero (kubernetes/kubernetes#109304).
	MaxShares = 10000

	hashLength = 10
)

// Share is one entry of the list that the kubelet counts: a device, or one of the several pods that may use it at a time.
type Share struct {
	ID     string
	Device *Device
}

// Shares gives every device n entries, sorted by device and number, and at most MaxShares in all; left out says how many were too
// many. The ID is made from the identity and from everything handed out, since the kubelet keeps an Allocate response and uses it
// again, even after a reboot, for as long as the ID is healthy: an ID that stayed while card0 became card1 would hand out the wrong
// device.
func Shares(devices []Device, n int) (shares []Share, leftOut int) {
	total := len(devices) * n
	shares = make([]Share, 0, min(total, MaxShares))
	for i := range devices {
		prefix := idPrefix(devices[i])
		for k := 0; k < n; k++ {
			if len(shares) == MaxShares {
				return shares, total - MaxShares
			}
			shares = append(shares, Share{ID: prefix + strconv.Itoa(k), Device: &devices[i]})
		}
	}
	return shares, 0
}

// idPrefix is what the IDs of a device begin with: a readable piece of the identity, a hash of all of it, and a dash.
func idPrefix(d Device) string {
	all, err := json.Marshal(struct {
		Identity string
		Grant    Grant
	}{d.Identity, d.Grant})
	if err != nil { // plain strings and booleans cannot fail to marshal
		panic(err)
	}
	sum := sha256.Sum256(all)
	readable := strings.Map(idRune, d.Identity)
	room := MaxID - hashLength - 2 - len(strconv.Itoa(MaxShares))
	if len(readable) > room {
		readable = readable[:room]
	}
	return readable + "-" + hex.EncodeToString(sum[:])[:hashLength] + "-"
}

// idRune keeps what is safe in file names, labels and CDI names alike.
func idRune(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-', r == '_':
		return r
	}
	return '-'
}
