package web_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/berth-dev/berth/deviceplugin/web"
)

func serve(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		done <- web.Serve(ctx, listener, map[string]web.Page{
			"/metrics": func() (int, string, []byte) { return http.StatusOK, "text/plain; version=0.0.4", []byte("a 1\n") },
			"/readyz":  func() (int, string, []byte) { return http.StatusServiceUnavailable, "text/plain", []byte("not yet\n") },
		})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return listener.Addr().String()
}

func TestPages(t *testing.T) {
	address := serve(t)
	tests := map[string]struct {
		method, path string
		status       int
		body         string
	}{
		"a page":                       {http.MethodGet, "/metrics", 200, "a 1\n"},
		"a page with a query":          {http.MethodGet, "/metrics?x=1", 200, "a 1\n"},
		"only its head":                {http.MethodHead, "/metrics", 200, ""},
		"a page that says no":          {http.MethodGet, "/readyz", 503, "not yet\n"},
		"a page that is not there":     {http.MethodGet, "/", 404, "not found\n"},
		"a method that makes no sense": {http.MethodPost, "/metrics", 405, "use GET\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			request, err := http.NewRequestWithContext(t.Context(), test.method, "http://"+address+test.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close() //nolint:errcheck // of a test
			body, err := io.ReadAll(response.Body)
			if err != nil || response.StatusCode != test.status || string(body) != test.body {
				t.Errorf("got %d %q, %v", response.StatusCode, body, err)
			}
		})
	}
}

func TestClientsThatMisbehaveDoNotKeepOthersOut(t *testing.T) {
	address := serve(t)
	for _, said := range []string{"", "GET", "\x16\x03\x01 TLS\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: -5\r\n\r\n", strings.Repeat("x", 1<<20)} {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close() //nolint:errcheck // of a test
		_ = conn.SetWriteDeadline(time.Now().Add(time.Second))
		_, _ = io.WriteString(conn, said) // and then says nothing more
	}
	response, err := http.Get("http://" + address + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("got %d", response.StatusCode)
	}
}
