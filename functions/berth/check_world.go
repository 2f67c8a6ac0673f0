package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
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
