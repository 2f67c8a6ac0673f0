package inotify

import (
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

const mask = unix.IN_CREATE | unix.IN_DELETE | unix.IN_MOVED_FROM | unix.IN_MOVED_TO | unix.IN_ATTRIB | unix.IN_DELETE_SELF |
	unix.IN_MOVE_SELF | unix.IN_ONLYDIR

// Watcher watches folders with one inotify instance.
type Watcher struct {
	file *os.File // nil where there is no inotify
	fd   int      // of file, whose own Fd would make it block

	mu      sync.Mutex
	signals map[string][]*Signal // by folder
	folders map[int32]string     // by watch descriptor
	watched map[string]int32
}

// Polling gives a watcher without inotify: nothing fires by itself.
func Polling() *Watcher {
	return &Watcher{signals: map[string][]*Signal{}, folders: map[int32]string{}, watched: map[string]int32{}}
}

// New starts a watcher. Its error says that there is no inotify to be had; the watcher is then one that polls.
func New() (*Watcher, error) {
	w := Polling()
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		return w, fmt.Errorf("starting inotify: %w (see fs.inotify.max_user_instances): polling instead", err)
	}
	w.fd, w.file = fd, os.NewFile(uintptr(fd), "inotify")
	go w.read(w.file)
	return w, nil
}

// Close ends the watching.
func (w *Watcher) Close() error {
	if w.file == nil {
		return nil
	}
	return w.file.Close()
}

// Watch fires the signal when the entries of a folder change. Calling it again does no harm, and watches a folder that was made since.
func (w *Watcher) Watch(name string, signal *Signal) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !slices.Contains(w.signals[name], signal) {
		w.signals[name] = append(w.signals[name], signal)
	}
	if _, ok := w.watched[name]; !ok && w.file != nil {
		w.add(name)
	}
}

// Forget ends what Watch began. The folder itself stays watched.
func (w *Watcher) Forget(name string, signal *Signal) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.signals[name] = slices.DeleteFunc(w.signals[name], func(s *Signal) bool { return s == signal })
}

// add leaves a folder that cannot be watched to polling: it may not exist yet, or max_user_watches is used up.
func (w *Watcher) add(name string) {
	wd, err := unix.InotifyAddWatch(w.fd, name, mask)
	if err != nil {
		return
	}
	w.watched[name] = int32(wd)
	w.folders[int32(wd)] = name
}

// Poll gives how long to wait between looks at a folder: rarely where it is watched, often where it is not.
func (w *Watcher) Poll(name string, often, rarely time.Duration) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, ok := w.watched[name]; ok {
		return rarely
	}
	return often
}

func (w *Watcher) read(file *os.File) {
	buf := make([]byte, 16*1024)
	for {
		n, err := file.Read(buf)
		if err != nil {
			return // closed
		}
		w.dispatch(buf[:n])
	}
}

// dispatch fires the signal of each folder that an event is about. When the queue ran over, every folder may have changed.
func (w *Watcher) dispatch(events []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	touched := map[string]bool{}
	for len(events) >= unix.SizeofInotifyEvent {
		wd := int32(binary.NativeEndian.Uint32(events[0:]))
		flags := binary.NativeEndian.Uint32(events[4:])
		length := binary.NativeEndian.Uint32(events[12:])
		events = events[min(len(events), unix.SizeofInotifyEvent+int(length)):]
		if flags&unix.IN_Q_OVERFLOW != 0 {
			for name := range w.signals {
				touched[name] = true
			}
			continue
		}
		name := w.folders[wd]
		touched[name] = true
		if flags&(unix.IN_IGNORED|unix.IN_MOVE_SELF) != 0 {
			delete(w.watched, name)
			delete(w.folders, wd)
		}
	}
	for name := range touched {
		for _, signal := range w.signals[name] {
			signal.Fire()
		}
	}
}
