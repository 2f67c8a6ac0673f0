package admission_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"

	"github.com/berth-dev/berth/e2e/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }

const enforce = "pod-security.kubernetes.io/enforce"

// judge is an API server that is asked about objects, and what it said.
type judge struct {
	*harness.Server
	warnings []string
	judged   map[string]int // by kind, pods of templates as "Pod of KIND"
	unknown  map[string]int // kinds that it does not serve
}

func newJudge(t *testing.T) *judge {
	t.Helper()
	c := harness.NewCluster(t, harness.FindTools(t))
	c.WaitReady(t)
	j := &judge{judged: map[string]int{}, unknown: map[string]int{}}
	config := rest.CopyConfig(c.Config)
	config.WarningHandler = j
	j.Server = harness.NewServer(t, config)
	return j
}

// HandleWarningHeader keeps what the server remarks on.
func (j *judge) HandleWarningHeader(_ int, _ string, text string) {
	j.warnings = append(j.warnings, text)
}

// about asks for a verdict on objects that belong together, and gives every refusal and warning.
func (j *judge) about(t *testing.T, objects []*unstructured.Unstructured) []string {
	t.Helper()
	var said []string
	for _, kind := range []string{"Namespace", "ServiceAccount"} {
		for _, o := range objects {
			if o.GetKind() == kind {
				said = append(said, j.ask(t, o, kind, false)...)
			}
		}
	}
	for _, o := range objects {
		kind := o.GetKind()
		if kind == "Namespace" || kind == "ServiceAccount" {
			continue
		}
		said = append(said, j.ask(t, o, kind, true)...)
		if pod := podOf(o); pod != nil {
			said = append(said, j.ask(t, pod, "Pod of "+kind, true)...)
		}
	}
	return said
}

// ask creates one object, as a dry run or not.
func (j *judge) ask(t *testing.T, object *unstructured.Unstructured, as string, dryRun bool) []string {
	t.Helper()
	resource, err := j.Of(object)
	if meta.IsNoMatchError(err) {
		j.unknown[object.GroupVersionKind().GroupKind().String()]++
		return nil
	}
	name := fmt.Sprintf("%s %s/%s", as, object.GetNamespace(), object.GetName())
	if err != nil {
		return []string{err.Error()}
	}
	if object.GetNamespace() != "" {
		j.namespace(t, object.GetNamespace())
	}
	if class, _, _ := unstructured.NestedString(object.Object, "spec", "priorityClassName"); class != "" && !strings.HasPrefix(class, "system-") {
		j.make(t, priorityClass(class)) // the user's own
	}
	j.judged[as]++
	j.warnings = nil
	options := metav1.CreateOptions{FieldValidation: metav1.FieldValidationStrict}
	if dryRun {
		options.DryRun = []string{metav1.DryRunAll}
	}
	_, err = resource.Create(t.Context(), object, options)
	if !dryRun && apierrors.IsAlreadyExists(err) { // of another example, whose labels may be others
		_, err = resource.Update(t.Context(), object, metav1.UpdateOptions{FieldValidation: metav1.FieldValidationStrict})
	}
	var said []string
	if err != nil {
		said = append(said, fmt.Sprintf("%s is refused: %v", name, err))
	}
	for _, warning := range j.warnings {
		said = append(said, fmt.Sprintf("%s: warning: %s", name, warning))
	}
	return said
}

// namespace makes a namespace that no manifest brought, and in each the account that no controller is there to make.
func (j *judge) namespace(t *testing.T, name string) {
	t.Helper()
	j.make(t, plain("v1", "Namespace", "", name))
	j.make(t, plain("v1", "ServiceAccount", name, "default"))
}

// make creates an object that others need, unless it is there.
func (j *judge) make(t *testing.T, object *unstructured.Unstructured) {
	t.Helper()
	resource, err := j.Of(object)
	if err != nil {
		t.Fatal(err)
	}
	harness.Eventually(t, 10*time.Second, func() error { // a new namespace reaches admission a moment later
		_, err := resource.Create(t.Context(), object, metav1.CreateOptions{})
		if apierrors.IsAlreadyExists(err) {
			return nil
		}
		return err
	})
}

func priorityClass(name string) *unstructured.Unstructured {
	o := plain("scheduling.k8s.io/v1", "PriorityClass", "", name)
	o.Object["value"] = int64(1)
	return o
}

func plain(version, kind, namespace, name string) *unstructured.Unstructured {
	o := &unstructured.Unstructured{}
	o.SetAPIVersion(version)
	o.SetKind(kind)
	o.SetNamespace(namespace)
	o.SetName(name)
	return o
}

// podOf gives the pod that a controller would make of an object's template; nil where it has none.
func podOf(object *unstructured.Unstructured) *unstructured.Unstructured {
	for _, path := range []string{"spec.template", "spec.jobTemplate.spec.template"} {
		template, there, _ := unstructured.NestedMap(object.Object, strings.Split(path, ".")...)
		if !there {
			continue
		}
		template = maps.Clone(template)
		template["apiVersion"], template["kind"] = "v1", "Pod"
		pod := &unstructured.Unstructured{Object: template}
		pod.SetNamespace(object.GetNamespace())
		pod.SetName(object.GetName())
		return pod
	}
	return nil
}
