package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/berth-dev/berth/deviceplugin/config"
	"github.com/berth-dev/berth/deviceplugin/metrics"
)

const (
	readTimeout = 5 * time.Second
	retryListen = 10 * time.Second
)

// staleAfter is when a plugin that does not look at its devices is no longer alive.
func staleAfter(cfg config.Config) time.Duration {
	return max(time.Minute, 5*cfg.ScanInterval)
}

// serveHTTP answers /metrics, /healthz and /readyz until ctx ends. An address that cannot be had is tried again: the devices are served
// all the same.
func serveHTTP(ctx context.Context, address string, m *metrics.Metrics, stale time.Duration, log *slog.Logger) {
	if address == "" {
		return
	}
	for ctx.Err() == nil {
		server := &http.Server{Addr: address, Handler: handler(m, stale), ReadHeaderTimeout: readTimeout, WriteTimeout: readTimeout}
		stop := context.AfterFunc(ctx, func() { _ = server.Close() })
		err := server.ListenAndServe()
		stop()
		if !errors.Is(err, http.ErrServerClosed) {
			log.Error("serving metrics and probes: trying again", "error", err.Error(), "after", retryListen.String())
			sleep(ctx, retryListen)
		}
	}
}

func handler(m *metrics.Metrics, stale time.Duration) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		m.Write(w)
	})
	mux.HandleFunc("GET /healthz", probe(func() error { return m.Alive(time.Now(), stale) }))
	mux.HandleFunc("GET /readyz", probe(m.Ready))
	return mux
}

func probe(check func() error) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if err := check(); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
	}
}
