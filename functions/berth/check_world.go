package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/berth-dev/berth/generator/flux"
)

// today is the day that ends of ignored findings are held against: SOURCE_DATE_EPOCH (seconds since 1970, as of
// reproducible-builds.org) where it is set, the clock's otherwise.
func today() (time.Time, error) {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		return time.Now().UTC(), nil
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH=%s: it is a number of seconds since 1970", text)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// changedFiles asks Git which files differ from where a branch left a revision, those that are not committed included, and
// those that Git does not know yet. Paths are relative to dir.
func changedFiles(ctx context.Context, dir, since string) ([]string, error) {
	base, err := git(ctx, dir, "merge-base", since, "HEAD")
	if err != nil {
		return nil, fmt.Errorf("--changed-since %s: %w", since, err)
	}
	changed, err := git(ctx, dir, "diff", "--name-only", "--no-renames", "-z", "--relative", strings.TrimSpace(base), "--")
	if err != nil {
		return nil, fmt.Errorf("--changed-since %s: %w", since, err)
	}
	fresh, err := git(ctx, dir, "ls-files", "--others", "--exclude-standard", "-z")
	if err != nil {
		return nil, fmt.Errorf("--changed-since %s: %w", since, err)
	}
	return strings.FieldsFunc(changed+fresh, func(r rune) bool { return r == 0 }), nil
}

func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		if said := strings.TrimSpace(stderr.String()); said != "" {
			err = errors.New(said)
		}
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return string(out), nil
}

// isColorful says whether a person with a colour terminal reads the output (no-color.org).
func isColorful(out io.Writer) bool {
	file, ok := out.(*os.File)
	return ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(file.Fd()))
}

// progress shows on a terminal what is built, once it takes longer than a second.
type progress struct {
	out   io.Writer
	start time.Time
	shown bool
}

func newProgress(out io.Writer) *progress {
	p := &progress{start: time.Now()}
	if file, ok := out.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		p.out = out
	}
	return p
}

func (p *progress) report(environment string, id flux.ID) {
	if p.out == nil || time.Since(p.start) < time.Second {
		return
	}
	p.shown = true
	fmt.Fprintf(p.out, "\r\x1b[Kbuilding %s: %s", environment, id)
}

func (p *progress) done() {
	if p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
