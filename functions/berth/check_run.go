package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/report"
)

func runCheck(ctx context.Context, args []string, flags checkFlags, io streams) error {
	if !slices.Contains([]string{"error", "warning", "info", "never"}, flags.failOn) {
		return fmt.Errorf("--fail-on %q: write error, warning, info or never", flags.failOn)
	}
	asked, err := selected(flags.only)
	if err != nil {
		return err
	}
	writer, err := report.New(flags.format, io.out, report.Options{
		Rules: asked, Version: buildVersion(), Color: isColorful(io.out), Verbose: flags.verbose,
	})
	if err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	today, err := today()
	if err != nil {
		return err
	}
	repository, err := openRepository(ctx, args, flags, io)
	if err != nil {
		return err
	}
	defer repository.Checkout.Close() //nolint:errcheck // it was only read
	result := check.Run(repository, asked)
	if len(flags.only) == 0 {
		result.WithoutIgnored(repository.Check, today)
	}
	if flags.changedSince != "" {
		files, err := changedFiles(ctx, repository.Dir, flags.changedSince)
		if err != nil {
			return err
		}
		result.Reach(check.NewChange(repository, files))
	}
	if flags.writeBaseline != "" {
		return writeBaseline(io, flags.writeBaseline, result)
	}
	if err := acceptBaseline(result, flags.baseline); err != nil {
		return err
	}
	if err := report.Print(writer, result); err != nil {
		return err
	}
	return verdict(result, flags)
}

// openRepository builds everything.
func openRepository(ctx context.Context, args []string, flags checkFlags, io streams) (*check.Repository, error) {
	dir := rootOf(".")
	if len(args) > 0 {
		dir = args[0]
	}
	setup, err := check.Find(dir, flags.config)
	if err != nil {
		return nil, err
	}
	if len(flags.paths) > 0 {
		setup.Name(flags.paths)
	}
	progress := newProgress(io.err)
	defer progress.done()
	repository, err := check.Open(ctx, setup, progress.report)
	if err != nil {
		return nil, err
	}
	if len(repository.Environments) == 0 && len(repository.Declared.Intents)+len(repository.Declared.Plugins)+len(repository.Broken()) == 0 {
		_ = repository.Checkout.Close()
		return nil, fmt.Errorf("check %s: %w", dir, errNothing)
	}
	return repository, nil
}

// rootOf is the nearest folder upwards that is the root of a repository; the folder itself when there is none.
func rootOf(dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	for at := abs; ; at = filepath.Dir(at) {
		for _, sign := range []string{check.FileName, ".git"} {
			if _, err := os.Stat(filepath.Join(at, sign)); err == nil {
				return at
			}
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

func writeBaseline(io streams, file string, result *check.Result) error {
	text, err := json.MarshalIndent(check.NewBaseline(result), "", "  ")
	if err != nil {
		return fmt.Errorf("write baseline: %w", err)
	}
	if err := os.WriteFile(file, append(text, '\n'), 0o644); err != nil {
		return fmt.Errorf("write baseline: %w", err)
	}
	fmt.Fprintf(io.err, "wrote %d findings to %s\n", len(result.Findings), file)
	return nil
}

func acceptBaseline(result *check.Result, file string) error {
	if file == "" {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read baseline: %w", err)
	}
	baseline, err := check.ReadBaseline(text)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	result.WithoutBaseline(baseline)
	return nil
}
