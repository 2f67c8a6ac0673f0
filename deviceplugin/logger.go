package main

import (
	"io"
	"log/slog"

	"github.com/berth-dev/berth/deviceplugin/config"
)

// newLogger writes one line per event to w, which is standard error: what kubectl logs shows.
func newLogger(cfg config.Config, w io.Writer) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(cfg.LogLevel)) // checked by config
	options := &slog.HandlerOptions{Level: level}
	if cfg.LogFormat == "text" {
		return slog.New(slog.NewTextHandler(w, options))
	}
	return slog.New(slog.NewJSONHandler(w, options))
}
