package podspec

const podTemplate = "spec.podTemplate.spec.tolerations"

// opaque are custom resources whose schema does not show the place, because it takes any field there, or was not in the
// catalogue.
//
// Sources: elastic/cloud-on-k8s docs (podTemplate), Altinity/clickhouse-operator docs (templates.podTemplates), tekton.dev
// docs/pipelines/podtemplates, knative.dev (feature kubernetes.podspec-tolerations), argo-workflows fields reference.
var opaque = []row{
	{"elasticsearch.k8s.elastic.co", "Elasticsearch", []string{"spec.nodeSets[].podTemplate.spec.tolerations"}},
	{"kibana.k8s.elastic.co", "Kibana", []string{podTemplate}},
	{"apm.k8s.elastic.co", "ApmServer", []string{podTemplate}},
	{"enterprisesearch.k8s.elastic.co", "EnterpriseSearch", []string{podTemplate}},
	{"maps.k8s.elastic.co", "ElasticMapsServer", []string{podTemplate}},
	{"logstash.k8s.elastic.co", "Logstash", []string{podTemplate}},
	{"beat.k8s.elastic.co", "Beat", []string{
		"spec.daemonSet.podTemplate.spec.tolerations", "spec.deployment.podTemplate.spec.tolerations",
	}},
	{"agent.k8s.elastic.co", "Agent", []string{
		"spec.daemonSet.podTemplate.spec.tolerations", "spec.deployment.podTemplate.spec.tolerations",
		"spec.statefulSet.podTemplate.spec.tolerations",
	}},
	{"clickhouse.altinity.com", "ClickHouseInstallation", []string{"spec.templates.podTemplates[].spec.tolerations"}},
	{"clickhouse-keeper.altinity.com", "ClickHouseKeeperInstallation", []string{"spec.templates.podTemplates[].spec.tolerations"}},
	{"tekton.dev", "TaskRun", []string{"spec.podTemplate.tolerations"}},
	{"tekton.dev", "PipelineRun", []string{
		"spec.taskRunTemplate.podTemplate.tolerations", "spec.taskRunSpecs[].podTemplate.tolerations",
	}},
	{"serving.knative.dev", "Service", []string{template}},
	{"serving.knative.dev", "Configuration", []string{template}},
	{"argoproj.io", "Workflow", []string{"spec.templateDefaults.tolerations", "spec.templates[].tolerations", "spec.tolerations"}},
}
