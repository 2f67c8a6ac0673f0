package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

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
	dir := rootOf(".")
	if len(args) > 0 {
		dir = args[0]
	}
	run := &checkRun{flags: flags, io: io, dir: dir, rules: asked, today: today}
	result, err := run.check(ctx)
	if err != nil {
		return err
	}
	if flags.writeBaseline != "" {
		return writeBaseline(io, flags.writeBaseline, result)
	}
	if err := report.Print(writer, result); err != nil {
		return err
	}
	return verdict(result, flags)
}

// checkRun is one call of berth check.
type checkRun struct {
	flags checkFlags
	io    streams
	dir   string
	rules []*check.Rule
	today time.Time
}

// check builds everything and asks the rules; with --changed-since it leaves over what that revision does not have.
func (c *checkRun) check(ctx context.Context) (*check.Result, error) {
	setup, err := c.setup(c.dir)
	if err != nil {
		return nil, err
	}
	repository, err := c.open(ctx, setup)
	if err != nil {
		return nil, err
	}
	defer repository.Checkout.Close() //nolint:errcheck // it was only read
	if len(repository.Environments) == 0 && len(repository.Declared.Intents)+len(repository.Declared.Plugins)+len(repository.Broken()) == 0 {
		return nil, fmt.Errorf("check %s: %w", c.dir, errNothing)
	}
	result, err := c.ask(repository, c.flags.baseline)
	if err != nil || c.flags.changedSince == "" {
		return result, err
	}
	if err := c.since(ctx, repository, result); err != nil {
		return nil, fmt.Errorf("--changed-since %s: %w", c.flags.changedSince, err)
	}
	return result, nil
}

func (c *checkRun) setup(dir string) (*check.Setup, error) {
	setup, err := check.Find(dir, c.flags.config)
	if err == nil && len(c.flags.paths) > 0 {
		setup.Name(c.flags.paths)
	}
	return setup, err
}

func (c *checkRun) open(ctx context.Context, setup *check.Setup) (*check.Repository, error) {
	progress := newProgress(c.io.err)
	defer progress.done()
	return check.Open(ctx, setup, progress.report)
}

// ask asks the rules, and takes out what is accepted.
func (c *checkRun) ask(repository *check.Repository, baseline string) (*check.Result, error) {
	result := check.Run(repository, c.rules)
	if len(c.flags.only) == 0 {
		result.WithoutIgnored(repository.Check, c.today)
	}
	if c.flags.writeBaseline != "" {
		return result, nil
	}
	return result, acceptBaseline(result, baseline)
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
