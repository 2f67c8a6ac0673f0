package inotify

import "sync"

// Signal tells any number of waiters that something may have changed. A waiter calls Next, looks at the state, and then waits: what
// changes after the look wakes it up.
type Signal struct {
	mu   sync.Mutex
	next chan struct{}
}

// NewSignal returns a signal that was not fired yet.
func NewSignal() *Signal { return &Signal{next: make(chan struct{})} }

// Next gives a channel that is closed by the next Fire.
func (s *Signal) Next() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.next
}

// Fire wakes up everyone who waits.
func (s *Signal) Fire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.next)
	s.next = make(chan struct{})
}
