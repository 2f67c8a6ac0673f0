package livetest

import (
	"encoding/json"
	"net/http"
	"strconv"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// event is what a watch is told of.
type event struct {
	version  int
	kind     string // ADDED, MODIFIED, DELETED, BOOKMARK
	resource string // empty for a bookmark, which every watch is told of
	object   map[string]any
}

// note keeps an event and wakes the watches. The lock is held.
func (s *Server) note(kind, resource string, object map[string]any) {
	s.events = append(s.events, event{s.version, kind, resource, object})
	s.wake()
}

// wake lets every watch look again. The lock is held.
func (s *Server) wake() {
	close(s.news)
	s.news = make(chan struct{})
}

// Delete removes an object, as another client would.
func (s *Server) Delete(object *unstructured.Unstructured) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version++
	resource := resourceOf(object.GetKind())
	gone := object.DeepCopy()
	gone.SetResourceVersion(strconv.Itoa(s.version))
	delete(s.objects, key(resource, object.GetNamespace(), object.GetName()))
	s.note("DELETED", resource, gone.Object)
}

// Bookmark tells every watch how far it is.
func (s *Server) Bookmark() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version++
	s.note("BOOKMARK", "", map[string]any{"apiVersion": "v1", "kind": "Bookmark", "metadata": map[string]any{"resourceVersion": strconv.Itoa(s.version)}})
}

// CutWatches ends every watch that is open, as a load balancer does that restarts.
func (s *Server) CutWatches() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cut++
	s.wake()
}

// Forget loses the history: a watch that goes on from an older version is told that it is too old.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version++
	s.events, s.oldest = nil, s.version
}

// Watches counts the watches that were begun.
func (s *Server) Watches() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.watches
}

// watch sends what happens after a version until the client goes or the stream is cut.
func (s *Server) watch(w http.ResponseWriter, r *http.Request, t target) {
	from, _ := strconv.Atoi(r.URL.Query().Get("resourceVersion"))
	s.mu.Lock()
	s.watches++
	begun, tooOld := s.cut, from < s.oldest
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	if tooOld {
		_ = json.NewEncoder(w).Encode(map[string]any{"type": "ERROR", "object": failure(http.StatusGone, "Expired", "too old resource version")})
		return
	}
	for {
		s.mu.Lock()
		due, news, cut := s.after(from, t.resource), s.news, s.cut
		s.mu.Unlock()
		for _, e := range due {
			from = e.version
			if json.NewEncoder(w).Encode(map[string]any{"type": e.kind, "object": e.object}) != nil {
				return
			}
		}
		_ = http.NewResponseController(w).Flush()
		if cut != begun {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-news:
		}
	}
}

func (s *Server) after(version int, resource string) []event {
	var due []event
	for _, e := range s.events {
		if e.version > version && (e.resource == resource || e.resource == "") {
			due = append(due, e)
		}
	}
	return due
}
