package podspec

import (
	"path"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/tree"
)

// charts says which values of well-known charts are lists of tolerations. A chart that is not here is simply not known.
//
// Source: the charts' values.yaml, as published by their projects.
var charts = map[string][]string{
	"alloy":          {"controller.tolerations"},
	"app-template":   {"defaultPodOptions.tolerations", "controllers{}.pod.tolerations"},
	"cert-manager":   {"tolerations", "webhook.tolerations", "cainjector.tolerations", "startupapicheck.tolerations"},
	"cilium":         {"tolerations", "operator.tolerations", "envoy.tolerations", "hubble.relay.tolerations", "hubble.ui.tolerations", "preflight.tolerations", "nodeinit.tolerations", "certgen.tolerations", "clustermesh.apiserver.tolerations", "authentication.mutual.spire.install.agent.tolerations", "authentication.mutual.spire.install.server.tolerations"},
	"coredns":        {"tolerations", "autoscaler.tolerations"},
	"descheduler":    {"tolerations"},
	"external-dns":   {"tolerations"},
	"gpu-operator":   {"daemonsets.tolerations", "operator.tolerations", "node-feature-discovery.master.tolerations", "node-feature-discovery.worker.tolerations", "node-feature-discovery.gc.tolerations"},
	"grafana":        {"tolerations", "imageRenderer.tolerations"},
	"ingress-nginx":  {"controller.tolerations", "defaultBackend.tolerations", "controller.admissionWebhooks.patch.tolerations"},
	"kured":          {"tolerations"},
	longhorn:         {"longhornManager.tolerations", "longhornDriver.tolerations", "longhornUI.tolerations", "defaultSettings." + longhornLine},
	"metallb":        {"controller.tolerations", "speaker.tolerations"},
	"metrics-server": {"tolerations"},
	"promtail":       {"tolerations"},
	"traefik":        {"tolerations"},

	"external-secrets":              {"tolerations", "webhook.tolerations", "certController.tolerations"},
	"intel-device-plugins-gpu":      {"tolerations"},
	"intel-device-plugins-operator": {"tolerations"},
	"kube-prometheus-stack":         {"alertmanager.alertmanagerSpec.tolerations", "prometheus.prometheusSpec.tolerations", "thanosRuler.thanosRulerSpec.tolerations", "prometheusOperator.tolerations", "prometheusOperator.admissionWebhooks.deployment.tolerations", "prometheusOperator.admissionWebhooks.patch.tolerations", "grafana.tolerations", "grafana.imageRenderer.tolerations", "kube-state-metrics.tolerations", "prometheus-node-exporter.tolerations", "prometheus-windows-exporter.tolerations"},
	"kube-state-metrics":            {"tolerations"},
	"node-feature-discovery":        {"master.tolerations", "worker.tolerations", "topologyUpdater.tolerations", "gc.tolerations"},
	"nvidia-device-plugin":          {"tolerations", "nfd.master.tolerations", "nfd.worker.tolerations"},
	"prometheus":                    {"server.tolerations", "alertmanager.tolerations", "kube-state-metrics.tolerations", "prometheus-node-exporter.tolerations", "prometheus-pushgateway.tolerations"},
	"prometheus-node-exporter":      {"tolerations"},
	"victoria-metrics-agent":        {"tolerations"},
	"victoria-metrics-single":       {"server.tolerations"},
}

const longhorn = "longhorn"

// Inert returns the values that a well-known chart reads, when the slot's value is none of them, and nothing otherwise.
func Inert(chart string, slot Slot) []string {
	known, found := charts[chart]
	if !found || slot.Values == nil || slices.ContainsFunc(known, func(p string) bool { return Covers(mustParse(p), slot.Values) }) {
		return nil
	}
	return known
}

// LonghornHalf names what is missing when only one of Longhorn's two places is written: its own pods have lists in the
// chart's values, and those that it makes by itself follow a setting (longhorn/longhorn#8549).
func LonghornHalf(chart string, slots []Slot) string {
	lists, line := 0, 0
	for _, slot := range slots {
		switch {
		case slot.Values == nil:
		case slot.Form == Line:
			line++
		default:
			lists++
		}
	}
	switch {
	case chart != longhorn || lists+line == 0 || lists > 0 && line > 0:
		return ""
	case lists > 0:
		return "defaultSettings." + longhornLine
	}
	return "longhornManager.tolerations and longhornDriver.tolerations"
}

// chartPlaces are where the kinds name their chart.
var chartPlaces = []tree.Path{
	{"spec", "chart", "spec", "chart"}, {"spec", "chart"}, {"spec", "chartRef", "name"}, {"spec", "source", "chart"},
}

// ChartOf names the chart of an object that installs one, without the repository that it comes from, or nothing. The
// name of a chartRef is that of a source object, which people give the chart's name.
func ChartOf(root *yaml.Node, o Object) string {
	switch {
	case is(o, k3sHelmGroup, "HelmChartConfig"):
		return o.Name
	case !isHelmRelease(o) && !isHelmChart(o) && !isApplication(o):
		return ""
	}
	for _, place := range chartPlaces {
		if node := tree.Lookup(root, o.At.Join(place...)...); node != nil && node.Kind == yaml.ScalarNode {
			return path.Base(node.Value)
		}
	}
	return ""
}
