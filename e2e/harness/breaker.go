package harness

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/client-go/rest"
)

// Breaker is a proxy in front of the API server that cuts every watch after a while, as load balancers with an idle
// timeout do.
type Breaker struct {
	// Kubeconfig is an administrator's, by way of the proxy.
	Kubeconfig string

	cuts atomic.Int64
}

// NewBreaker starts a proxy that ends with the test.
func (c *Cluster) NewBreaker(t *testing.T, every time.Duration) *Breaker {
	t.Helper()
	target, err := url.Parse(c.url)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	if proxy.Transport, err = rest.TransportFor(c.Config); err != nil {
		t.Fatal(err)
	}
	proxy.FlushInterval, proxy.ErrorLog = -1, log.New(io.Discard, "", 0) // that it cuts is no error
	b := &Breaker{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("watch") == "true" {
			ctx, cut := context.WithTimeout(r.Context(), every)
			defer cut()
			defer b.cuts.Add(1)
			r = r.WithContext(ctx)
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	b.Kubeconfig = WriteFile(t, "kubeconfig", fmt.Sprintf(`apiVersion: v1
kind: Config
clusters: [{name: e2e, cluster: {server: %q}}]
users: [{name: e2e, user: {}}]
contexts: [{name: e2e, context: {cluster: e2e, user: e2e}}]
current-context: e2e
`, server.URL))
	return b
}

// Cuts counts the watches that were cut.
func (b *Breaker) Cuts() int64 { return b.cuts.Load() }
