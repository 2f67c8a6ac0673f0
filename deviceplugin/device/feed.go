package device

import "sync"

// List is one state of a resource. It is never changed after it was published.
type List struct {
	Version uint64 // counts up from 1 with every change
	Shares  []Share
	index   map[string]*Device
}

// Find gives the device behind an ID, or nil.
func (l *List) Find(id string) *Device { return l.index[id] }

// Feed carries the latest List to any number of readers. Readers take nothing out of it: each compares the version with the one it
// has seen, so that one that is slow, stale or gone cannot take a change away from another.
type Feed struct {
	mu      sync.Mutex
	current *List
	next    chan struct{}
}

// NewFeed returns a feed that holds an empty list.
func NewFeed() *Feed {
	return &Feed{current: &List{Version: 1}, next: make(chan struct{})}
}

// Current gives the latest list, and a channel that is closed as soon as there is a later one.
func (f *Feed) Current() (*List, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.current, f.next
}

// Publish makes shares the latest list. The caller must not change them afterwards.
func (f *Feed) Publish(shares []Share) {
	index := make(map[string]*Device, len(shares))
	for _, s := range shares {
		index[s.ID] = s.Device
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.current = &List{Version: f.current.Version + 1, Shares: shares, index: index}
	close(f.next)
	f.next = make(chan struct{})
}

// Health counts the entries by the state that the kubelet is told.
func (l *List) Health() (healthy, unhealthy int) {
	for _, s := range l.Shares {
		if s.Device.Healthy {
			healthy++
		} else {
			unhealthy++
		}
	}
	return healthy, unhealthy
}
