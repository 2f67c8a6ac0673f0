package main

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/berth-dev/berth/deviceplugin/config"
	"github.com/berth-dev/berth/deviceplugin/metrics"
	"github.com/berth-dev/berth/deviceplugin/web"
)

const retryListen = 10 * time.Second

// staleAfter is when a plugin that does not look at its devices is no longer alive.
func staleAfter(cfg config.Config) time.Duration {
	return max(time.Minute, 3*cfg.ScanInterval)
}

// serveHTTP answers /metrics, /healthz and /readyz until ctx ends. An address that cannot be had is tried again: the devices are served
// all the same.
func serveHTTP(ctx context.Context, address string, m *metrics.Metrics, stale time.Duration, log *slog.Logger) {
	if address == "" {
		return
	}
	for ctx.Err() == nil {
		listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
		if err == nil {
			err = web.Serve(ctx, listener, pages(m, stale))
		}
		if ctx.Err() == nil {
			log.Error("serving metrics and probes: trying again", "error", err.Error(), "after", retryListen.String())
			sleep(ctx, retryListen)
		}
	}
}

func pages(m *metrics.Metrics, stale time.Duration) map[string]web.Page {
	return map[string]web.Page{
		"/metrics": func() (int, string, []byte) {
			var b bytes.Buffer
			m.Write(&b)
			return http.StatusOK, "text/plain; version=0.0.4; charset=utf-8", b.Bytes()
		},
		"/healthz": probe(func() error { return m.Alive(time.Now(), stale) }),
		"/readyz":  probe(m.Ready),
	}
}

func probe(check func() error) web.Page {
	return func() (int, string, []byte) {
		if err := check(); err != nil {
			return http.StatusServiceUnavailable, "text/plain; charset=utf-8", []byte(err.Error() + "\n")
		}
		return http.StatusOK, "text/plain; charset=utf-8", []byte("ok\n")
	}
}
