package harness

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"
)

// Recorder is a reverse proxy before the API server that keeps what is applied through it.
type Recorder struct {
	Kubeconfig string

	mu      sync.Mutex
	applied []Applied
}

// Applied is a server-side apply.
type Applied struct {
	Path    string // that of the object in the API
	Manager string // field manager
	DryRun  bool
	Status  int // of the answer
	Body    []byte
}

// NewRecorder starts a proxy that ends with the test. Whoever uses its kubeconfig is an administrator.
func NewRecorder(t *testing.T, c *Cluster) *Recorder {
	t.Helper()
	target, err := url.Parse(c.url)
	if err != nil {
		t.Fatal(err)
	}
	transport, err := rest.TransportFor(c.Config)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &Recorder{Kubeconfig: filepath.Join(c.Dir, "recorder.kubeconfig")}
	proxy := &httputil.ReverseProxy{
		Rewrite:   func(p *httputil.ProxyRequest) { p.SetURL(target) },
		Transport: r.recording(transport), FlushInterval: -1, // a watch is passed on as it comes
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	}
	server := &http.Server{Handler: proxy, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	text := fmt.Sprintf(`apiVersion: v1
kind: Config
clusters: [{name: e2e, cluster: {server: "http://%s"}}]
contexts: [{name: e2e, context: {cluster: e2e}}]
current-context: e2e
`, listener.Addr())
	if err := os.WriteFile(r.Kubeconfig, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return r
}

// roundTrip is a transport.
type roundTrip func(*http.Request) (*http.Response, error)

// RoundTrip makes a request.
func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// recording keeps the applies that pass through a transport, with how the server answered.
func (r *Recorder) recording(next http.RoundTripper) http.RoundTripper {
	return roundTrip(func(request *http.Request) (*http.Response, error) {
		if request.Method != http.MethodPatch || !strings.HasPrefix(request.Header.Get("Content-Type"), "application/apply-patch+") {
			return next.RoundTrip(request)
		}
		body, err := io.ReadAll(request.Body)
		if err != nil {
			return nil, err
		}
		request.Body = io.NopCloser(bytes.NewReader(body))
		response, err := next.RoundTrip(request)
		if err != nil {
			return nil, err
		}
		query := request.URL.Query()
		r.mu.Lock()
		defer r.mu.Unlock()
		r.applied = append(r.applied, Applied{
			Path: request.URL.Path, Manager: query.Get("fieldManager"), DryRun: query.Get("dryRun") != "", Status: response.StatusCode, Body: body,
		})
		return response, nil
	})
}

// Applied returns what a field manager has applied so far, dry runs included, in the order of the answers.
func (r *Recorder) Applied(manager string) []Applied {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []Applied
	for _, a := range r.applied {
		if a.Manager == manager {
			all = append(all, a)
		}
	}
	return all
}
