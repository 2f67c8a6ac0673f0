package kubelet

import "time"

// absence is how long an instance must be away to have left: between two sessions it has no socket for a moment.
const absence = 500 * time.Millisecond

// siblings are the other instances that serve the same resource, during a rollout or by mistake.
//
// A kubelet up to 1.36 knows one instance for each resource, the last to register. When that one leaves, the resource is at zero
// although an older instance still streams to the kubelet, and nothing tells it so but the socket that is gone.
type siblings struct {
	names  *names
	seen   map[string]bool
	missed time.Time // when one was first found to be away
}

// gone says that an instance that was there has been away for long enough; "" if none has. An instance keeps its nonce from session to session, so
// two that register again because of each other come to rest.
func (s *siblings) gone(now time.Time) string {
	others := s.names.others()
	away := false
	for nonce := range s.seen {
		away = away || !others[nonce]
	}
	if !away {
		s.missed, s.seen = time.Time{}, others
		return ""
	}
	if s.missed.IsZero() {
		s.missed = now
	}
	if now.Sub(s.missed) < absence {
		return ""
	}
	return "another instance left, and the kubelet may have dropped us with it"
}

// waiting reports whether an instance is away that has not been for long enough.
func (s *siblings) waiting() bool { return !s.missed.IsZero() }
