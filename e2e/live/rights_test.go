package live_test

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/berth-dev/berth/e2e/harness"
)

// soon is how long the API server may take to know a new role.
const soon = 15 * time.Second

func isConflict(err error) bool { return apierrors.IsConflict(err) }

// roles creates the ClusterRoles of examples/live.
func (s *site) roles(t *testing.T) {
	t.Helper()
	text, err := os.ReadFile("../../examples/live/rbac.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range bytes.Split(text, []byte("\n---\n")) {
		role := &rbacv1.ClusterRole{}
		if err := yaml.Unmarshal(document, role); err != nil {
			t.Fatal(err)
		}
		if role.Kind != "ClusterRole" {
			continue
		}
		if _, err := s.client.RbacV1().ClusterRoles().Create(t.Context(), role, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

func (s *site) bind(t *testing.T, role, user string) {
	t.Helper()
	_, err := s.client.RbacV1().ClusterRoleBindings().Create(t.Context(), &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: role + "-" + user},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: user}},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheRolesOfTheExampleAreEnoughAndWhatIsMissingIsNamed(t *testing.T) {
	s := newSite(t)
	s.AddNode(t, "kai-server", nil)
	s.AddNode(t, "kai-desktop-tower", nil)
	s.WaitReady(t)
	s.roles(t)
	file := harness.WriteFile(t, "taints.yaml", intent)
	user := s.User(t, "jane", "jane")
	berth := func(code int, want string, args ...string) {
		t.Helper()
		r := s.tools.RunBerth(t, user, nil, args...)
		if r.Code != code || !strings.Contains(r.Out+r.Errors, want) {
			t.Errorf("berth %v: exit %d, want %d and %q\n%s%s", args, r.Code, code, want, r.Out, r.Errors)
		}
	}
	berth(2, `the rule that is missing in a ClusterRole: {apiGroups: [""], resources: [nodes], verbs: [list]}`, "diff", file)
	s.bind(t, "berth-read", "jane")
	harness.Eventually(t, soon, func() error {
		if r := s.tools.RunBerth(t, user, nil, "diff", file); r.Code == 2 {
			return errors.New(r.Errors)
		}
		return nil
	})
	berth(1, "kai-desktop-tower", "diff", file)
	berth(2, `the rule that is missing in a ClusterRole: {apiGroups: [""], resources: [nodes], verbs: [get]}`, "apply", file, "--yes")
	if has(s.node(t, "kai-desktop-tower"), ours) {
		t.Error("the node was changed")
	}
	s.bind(t, "berth-apply", "jane")
	harness.Eventually(t, soon, func() error {
		if r := s.tools.RunBerth(t, user, nil, "apply", file, "--yes"); r.Code != 0 {
			return errors.New(r.Errors)
		}
		return nil
	})
	berth(0, "nothing to change", "apply", file)
	t.Run("a server that is not there is named", func(t *testing.T) {
		nowhere := harness.WriteFile(t, "kubeconfig", anotherPort(string(read(t, user))))
		r := s.tools.RunBerth(t, nowhere, nil, "diff", file)
		if r.Code != 2 || !strings.Contains(r.Errors, "cannot reach https://127.0.0.1:1") {
			t.Errorf("exit %d: %s", r.Code, r.Errors)
		}
	})
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// anotherPort points a kubeconfig to a port where nobody listens.
func anotherPort(kubeconfig string) string {
	before, after, _ := strings.Cut(kubeconfig, "https://127.0.0.1:")
	_, after, _ = strings.Cut(after, `"`)
	return before + `https://127.0.0.1:1"` + after
}
