package podspec

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/tree"
)

func TestEveryPathOfTheTablesParsesAndEndsInAList(t *testing.T) {
	check := func(path string) {
		parsed, err := tree.Parse(path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return
		}
		if last := strings.ToLower(parsed[len(parsed)-1]); !strings.HasSuffix(last, "tolerations") && last != strings.ToLower(longhornLine) {
			t.Errorf("%s does not end in a list of tolerations", path)
		}
	}
	for _, rows := range [][]row{builtin, opaque} {
		for _, r := range rows {
			for _, path := range r.paths {
				check(path)
			}
		}
	}
	for _, paths := range charts {
		for _, path := range paths {
			check(path)
		}
	}
	kinds := 0
	for _, line := range strings.Split(strings.TrimSpace(catalog), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		kinds++
		fields := strings.Fields(line)
		if len(fields) < 4 {
			t.Errorf("%q is no line of the catalogue", line)
			continue
		}
		for _, path := range fields[3:] {
			check(path)
		}
		if got := known(Object{APIVersion: fields[0] + "/" + fields[2], Kind: fields[1]}); !cmp.Equal(got, fields[3:]) {
			t.Errorf("%s: looked up as %v", line, got)
		}
	}
	if kinds < 250 {
		t.Errorf("the catalogue has %d lines", kinds)
	}
}

