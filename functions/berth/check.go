package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/check/rules"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/report"
)

// exitIncomplete is for a check that found nothing wrong, but could not see everything.
const exitIncomplete = 3

// checkFlags are the flags of `berth check`.
type checkFlags struct {
	config          string
	paths           []string
	format          string
	failOn          string
	changedSince    string
	baseline        string
	writeBaseline   string
	only            []string
	requireComplete bool
	verbose         bool
	explain         string
}

func newCheckCommand(io streams) *cobra.Command {
	var flags checkFlags
	cmd := &cobra.Command{
		Use:   "check [DIR]",
		Short: "Say what would go wrong when Flux applies a repository, with file and line",
		Long: `Build everything that Flux would apply from a Git checkout, without a cluster, secrets or network,
and say what would go wrong.

DIR is the root of the repository. Its berth.yaml names the environments and what holds between them;
without one, the folders that Flux is pointed at are found. Left out, DIR is the nearest folder with a
berth.yaml or a .git, from the current one upwards.

What cannot be seen offline (charts, OCI sources, encrypted values) is listed, counted, and no error,
unless --require-complete says so.

Exit status: 0 when nothing of the --fail-on severity was found, 1 when something was, 2 when the check
could not be made, 3 when nothing was found and --require-complete missed something.`,
		Example: `  berth check
  berth check path/to/repository -o json
  berth check --changed-since origin/main -o github
  berth check --explain substitution-missing`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if flags.explain != "" {
				return explain(io, flags.explain)
			}
			return runCheck(cmd.Context(), args, flags, io)
		},
	}
	f := cmd.Flags()
	f.StringVar(&flags.config, "config", "", "the RenderCheck, relative to DIR (default berth.yaml, when it is there)")
	f.StringArrayVar(&flags.paths, "path", nil, "a folder that Flux is pointed at, such as clusters/dev, instead of the configured ones")
	f.StringVarP(&flags.format, "output", "o", "text", "the format: "+strings.Join(report.Formats(), ", "))
	f.StringVar(&flags.failOn, "fail-on", "error", "the least severity that makes the exit status 1: error, warning, info or never")
	f.StringVar(&flags.changedSince, "changed-since", "", "report only what is not found where the branch left this Git revision")
	f.StringVar(&flags.baseline, "baseline", "", "a file with findings that are accepted")
	f.StringVar(&flags.writeBaseline, "write-baseline", "", "write what is found today to this file, and exit 0")
	f.StringSliceVar(&flags.only, "only", nil, "ask these rules alone, by their codes")
	f.BoolVar(&flags.requireComplete, "require-complete", false, "exit 3 when something could not be seen")
	f.BoolVarP(&flags.verbose, "verbose", "v", false, "show notes and everything that could not be seen, one by one")
	f.StringVar(&flags.explain, "explain", "", "explain a finding's code, and check nothing; `CODE` is all for the list of rules")
	return cmd
}

// explain prints what a rule is about.
func explain(io streams, code string) error {
	if code == "all" {
		for _, rule := range rules.All() {
			fmt.Fprintf(io.out, "%-24s %-8s %s\n", rule.Code, rule.Severity, rule.Title)
		}
		return nil
	}
	rule, err := rules.Find(code)
	if err != nil {
		return fmt.Errorf("explain: %w", err)
	}
	fmt.Fprintf(io.out, "%s (%s, %s)\n\n%s.\n\n%s\n", rule.Code, rule.Severity, rule.Group, rule.Title, rule.Help)
	return nil
}

// selected returns the rules that are asked.
func selected(codes []string) ([]*check.Rule, error) {
	if len(codes) == 0 {
		return rules.All(), nil
	}
	var chosen []*check.Rule
	for _, code := range codes {
		rule, err := rules.Find(code)
		if err != nil {
			return nil, fmt.Errorf("--only: %w", err)
		}
		chosen = append(chosen, rule)
	}
	return chosen, nil
}

// verdict turns a result into the exit status.
func verdict(r *check.Result, flags checkFlags) error {
	severities := []finding.Severity{finding.Error, finding.Warning, finding.Info}
	counts := map[string]int{"error": 1, "warning": 2, "info": 3, "never": 0}
	for _, s := range severities[:counts[flags.failOn]] {
		if r.Count(s) > 0 {
			return &exitError{code: exitFindings}
		}
	}
	if flags.requireComplete && len(r.Unseen) > 0 {
		return &exitError{code: exitIncomplete, err: fmt.Errorf("%d parts could not be seen, and --require-complete demands all", len(r.Unseen))}
	}
	return nil
}

var errNothing = errors.New("no folder that Flux is pointed at was found: name one with --path, or under spec.environments of berth.yaml")
