package live

import (
	"context"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

// settle is how long a change waits for those that come with it, such as the pods of a node that went.
const settle = 100 * time.Millisecond

// refusal says that a resource may be listed and not watched.
type refusal struct{ right }

func (r *refusal) Error() string { return "watching " + r.on.Resource + " is not allowed" }

// watcher follows one scope.
type watcher struct {
	*Cluster
	news    *news
	mirrors []*mirror
	changed chan struct{} // holds one
	end     context.CancelCauseFunc
}

// watch follows a scope with client-go's reflectors until Look has seen enough, ctx ends, or a watch is refused. When it
// returns nothing of it runs any more.
func (c *Cluster) watch(ctx context.Context, scope Scope, f Following) error {
	ctx, end := context.WithCancelCause(klog.NewContext(ctx, klog.Logger{})) // what they log, news says shorter
	w := &watcher{Cluster: c, news: &news{say: f.Say}, changed: make(chan struct{}, 1), end: end}
	for _, r := range scope {
		w.mirrors = append(w.mirrors, &mirror{reading: r, changed: w.notify, broken: end})
	}
	var running sync.WaitGroup
	defer running.Wait()
	defer end(nil)
	for _, m := range w.mirrors {
		running.Go(func() { w.reflector(m).RunWithContext(ctx) })
	}
	for {
		if err := w.wait(ctx); err != nil {
			return err
		}
		snapshot := w.snapshot()
		if snapshot == nil {
			continue
		}
		if enough, err := f.Look(snapshot); enough || err != nil {
			return err
		}
	}
}

// wait returns when something changed, and a moment has passed for what comes with it.
func (w *watcher) wait(ctx context.Context) error {
	for _, signal := range []<-chan struct{}{w.changed, nil} {
		var moment <-chan time.Time
		if signal == nil {
			moment = time.After(settle)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-signal:
		case <-moment:
		}
	}
	select {
	case <-w.changed:
	default:
	}
	return nil
}

func (w *watcher) notify() {
	select {
	case w.changed <- struct{}{}:
	default: // it is known that there is something
	}
}

// snapshot returns what the mirrors hold, nil as long as one has not been filled.
func (w *watcher) snapshot() *Snapshot {
	s := &Snapshot{Server: w.Server}
	for _, m := range w.mirrors {
		if !m.addTo(s) {
			return nil
		}
	}
	s.sort()
	return s
}

// reflector keeps a mirror as the server has it: it lists, watches from there, begins a watch that broke where it ended,
// and lists again where the server has forgotten that place.
func (w *watcher) reflector(m *mirror) *cache.Reflector {
	quiet := klog.Logger{}
	return cache.NewReflectorWithOptions(&source{w, m, false}, &unstructured.Unstructured{}, m, cache.ReflectorOptions{
		Name: m.of.Resource, Logger: &quiet,
		Backoff: &wait.Backoff{Duration: w.Rewatch.First, Cap: w.Rewatch.Longest, Factor: 2, Steps: 64, Jitter: 0.5},
	})
}

// source lists and watches one resource for a reflector, and looks at how that goes.
type source struct {
	*watcher
	*mirror
	watched bool // once, so that the right is there
}

// IsWatchListSemanticsUnSupported keeps the reflector from streaming the first list, which not every server can.
func (s *source) IsWatchListSemanticsUnSupported() bool { return true }

func (s *source) ListWithContext(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
	if options.ResourceVersion == "0" {
		options.ResourceVersion = "" // what a server remembers may be older than what was read before
	}
	list, err := s.client.Resource(s.of).List(ctx, options)
	s.went(ctx, "list", err)
	return list, err
}

func (s *source) WatchWithContext(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	stream, err := s.streams.Resource(s.of).Watch(ctx, options)
	if !s.watched && (apierrors.IsForbidden(err) || apierrors.IsMethodNotSupported(err)) {
		s.end(&refusal{right{"watch", s.of}})
		return nil, err
	}
	s.watched = s.watched || err == nil
	s.went(ctx, "watch", err)
	return stream, err
}

// List and Watch are for callers without a context, which there are none of.
func (s *source) List(options metav1.ListOptions) (runtime.Object, error) {
	return s.ListWithContext(context.Background(), options)
}

func (s *source) Watch(options metav1.ListOptions) (watch.Interface, error) {
	return s.WatchWithContext(context.Background(), options)
}

// went notes how a request ended. That a place is forgotten is what the next list is for.
func (s *source) went(ctx context.Context, verb string, err error) {
	switch {
	case ctx.Err() != nil, apierrors.IsResourceExpired(err), apierrors.IsGone(err):
	case err != nil:
		s.news.of(s.of.Resource, s.fault("following "+s.of.Resource, right{verb, s.of}, err))
	default:
		s.news.of(s.of.Resource, nil)
	}
}
