package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/check"
)

// since takes the findings out that the repository had where the branch left a revision. That state is checked in the same
// way; not at all, when there is nothing to compare or nothing has changed.
func (c *checkRun) since(ctx context.Context, repository *check.Repository, result *check.Result) error {
	base, err := git(ctx, c.dir, nil, "merge-base", c.flags.changedSince, "HEAD")
	switch {
	case err != nil:
		return err
	case len(result.Findings) == 0:
		return nil
	}
	changed, err := isChanged(ctx, c.dir, base)
	if err != nil {
		return err
	}
	if !changed {
		result.Since(result)
		return nil
	}
	before, err := c.checkBefore(ctx, repository, base)
	if err != nil {
		return err
	}
	result.Since(before)
	return nil
}

// checkBefore checks a commit. One that cannot be checked has no findings, so that all of today's are new.
func (c *checkRun) checkBefore(ctx context.Context, after *check.Repository, commit string) (*check.Result, error) {
	scratch, err := os.MkdirTemp("", "berth-check-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch) //nolint:errcheck // what is left in the temporary folder harms nobody
	dir, err := unpackCommit(ctx, c.dir, commit, scratch)
	if err != nil {
		return nil, err
	}
	result, err := c.checkOlder(ctx, after, dir)
	if err != nil {
		fmt.Fprintf(c.io.err, "berth: the state before the change cannot be checked, so that every finding counts as new: %s\n",
			strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), ""))
		return &check.Result{}, nil
	}
	return result, nil
}

func (c *checkRun) checkOlder(ctx context.Context, after *check.Repository, dir string) (*check.Result, error) {
	setup, err := c.setup(dir)
	if err != nil {
		return nil, err
	}
	setup.After = after
	repository, err := c.open(ctx, setup)
	if err != nil {
		return nil, err
	}
	defer repository.Checkout.Close() //nolint:errcheck // it was only read
	return c.ask(repository, c.olderBaseline(dir))
}

// olderBaseline is the baseline of an older state: its own when the file is part of the repository.
func (c *checkRun) olderBaseline(dir string) string {
	root, err := filepath.Abs(c.dir)
	if err != nil || c.flags.baseline == "" {
		return c.flags.baseline
	}
	file, err := filepath.Abs(c.flags.baseline)
	if err != nil {
		return c.flags.baseline
	}
	rel, err := filepath.Rel(root, file)
	if err != nil || !filepath.IsLocal(rel) {
		return c.flags.baseline
	}
	if _, err := os.Stat(filepath.Join(dir, rel)); err != nil {
		return "" // the change adds it
	}
	return filepath.Join(dir, rel)
}

// isChanged says whether the files in a folder are others than those of a commit, those included that Git does not know yet.
func isChanged(ctx context.Context, dir, commit string) (bool, error) {
	for _, args := range [][]string{
		{"diff", "--name-only", "--no-renames", "--relative", commit, "--"}, {"ls-files", "--others", "--exclude-standard"},
	} {
		files, err := git(ctx, dir, nil, args...)
		if err != nil || files != "" {
			return true, err
		}
	}
	return false, nil
}

// unpackCommit writes a commit's files into a scratch folder, as a checkout would, with an index of its own: nothing in the
// repository changes. It returns the folder that stands for dir. An archive would not do, since export-ignore and
// export-subst in .gitattributes concern it.
func unpackCommit(ctx context.Context, dir, commit, scratch string) (string, error) {
	index := []string{"GIT_INDEX_FILE=" + filepath.Join(scratch, "index")}
	prefix, err := git(ctx, dir, nil, "rev-parse", "--show-prefix")
	if err != nil {
		return "", err
	}
	if _, err := git(ctx, dir, index, "read-tree", commit); err != nil {
		return "", err
	}
	files := filepath.Join(scratch, "files")
	if _, err := git(ctx, dir, index, "checkout-index", "--all", "--quiet", "--prefix="+files+string(filepath.Separator)); err != nil {
		return "", err
	}
	unpacked := filepath.Join(files, filepath.FromSlash(prefix))
	return unpacked, os.MkdirAll(unpacked, 0o755) // the commit may not have the folder
}

// offline keeps Git from fetching what a partial clone, or one without its large files, does not have.
var offline = []string{"GIT_NO_LAZY_FETCH=1", "GIT_LFS_SKIP_SMUDGE=1", "GIT_TERMINAL_PROMPT=0"}

// git runs Git in a folder and returns what it prints, without the last line break.
func git(ctx context.Context, dir string, env []string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...)
	cmd.Env = slices.Concat(os.Environ(), offline, env)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		if said := strings.TrimSpace(stderr.String()); said != "" {
			err = errors.New(said)
		}
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}
