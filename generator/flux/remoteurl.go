package flux

import (
	"net/url"
	"strings"
)

// readOriginURL returns the URL of the remote named origin, as .git/config has it; empty when there is none, or when .git
// is a file, as in a worktree or a submodule.
func (c *Checkout) readOriginURL() string {
	config, err := c.root.ReadFile(".git/config")
	if err != nil {
		return ""
	}
	inOrigin := false
	for line := range strings.Lines(string(config)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			inOrigin = line == `[remote "origin"]`
			continue
		}
		if key, value, ok := strings.Cut(line, "="); ok && inOrigin && strings.TrimSpace(key) == "url" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// sameRepository says whether two Git URLs mean one repository, whatever the protocol.
func sameRepository(a, b string) bool {
	return a != "" && b != "" && repository(a) == repository(b)
}

// repository returns host/path of a Git URL: of https://host/path.git, ssh://git@host:22/path and git@host:path alike.
func repository(raw string) string {
	host, path := "", ""
	if u, err := url.Parse(raw); err == nil && u.Host != "" {
		host, path = u.Hostname(), u.Path
	} else {
		host, path, _ = strings.Cut(raw, ":")
		host = host[strings.LastIndex(host, "@")+1:]
	}
	return strings.ToLower(host) + "/" + strings.TrimSuffix(strings.Trim(path, "/"), ".git")
}
