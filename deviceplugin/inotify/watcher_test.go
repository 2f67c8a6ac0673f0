package inotify

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func newWatcher(t *testing.T) *Watcher {
	t.Helper()
	w, err := New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// fires reports whether the signal fires soon after f.
func fires(s *Signal, f func()) bool {
	next := s.Next()
	f()
	select {
	case <-next:
		return true
	case <-time.After(200 * time.Millisecond):
		return false
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestEntriesThatComeAndGoFireTheSignal(t *testing.T) {
	dir := t.TempDir()
	w, s := newWatcher(t), NewSignal()
	w.Watch(dir, s)
	w.Watch(dir, s)
	name, other := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	for _, step := range []struct {
		what string
		do   func() error
	}{
		{"creating", func() error { return os.WriteFile(name, nil, 0o600) }},
		{"renaming", func() error { return os.Rename(name, other) }},
		{"changing the mode of", func() error { return os.Chmod(other, 0o644) }},
		{"removing", func() error { return os.Remove(other) }},
	} {
		if !fires(s, func() { must(t, step.do()) }) {
			t.Errorf("%s an entry fired nothing", step.what)
		}
	}
	w.Forget(dir, s)
	if fires(s, func() { must(t, os.WriteFile(name, nil, 0o600)) }) {
		t.Error("a signal that was forgotten fired")
	}
}

// Every write to /dev/null would wake up a plugin that watches /dev.
func TestWritingToAFileFiresNothing(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "null")
	must(t, os.WriteFile(name, nil, 0o600))
	w, s := newWatcher(t), NewSignal()
	w.Watch(dir, s)
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	must(t, err)
	defer f.Close() //nolint:errcheck // of a test
	if fires(s, func() { _, err := f.WriteString("x"); must(t, err) }) {
		t.Error("a write fired")
	}
}

func TestAFolderThatIsMadeLaterOrMadeAgainIsWatchedAtTheNextCall(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dri")
	w, s := newWatcher(t), NewSignal()
	w.Watch(dir, s)
	if got := w.Poll(dir, time.Second, time.Minute); got != time.Second {
		t.Errorf("a folder that is not there is looked at every %v", got)
	}
	for range 3 {
		must(t, os.Mkdir(dir, 0o700))
		w.Watch(dir, s)
		if got := w.Poll(dir, time.Second, time.Minute); got != time.Minute {
			t.Errorf("a folder that is watched is looked at every %v", got)
		}
		if !fires(s, func() { must(t, os.WriteFile(filepath.Join(dir, "a"), nil, 0o600)) }) {
			t.Error("nothing fired")
		}
		if !fires(s, func() { must(t, os.RemoveAll(dir)) }) {
			t.Error("removing the folder fired nothing")
		}
		for deadline := time.Now().Add(time.Second); w.Poll(dir, time.Second, time.Minute) != time.Second; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("a folder that is gone counts as watched")
			}
		}
	}
}

// A node has 128 inotify instances for each user, and other plugins take some of them. The limit on open files gives the same error, and
// is this process's own.
func TestWithoutInotifyThereIsPolling(t *testing.T) {
	var limit unix.Rlimit
	must(t, unix.Getrlimit(unix.RLIMIT_NOFILE, &limit))
	none := limit
	none.Cur = 0
	must(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &none))
	w, err := New()
	must(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &limit))
	if !errors.Is(err, unix.EMFILE) {
		t.Fatalf("got %v", err)
	}
	s := NewSignal()
	w.Watch(t.TempDir(), s)
	if got := w.Poll(t.TempDir(), time.Second, time.Minute); got != time.Second {
		t.Errorf("looks every %v", got)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

func TestEventsThatWereLostFireEverything(t *testing.T) {
	w := Polling()
	a, b := NewSignal(), NewSignal()
	w.Watch("/a", a)
	w.Watch("/b", b)
	event := make([]byte, unix.SizeofInotifyEvent)
	event[0], event[1], event[2], event[3] = 0xff, 0xff, 0xff, 0xff
	event[5] = unix.IN_Q_OVERFLOW >> 8
	if !fires(a, func() { w.dispatch(event) }) || !fires(b, func() { w.dispatch(event) }) {
		t.Error("nothing fired")
	}
	w.dispatch([]byte{1, 2, 3}) // not an event
}
