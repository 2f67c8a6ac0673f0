package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
)

// github writes workflow commands, which GitHub, Forgejo and Gitea show at the lines of a pull request. Private repositories
// often have no code scanning, so that this is the surest way.
type github struct{ out io.Writer }

func newGitHub(w io.Writer, _ Options) Writer { return &github{w} }

// Write implements Writer.
func (g *github) Write(f check.Finding) error {
	command := map[finding.Severity]string{finding.Error: "error", finding.Warning: "warning", finding.Info: "notice"}[f.Severity]
	var properties []string
	if f.File != "" {
		properties = append(properties, "file="+escapeProperty(f.File))
		if f.Line > 0 {
			properties = append(properties, fmt.Sprintf("line=%d", f.Line))
		}
	}
	properties = append(properties, "title="+escapeProperty(f.Code))
	text := sentence(message(f))
	if f.Action != "" {
		text += " To do: " + sentence(f.Action)
	}
	_, err := fmt.Fprintf(g.out, "::%s %s::%s\n", command, strings.Join(properties, ","), escapeData(text))
	return err
}

// Flush implements Writer. A line that is no command is shown in the log alone.
func (g *github) Flush(r *check.Result) error {
	line := "berth check: " + totals(r) + " in " + looked(r)
	if len(r.Unseen) > 0 {
		line += fmt.Sprintf("; %d not seen", len(r.Unseen))
	}
	_, err := fmt.Fprintln(g.out, line)
	return err
}

// escapeData escapes what stands behind :: (actions/toolkit: packages/core/src/command.ts).
func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func escapeProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
