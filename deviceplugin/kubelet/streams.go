package kubelet

import "sync"

// streams counts the open ListAndWatch streams of one session.
type streams struct {
	observe func(open int)
	started chan struct{} // closed when the first stream is open
	ended   chan struct{} // closed when, after that, none is

	mu   sync.Mutex
	open int
	over bool
}

func newStreams(observe func(open int)) *streams {
	return &streams{observe: observe, started: make(chan struct{}), ended: make(chan struct{})}
}

func (s *streams) enter() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open++
	select {
	case <-s.started:
	default:
		close(s.started)
	}
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
