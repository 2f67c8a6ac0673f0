package kubelet

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	// DefaultDir is where every kubelet looks, whatever its root directory is.
	DefaultDir = "/var/lib/kubelet/device-plugins"

	kubeletSocket = "kubelet.sock"
	socketPrefix  = "berth-"
	// maxSocketPath is the size of sun_path less the byte at its end, unix(7).
	maxSocketPath = 107
)

// names makes socket names for one resource: each is used once, in this process and in any other.
type names struct {
	prefix string // of every instance that serves the resource: /var/lib/kubelet/device-plugins/berth-gpu.intel.com-i915-
	nonce  string // of this one
	count  int
}

// longestEnd is what comes after a prefix at most: a nonce and a number.
const longestEnd = len("12345678-1234567890.sock")

// newNames names sockets in dir. A resource with a long name appears as a hash of it.
func newNames(dir, resource string) *names {
	var random [4]byte
	_, _ = rand.Read(random[:]) // never fails (crypto/rand)
	n := &names{prefix: filepath.Join(dir, socketPrefix+strings.ReplaceAll(resource, "/", "-")+"-"), nonce: hex.EncodeToString(random[:])}
	if len(n.prefix)+longestEnd > maxSocketPath {
		sum := sha256.Sum256([]byte(resource))
		n.prefix = filepath.Join(dir, socketPrefix+hex.EncodeToString(sum[:])[:8]+"-")
	}
	return n
}

// next gives the path of a new socket.
func (n *names) next() string {
	n.count++
	return n.prefix + n.nonce + "-" + strconv.Itoa(n.count) + ".sock"
}

// others gives the nonces of the other instances that serve the resource now.
func (n *names) others() map[string]bool {
	found, _ := filepath.Glob(escape(n.prefix) + "*.sock") // fails for a bad pattern only
	alive := map[string]bool{}
	for _, name := range found {
		nonce, _, _ := strings.Cut(strings.TrimPrefix(name, n.prefix), "-")
		if nonce != n.nonce && !abandoned(name) {
			alive[nonce] = true
		}
	}
	return alive
}

// escape makes a path a pattern that matches it.
func escape(name string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(name)
}

// abandoned reports whether nobody listens at a socket any more.
func abandoned(name string) bool {
	conn, err := net.DialTimeout("unix", name, time.Second)
	if err == nil {
		_ = conn.Close()
		return false
	}
	return errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, os.ErrNotExist)
}

// ValidateDir reports whether sockets fit into dir: a socket's path has at most 107 bytes.
func ValidateDir(dir string) error {
	longest := len(filepath.Join(dir, socketPrefix+"12345678-")) + longestEnd
	if over := longest - maxSocketPath; over > 0 {
		return fmt.Errorf("folder %s: its path is %d bytes too long for the sockets in it", dir, over)
	}
	return nil
}

// RemoveStale removes the sockets that earlier instances left behind: those with our prefix at which nobody listens. It gives the
// errors of those that could not be removed; they do no harm, since no name is used twice.
func RemoveStale(dir string) ([]string, error) {
	found, err := filepath.Glob(escape(filepath.Join(dir, socketPrefix)) + "*.sock")
	if err != nil {
		return nil, fmt.Errorf("looking for old sockets: %w", err)
	}
	var removed []string
	var errs []error
	for _, name := range found {
		if !abandoned(name) {
			continue
		}
		if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, fmt.Errorf("removing an old socket: %w", err))
			continue
		}
		removed = append(removed, name)
	}
	return removed, errors.Join(errs...)
}

// fileID tells one file from another that took its place. The inode number alone does not: it is often used again at once.
type fileID struct {
	exists   bool
	dev, ino uint64
	changed  syscall.Timespec
}

func identify(name string) fileID {
	info, err := os.Lstat(name)
	if err != nil {
		return fileID{}
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return fileID{exists: true}
	}
	return fileID{exists: true, dev: uint64(stat.Dev), ino: stat.Ino, changed: stat.Ctim} //nolint:unconvert // narrower on some platforms
}
