package live

import "sync"

// news says when the server goes away and when it is back, once each, however many resources are followed.
type news struct {
	say func(string)

	mu   sync.Mutex
	away map[string]bool // by resource
}

// of notes how the last request for a resource ended.
func (n *news) of(resource string, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	before := len(n.away)
	if err == nil {
		delete(n.away, resource)
	} else {
		if n.away == nil {
			n.away = map[string]bool{}
		}
		n.away[resource] = true
	}
	switch {
	case before == 0 && err != nil:
		n.say(err.Error() + "\nberth tries again; what it showed last may be old")
	case before > 0 && len(n.away) == 0:
		n.say("the server answers again")
	}
}
