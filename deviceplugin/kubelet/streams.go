package kubelet

import "sync"

// streams counts the open ListAndWatch streams of one session.
type streams struct {
	observe func(open int)
	ended   chan struct{} // closed when there was a stream and none is left

	mu      sync.Mutex
	open    int
	started bool
	over    bool
}

func newStreams(observe func(open int)) *streams {
	return &streams{observe: observe, ended: make(chan struct{})}
}

func (s *streams) enter() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open++
	s.started = true
	s.observe(s.open)
}

func (s *streams) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open--
	if s.open == 0 && !s.over {
		s.over = true
		close(s.ended)
	}
	s.observe(s.open)
}

// everOpen reports whether there was a stream.
func (s *streams) everOpen() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.started
}
