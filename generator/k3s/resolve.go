package k3s

import (
	"io/fs"
	"path"
	"strings"
)

// maxLinks is how many symbolic links Linux follows in one path.
const maxLinks = 40

// resolve follows symbolic links whose target is absolute, taking the target from the root of the file system: os.DirFS
// would follow it out of the tree. Relative links are left to the file system.
func resolve(fsys fs.FS, name string) string {
	links, ok := fsys.(fs.ReadLinkFS)
	if !ok {
		return name
	}
	for range maxLinks {
		next, found := followAbsolute(links, name)
		if !found {
			return name
		}
		name = next
	}
	return name
}

// followAbsolute replaces the first absolute link in a path.
func followAbsolute(links fs.ReadLinkFS, name string) (string, bool) {
	parts := strings.Split(name, "/")
	for i := range parts {
		target, err := links.ReadLink(strings.Join(parts[:i+1], "/"))
		if err == nil && path.IsAbs(target) {
			rest := path.Join(parts[i+1:]...)
			if local := localPath(path.Join(target, rest)); local != "" {
				return local, true
			}
			return ".", true
		}
	}
	return name, false
}

// localPath makes an absolute path of the machine one of the file system.
func localPath(p string) string { return strings.TrimPrefix(path.Clean("/"+p), "/") }
