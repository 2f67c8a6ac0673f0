package examples_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"

	berthrender "github.com/berth-dev/berth/generator/render"
)

// liveJobs gives the specs of the Job and of the CronJob's Jobs, as kustomize builds them.
func liveJobs(t *testing.T) (job, cron batchv1.JobSpec) {
	t.Helper()
	items, err := berthrender.Build("live")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, item := range items {
		node, read := item.Node()
		if read != nil {
			t.Fatal(read)
		}
		switch text := []byte(node.MustString()); item.ID() {
		case "Job berth/berth-apply":
			var j batchv1.Job
			read, found = yaml.UnmarshalStrict(text, &j), found+1
			job = j.Spec
		case "CronJob berth/berth-apply":
			var c batchv1.CronJob
			read, found = yaml.UnmarshalStrict(text, &c), found+1
			cron = c.Spec.JobTemplate.Spec
		}
		if read != nil {
			t.Fatal(read)
		}
	}
	if found != 2 {
		t.Fatalf("%d of a Job and a CronJob", found)
	}
	return job, cron
}

func TestTheJobAndTheCronJobRunTheSame(t *testing.T) {
	job, cron := liveJobs(t)
	job.TTLSecondsAfterFinished = nil
	if diff := cmp.Diff(job, cron); diff != "" {
		t.Errorf("-Job +CronJob:\n%s", diff)
	}
}

func TestTheJobIsPinnedAndReadsItsIntentFromTheConfigMap(t *testing.T) {
	job, _ := liveJobs(t)
	pod := job.Template.Spec
	if image := pod.Containers[0].Image; !regexp.MustCompile(`^ghcr\.io/berth-dev/berth:v[0-9.]+$`).MatchString(image) {
		t.Errorf("the image is %s", image)
	}
	if name := pod.Volumes[0].ConfigMap.Name; !regexp.MustCompile(`^berth-intents-[a-z0-9]{10}$`).MatchString(name) {
		t.Errorf("the ConfigMap is %s: another intent would not be another Job", name)
	}
}

// The pod tolerates every taint of the intent by itself, and the intent says so: Berth's patches test that, and add nothing.
func TestTheTaintOfTheExampleDoesNotKeepItsOwnPodOut(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "live")
	if err := os.CopyFS(dir, os.DirFS("live")); err != nil {
		t.Fatal(err)
	}
	command(t, dir, filepath.Join(tools, "berth"), "generate", "taints.yaml", "--from", ".", "-o", "generated")
	for _, kind := range []string{"job", "cronjob"} {
		patch, err := os.ReadFile(filepath.Join(dir, "generated/component/home_"+kind+"_berth_berth-apply.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(patch), "op: add") || strings.Contains(string(patch), "op: replace") || !strings.Contains(string(patch), "op: test") {
			t.Errorf("berth generate has to change the %s:\n%s", kind, patch)
		}
	}
}

func TestTheLiveExampleHasNoFindings(t *testing.T) {
	out := command(t, "live", filepath.Join(tools, "berth"), "check", "--fail-on", "info", "--require-complete", "-v")
	if !strings.Contains(out, "nothing found in 1 environment, 2 Kustomizations, 10 objects") {
		t.Error(out)
	}
}

func TestYamllintHasNothingToSayOfTheLiveExample(t *testing.T) {
	yamllint, err := exec.LookPath("yamllint")
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("SKIPPED: yamllint is not installed (Debian: apt-get install yamllint)")
	}
	command(t, ".", yamllint, "--strict", "-d", "{extends: default, rules: {line-length: disable, indentation: {indent-sequences: true}}}", "live")
}

// The role to read must not be able to change anything.
func TestTheRoleToReadOnlyReads(t *testing.T) {
	text, err := os.ReadFile("live/rbac.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range regexp.MustCompile(`(?m)^---$`).Split(string(text), -1) {
		var role rbacv1.ClusterRole
		if err := yaml.Unmarshal([]byte(document), &role); err != nil {
			t.Fatal(err)
		}
		if role.Name != "berth-read" {
			continue
		}
		for _, rule := range role.Rules {
			if !slices.Equal(rule.Verbs, []string{"list", "watch"}) {
				t.Errorf("%v may %v", rule.Resources, rule.Verbs)
			}
		}
	}
}
