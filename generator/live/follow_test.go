package live

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/berth-dev/berth/generator/live/livetest"
)

// follower collects what somebody who follows the cluster is shown and told.
type follower struct {
	t     *testing.T
	stop  context.CancelFunc
	ended chan error

	mu    sync.Mutex
	shown []string // the nodes, as each look had them
	told  []string
}

// follow looks until the test ends it.
func follow(t *testing.T, c *Cluster, scope Scope) *follower {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	f := &follower{t: t, stop: stop, ended: make(chan error, 1)}
	go func() {
		f.ended <- c.Follow(ctx, scope, Following{Look: f.look, Say: f.say, Every: 10 * time.Millisecond})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-f.ended; !errors.Is(err, context.Canceled) {
			t.Errorf("it ended with %v", err)
		}
	})
	return f
}

func (f *follower) look(s *Snapshot) (bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var names []string
	for _, node := range s.Nodes {
		names = append(names, node.Name+node.Labels["is"])
	}
	f.shown = append(f.shown, strings.Join(names, " "))
	return false, nil
}

func (f *follower) say(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.told = append(f.told, text)
}

// sees waits until the last look is the one that is wanted.
func (f *follower) sees(want string) {
	f.t.Helper()
	f.until(func() bool { return len(f.shown) > 0 && f.shown[len(f.shown)-1] == want }, "want %q", want)
}

// until waits with what was shown and told at hand.
func (f *follower) until(met func() bool, format string, args ...any) {
	f.t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		f.mu.Lock()
		good, state := met(), fmt.Sprintf("shown %q, told %q", slices.Compact(slices.Clone(f.shown)), f.told)
		f.mu.Unlock()
		if good {
			return
		}
		if time.Now().After(end) {
			f.t.Fatalf(format+": "+state, args...)
		}
	}
}

func putNode(t *testing.T, s *livetest.Server, name, is string) {
	s.Put(object(t, fmt.Sprintf("{apiVersion: v1, kind: Node, metadata: {name: %s, labels: {is: %q}}}", name, is)))
}

// watching waits until every resource of a scope is watched.
func (f *follower) watching(s *livetest.Server, scope Scope) {
	f.t.Helper()
	f.until(func() bool { return s.Watches() >= len(scope) }, "want %d watches", len(scope))
}

func TestAFollowerMissesNothing(t *testing.T) {
	cases := map[string]func(s *livetest.Server){
		"with a stream that holds":                         func(*livetest.Server) {},
		"when the streams are cut before it":               func(s *livetest.Server) { s.CutWatches() },
		"when the server has forgotten what was":           func(s *livetest.Server) { s.Forget(); s.CutWatches() },
		"after a bookmark, though what was is forgotten":   func(s *livetest.Server) { s.Bookmark(); s.CutWatches() },
		"when the server is busy for a while":              func(s *livetest.Server) { s.GoAway(12); s.CutWatches() },
		"when all of that comes together, again and again": func(s *livetest.Server) { s.CutWatches(); s.Forget(); s.GoAway(5); s.CutWatches(); s.Bookmark() },
	}
	for name, disturb := range cases {
		t.Run(name, func(t *testing.T) {
			server, cluster := serve(t, homeNodes)
			f := follow(t, cluster, Plugins)
			f.sees("kai-desktop-tower kai-server")
			f.watching(server, Plugins)
			disturb(server)
			putNode(t, server, "kai-desktop-tower", "-back")
			f.sees("kai-desktop-tower-back kai-server")
			disturb(server)
			server.Delete(object(t, "{apiVersion: v1, kind: Node, metadata: {name: kai-server}}"))
			f.sees("kai-desktop-tower-back")
			disturb(server)
			putNode(t, server, "kai-wsl", "")
			f.sees("kai-desktop-tower-back kai-wsl")
		})
	}
}

