package main

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/berth-dev/berth/deviceplugin/config"
	"github.com/berth-dev/berth/deviceplugin/drm/drmtest"
	"github.com/berth-dev/berth/deviceplugin/kubelet/kubelettest"
)

// lines is a log that can be read while it is written.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func (l *lines) count(text string) int { return strings.Count(l.text(), text) }

// program is the whole plugin, running on a machine with a kubelet.
type program struct {
	t       *testing.T
	tree    string
	kubelet *kubelettest.Kubelet
	plugins string
	address string
	log     *lines
	stop    func()
}

func startProgram(t *testing.T, tree drmtest.Tree, args ...string) *program {
	t.Helper()
	p := &program{t: t, tree: host(t, tree), log: &lines{}}
	p.plugins = filepath.Join(p.tree, "p")
	if err := os.Mkdir(p.plugins, 0o750); err != nil {
		t.Fatal(err)
	}
	p.startKubelet()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p.address = l.Addr().String()
	_ = l.Close()
	args = append([]string{"-prefix=" + p.tree, "-device-plugin-dir=" + p.plugins, "-listen=" + p.address, "-log-format=text"}, args...)
	cfg, _, err := config.Load(config.Source{Args: args, Usage: io.Discard, ReadFile: os.ReadFile})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		serve(ctx, cfg, slog.New(slog.NewTextHandler(p.log, nil)))
	}()
	p.stop = sync.OnceFunc(func() {
		cancel()
		<-done
		p.kubelet.Stop()
	})
	t.Cleanup(p.stop)
	return p
}

func (p *program) startKubelet() {
	p.t.Helper()
	k, err := kubelettest.Start(p.plugins, kubelettest.OneClient)
	if err != nil {
		p.t.Fatal(err)
	}
	p.kubelet = k
}

// offers waits until the kubelet may hand out n devices.
func (p *program) offers(n int) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := p.kubelet.Wait(ctx, i915, func(s kubelettest.State) bool { return len(s.Allocatable) == n && s.Connected > 0 }); err != nil {
		p.t.Fatalf("%v\n%s", err, p.log.text())
	}
}

func (p *program) get(path string) (int, string) {
	p.t.Helper()
	response, err := http.Get("http://" + p.address + path)
	if err != nil {
		return 0, err.Error()
	}
	defer response.Body.Close() //nolint:errcheck // of a test
	body, _ := io.ReadAll(response.Body)
	return response.StatusCode, string(body)
}

func (p *program) rename(from, to string) {
	p.t.Helper()
	if err := os.Rename(filepath.Join(p.tree, from), filepath.Join(p.tree, to)); err != nil {
		p.t.Fatal(err)
	}
}

func eventually(t *testing.T, check func() error) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		err := check()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}
