package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/berth-dev/berth/deviceplugin/config"
)

// version is set by the linker.
var version = "dev"

const (
	exitOK    = 0
	exitUsage = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	code := run(ctx, config.Source{Args: os.Args[1:], Environ: os.Environ(), ReadFile: os.ReadFile, Usage: os.Stderr}, os.Stdout)
	stop()
	os.Exit(code)
}

// run does what the settings say, and gives the exit code: 2 for settings that are wrong, else 0.
func run(ctx context.Context, src config.Source, stdout io.Writer) int {
	cfg, action, err := config.Load(src)
	if errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	if err == nil {
		err = act(ctx, cfg, action, stdout, src.Usage)
	}
	if err != nil {
		fmt.Fprintln(src.Usage, "berth-device-plugin:", err)
		return exitUsage
	}
	return exitOK
}

func act(ctx context.Context, cfg config.Config, action config.Action, stdout, stderr io.Writer) error {
	switch {
	case action.Version:
		fmt.Fprintln(stdout, "berth-device-plugin", version)
		return nil
	case action.PrintConfig:
		text, err := cfg.YAML()
		if err != nil {
			return err
		}
		_, err = stdout.Write(text)
		return err
	case action.Once:
		return once(cfg, action.Output, stdout, stderr)
	}
	serve(ctx, cfg, newLogger(cfg, stderr))
	return nil
}