func TestAnObjectThatWentWhileNobodyCouldSeeIsGone(t *testing.T) {
	server, cluster := serve(t, homeNodes)
	f := follow(t, cluster, Plugins)
	f.watching(server, Plugins)
	server.GoAway(20)
	server.CutWatches()
	server.Delete(object(t, "{apiVersion: v1, kind: Node, metadata: {name: kai-server}}"))
	server.Forget() // so that the deletion is in no stream any more
	f.sees("kai-desktop-tower")
}

func TestAServerThatIsAwayIsSaidOnceAndThatItIsBack(t *testing.T) {
	server, cluster := serve(t, homeNodes)
	f := follow(t, cluster, Everything)
	f.watching(server, Everything)
	server.GoAway(60)
	server.CutWatches()
	f.until(func() bool { return len(f.told) == 2 }, "want two sentences")
	if !strings.Contains(f.told[0], "apiserver not ready") || !strings.Contains(f.told[0], "tries again") || f.told[1] != "the server answers again" {
		t.Errorf("told %q", f.told)
	}
	putNode(t, server, "kai-wsl", "")
	f.sees("kai-desktop-tower kai-server kai-wsl")
}

func TestWithoutTheRightToWatchItPollsAndSaysSoOnce(t *testing.T) {
	server, cluster := serve(t, homeNodes)
	server.Deny("watch", "pods")
	server.Deny("watch", "nodes")
	f := follow(t, cluster, Plugins)
	f.until(func() bool { return len(f.told) == 1 }, "want one sentence")
	putNode(t, server, "kai-wsl", "")
	f.sees("kai-desktop-tower kai-server kai-wsl")
	server.GoAway(3) // a busy server is asked again
	server.Delete(object(t, "{apiVersion: v1, kind: Node, metadata: {name: kai-server}}"))
	f.sees("kai-desktop-tower kai-wsl")
	f.until(func() bool {
		return len(f.told) == 1 && strings.Contains(f.told[0], "so that berth looks every 10ms; the rule that is missing in a ClusterRole: {apiGroups: [\"\"], resources: [") &&
			strings.Contains(f.told[0], "verbs: [watch]}")
	}, "want the rule that is missing")
}

func TestARefusalInTheMiddleIsWaitedFor(t *testing.T) {
	server, cluster := serve(t, homeNodes)
	f := follow(t, cluster, Plugins)
	f.watching(server, Plugins)
	server.Deny("watch", "nodes") // as a server does that has not read its roles yet
	server.CutWatches()
	f.until(func() bool { return len(f.told) > 0 }, "want to be told")
	server.Allow("watch", "nodes")
	putNode(t, server, "kai-wsl", "")
	f.sees("kai-desktop-tower kai-server kai-wsl")
	if slices.ContainsFunc(f.told, func(text string) bool { return strings.Contains(text, "berth looks every") }) {
		t.Errorf("it polls: %q", f.told)
	}
}

func TestLookEndsItAndSoDoesItsError(t *testing.T) {
	for _, want := range []error{nil, errors.New("enough")} {
		server, cluster := serve(t, homeNodes)
		looks := 0
		got := cluster.Follow(t.Context(), Plugins, Following{Say: func(string) {}, Look: func(*Snapshot) (bool, error) {
			if looks++; looks == 1 {
				return false, nil
			}
			return want == nil, want
		}})
		if !errors.Is(got, want) || looks != 2 {
			t.Errorf("got %v after %d looks", got, looks)
		}
		server.Close()
	}
}

func TestWhatCannotBeReadEndsIt(t *testing.T) {
	server, cluster := serve(t, homeNodes)
	go func() {
		for server.Watches() < len(Plugins) {
			time.Sleep(time.Millisecond)
		}
		server.Put(object(t, "{apiVersion: v1, kind: Node, metadata: {name: odd}, spec: {taints: here}}"))
	}()
	err := cluster.Follow(t.Context(), Plugins, Following{Say: func(string) {}, Look: func(*Snapshot) (bool, error) { return false, nil }})
	if err == nil || !strings.Contains(err.Error(), "Node /odd: the server sent what Berth does not understand") {
		t.Errorf("got %v", err)
	}
}