func TestSlotsOfEachKind(t *testing.T) {
	beside := "spec.template.spec.tolerations spec.template.spec.affinity.nodeAffinity"
	empty := "{}"
	cases := map[string]struct{ apiVersion, kind, object, want string }{
		"Pod":                          {"v1", "Pod", empty, "spec.tolerations spec.affinity.nodeAffinity"},
		"PodTemplate":                  {"v1", "PodTemplate", empty, "template.spec.tolerations template.spec.affinity.nodeAffinity"},
		"ReplicationController":        {"v1", "ReplicationController", empty, beside},
		"Deployment":                   {"apps/v1", "Deployment", empty, beside},
		"an older version":             {"apps/v1beta2", "Deployment", empty, beside},
		"StatefulSet":                  {"apps/v1", "StatefulSet", empty, beside},
		"DaemonSet":                    {"apps/v1", "DaemonSet", empty, beside},
		"ReplicaSet":                   {"apps/v1", "ReplicaSet", empty, beside},
		"Job":                          {"batch/v1", "Job", empty, beside},
		"CronJob":                      {"batch/v1", "CronJob", empty, "spec.jobTemplate.spec.template.spec.tolerations spec.jobTemplate.spec.template.spec.affinity.nodeAffinity"},
		"RuntimeClass has no affinity": {"node.k8s.io/v1", "RuntimeClass", empty, "scheduling.tolerations "},
		"CloudNativePG keeps a NodeAffinity": {"postgresql.cnpg.io/v1", "Cluster", "{spec: {instances: 1}}",
			"spec.affinity.tolerations spec.affinity.nodeAffinity"},
		"Zalando keeps a NodeAffinity":      {"acid.zalan.do/v1", "postgresql", "{spec: {}}", "spec.tolerations spec.nodeAffinity"},
		"Prometheus keeps an Affinity":      {"monitoring.coreos.com/v1", "Prometheus", "{spec: {}}", "spec.tolerations spec.affinity.nodeAffinity"},
		"a Plan has no known affinity":      {"upgrade.cattle.io/v1", "Plan", "{spec: {}}", "spec.tolerations "},
		"a version that is not listed":      {"postgresql.cnpg.io/v2", "Cluster", "{spec: {}}", "spec.affinity.tolerations spec.affinity.nodeAffinity"},
		"ECK's node sets, one each":         {"elasticsearch.k8s.elastic.co/v1", "Elasticsearch", "{spec: {nodeSets: [{}, {}]}}", "spec.nodeSets[0].podTemplate.spec.tolerations spec.nodeSets[0].podTemplate.spec.affinity.nodeAffinity|spec.nodeSets[1].podTemplate.spec.tolerations spec.nodeSets[1].podTemplate.spec.affinity.nodeAffinity"},
		"Altinity's pod templates":          {"clickhouse.altinity.com/v1", "ClickHouseInstallation", "{spec: {templates: {podTemplates: [{name: a}]}}}", "spec.templates.podTemplates[0].spec.tolerations spec.templates.podTemplates[0].spec.affinity.nodeAffinity"},
		"Rook's placement, each key of it":  {"ceph.rook.io/v1", "CephCluster", "{spec: {placement: {all: {}, mon: {}}}}", "spec.placement.all.tolerations spec.placement.all.nodeAffinity|spec.placement.mon.tolerations spec.placement.mon.nodeAffinity"},
		"a Knative Service is none of ours": {"serving.knative.dev/v1", "Service", "{spec: {}}", beside},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := slotsOf(t, c.object, Object{APIVersion: c.apiVersion, Kind: c.kind}, v1alpha1.Carrier{})
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// slotsOf prints the slots of an object: tolerations and node affinity, with the text that they stand in before them.
func slotsOf(t *testing.T, object string, o Object, carrier v1alpha1.Carrier) string {
	t.Helper()
	slots, err := Slots(yaml.MustParse(object).YNode(), o, carrier)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range slots {
		text := s.Tolerations.String() + " " + s.NodeAffinity.String()
		if s.Text != nil {
			text = s.Text.String() + ": " + text
		}
		got = append(got, text)
	}
	return strings.Join(got, "|")
}

func TestWhatWouldSwitchAFeatureOnIsNotMade(t *testing.T) {
	o := Object{APIVersion: "postgres-operator.crunchydata.com/v1beta1", Kind: "PostgresCluster"}
	places, err := Find(yaml.MustParse("{spec: {instances: [{name: a}], proxy: {pgBouncer: {}}}}").YNode(), o, v1alpha1.Carrier{})
	if err != nil {
		t.Fatal(err)
	}
	if got := listed(places.Slots); got != "spec.instances[0].tolerations spec.proxy.pgBouncer.tolerations" {
		t.Error(got)
	}
	absent := 0
	for _, path := range places.Absent {
		if path.String() == "spec.userInterface.pgAdmin.tolerations" {
			absent++
		}
	}
	if absent != 1 || len(places.Absent)+len(places.Slots) != len(known(o)) {
		t.Errorf("%v", places.Absent)
	}
}

func listed(slots []Slot) string {
	var all []string
	for _, s := range slots {
		all = append(all, s.Tolerations.String())
	}
	return strings.Join(all, " ")
}

func TestPathsOfTheIntent(t *testing.T) {
	o := Object{APIVersion: "example.com/v1", Kind: "Widget"}
	carrier := v1alpha1.Carrier{
		Paths:        []string{"spec.workers[].pods{}.tolerations", `spec.a\.b.tolerations`, "spec.none[].tolerations"},
		NodeAffinity: []string{"spec.workers[].pods{}.nodes", "spec.affinity", "spec.none[].affinity"},
	}
	object := yaml.MustParse("{spec: {workers: [{pods: {x: {}, y: {}}}, {}]}}").YNode()
	places, err := Find(object, o, carrier)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range places.Slots {
		got = append(got, s.Tolerations.String()+" "+s.NodeAffinity.String())
	}
	want := []string{
		"spec.workers[0].pods.x.tolerations spec.workers[0].pods.x.nodes",
		"spec.workers[0].pods.y.tolerations spec.workers[0].pods.y.nodes",
		`spec.a\.b.tolerations spec.affinity`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(places.Absent) != 1 || len(places.Made) != 1 || len(places.Unlisted) != 0 {
		t.Errorf("absent %v, made %v, unlisted %v", places.Absent, places.Made, places.Unlisted)
	}
	places, err = Find(object, Object{APIVersion: "monitoring.coreos.com/v1", Kind: "Prometheus"}, v1alpha1.Carrier{Paths: []string{"spec.toleration"}})
	if err != nil || len(places.Unlisted) != 1 {
		t.Errorf("%v %v", places.Unlisted, err)
	}
}

func TestValuesStandWhereTheKindKeepsThem(t *testing.T) {
	values := v1alpha1.Carrier{Helm: &v1alpha1.Helm{Values: []string{"a.tolerations"}}}
	cases := map[string]struct{ apiVersion, kind, object, want string }{
		"a HelmRelease":                                  {"helm.toolkit.fluxcd.io/v2", "HelmRelease", "{}", "spec.values.a.tolerations spec.values.a.affinity.nodeAffinity"},
		"a HelmChart without values":                     {"helm.cattle.io/v1", "HelmChart", "{spec: {chart: x}}", "spec.valuesContent: a.tolerations a.affinity.nodeAffinity"},
		"a HelmChartConfig with text":                    {"helm.cattle.io/v1", "HelmChartConfig", "{spec: {valuesContent: 'b: 1'}}", "spec.valuesContent: a.tolerations a.affinity.nodeAffinity"},
		"a HelmChart with a mapping":                     {"helm.cattle.io/v1", "HelmChart", "{spec: {values: {b: 1}}}", "spec.values.a.tolerations spec.values.a.affinity.nodeAffinity"},
		"a HelmChart with both, the list in the text":    {"helm.cattle.io/v1", "HelmChart", "{spec: {values: {b: 1}, valuesContent: 'a: {tolerations: []}'}}", "spec.valuesContent: a.tolerations a.affinity.nodeAffinity"},
		"a HelmChart with both, the list in the mapping": {"helm.cattle.io/v1", "HelmChart", "{spec: {values: {a: {tolerations: []}}, valuesContent: 'a: {tolerations: []}'}}", "spec.values.a.tolerations spec.values.a.affinity.nodeAffinity"},
		"an Application":                                 {"argoproj.io/v1alpha1", "Application", "{spec: {source: {chart: x}}}", "spec.source.helm.valuesObject.a.tolerations spec.source.helm.valuesObject.a.affinity.nodeAffinity"},
		"an Application with text":                       {"argoproj.io/v1alpha1", "Application", "{spec: {source: {helm: {values: 'b: 1'}}}}", "spec.source.helm.values: a.tolerations a.affinity.nodeAffinity"},
		"an Application with both":                       {"argoproj.io/v1alpha1", "Application", "{spec: {source: {helm: {values: 'b: 1', valuesObject: {c: 1}}}}}", "spec.source.helm.valuesObject.a.tolerations spec.source.helm.valuesObject.a.affinity.nodeAffinity"},
		"an Application with several sources":            {"argoproj.io/v1alpha1", "Application", "{spec: {sources: [{ref: values}, {chart: x}]}}", "spec.sources[1].helm.valuesObject.a.tolerations spec.sources[1].helm.valuesObject.a.affinity.nodeAffinity"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := slotsOf(t, c.object, Object{APIVersion: c.apiVersion, Kind: c.kind}, values)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAKindThatCarriesNothingSaysWhy(t *testing.T) {
	helm := func(paths ...string) v1alpha1.Carrier { return v1alpha1.Carrier{Helm: &v1alpha1.Helm{Values: paths}} }
	pods := v1alpha1.Carrier{Pods: []v1alpha1.Pod{{Kind: "Pod", Name: "x"}}}
	none := v1alpha1.Carrier{}
	cases := map[string]struct {
		object  string
		o       Object
		carrier v1alpha1.Carrier
		want    string
	}{
		"a ConfigMap":                  {"{}", Object{APIVersion: "v1", Kind: "ConfigMap"}, none, "not a kind that is known to carry"},
		"a Deployment of another":      {"{}", Object{APIVersion: "example.com/v1", Kind: "Deployment"}, none, "Deployment of example.com/v1"},
		"a HelmRelease without path":   {"{}", Object{APIVersion: fluxHelmGroup + "/v2", Kind: "HelmRelease"}, none, "name the place in helm.values"},
		"a HelmChart without path":     {"{}", Object{APIVersion: k3sHelmGroup + "/v1", Kind: "HelmChart"}, none, "its install Job takes no tolerations"},
		"a Kustomization without pods": {"{}", Object{APIVersion: fluxKustomizeGroup + "/v1", Kind: "Kustomization"}, none, "name those that it applies in pods"},
		"a Kustomization with values":  {"{}", Object{APIVersion: fluxKustomizeGroup + "/v1", Kind: "Kustomization"}, helm("a"), "name the pods that it applies"},
		"VolSync":                      {"{}", Object{APIVersion: "volsync.backube/v1alpha1", Kind: "ReplicationSource"}, none, "moverAffinity"},
		"a path that is none":          {"{}", Object{APIVersion: fluxHelmGroup + "/v2", Kind: "HelmRelease"}, helm("a..b"), "a key is empty"},
		"values of a Deployment":       {"{}", Object{APIVersion: "apps/v1", Kind: "Deployment"}, helm("a"), "holds neither values of a chart nor patches"},
		"a Service inside the cluster": {"{spec: {type: ClusterIP}}", Object{APIVersion: "v1", Kind: "Service"}, none, "unless it is of type LoadBalancer"},
		"text that is no YAML":         {"{spec: {valuesContent: 'a: ['}}", Object{APIVersion: k3sHelmGroup + "/v1", Kind: "HelmChart"}, helm("a"), "spec.valuesContent: the YAML in it does not parse"},
		"text that is a template":      {"{spec: {valuesContent: '${VALUES}: ['}}", Object{APIVersion: k3sHelmGroup + "/v1", Kind: "HelmChart"}, helm("a"), "holds ${...}"},
		"text with two documents":      {"{spec: {valuesContent: \"a: 1\\n---\\nb: 2\\n\"}}", Object{APIVersion: k3sHelmGroup + "/v1", Kind: "HelmChart"}, helm("a"), "more than one document"},
		"text that is a mapping":       {"{spec: {valuesContent: {a: b}}}", Object{APIVersion: k3sHelmGroup + "/v1", Kind: "HelmChart"}, helm("a"), "a string with YAML belongs there"},
		"patches for a chart":          {"{spec: {source: {chart: x}}}", Object{APIVersion: "argoproj.io/v1alpha1", Kind: "Application"}, pods, "patches are for kustomizations"},
		"values for a kustomization":   {"{spec: {source: {kustomize: {}}}}", Object{APIVersion: "argoproj.io/v1alpha1", Kind: "Application"}, helm("a"), "name the pods in pods"},
		"two sources with charts":      {"{spec: {sources: [{chart: a}, {chart: b}]}}", Object{APIVersion: "argoproj.io/v1alpha1", Kind: "Application"}, helm("a"), "has 2 sources of which 2 have chart"},
		"patches in a HelmChart":       {"{}", Object{APIVersion: k3sHelmGroup + "/v1", Kind: "HelmChart"}, pods, "has no patches"},
		"a Node":                       {"{}", Object{APIVersion: "v1", Kind: "Node"}, none, "carries taints, not tolerations"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := Slots(yaml.MustParse(c.object).YNode(), c.o, c.carrier)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}
