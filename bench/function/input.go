package main

import (
	"bytes"
	"fmt"
)

// resourceList makes a ResourceList of n objects as kustomize sends it: seven in ten carry pods, three in ten do not, and
// every tenth Deployment stands in the allowlist.
func resourceList(n int) []byte {
	var b bytes.Buffer
	b.WriteString("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n")
	for i := range n {
		kinds := []string{"Deployment", "Deployment", "StatefulSet", "Deployment", "Deployment", "StatefulSet", "Deployment", "ConfigMap", "Service", "ConfigMap"}
		switch kind := kinds[i%len(kinds)]; kind {
		case "ConfigMap":
			fmt.Fprintf(&b, configMap, meta(i, "v1", kind))
		case "Service":
			fmt.Fprintf(&b, service, meta(i, "v1", kind))
		default:
			fmt.Fprintf(&b, workload, meta(i, "apps/v1", kind))
		}
	}
	b.WriteString(functionConfig)
	return b.Bytes()
}

func meta(i int, apiVersion, kind string) string {
	name := "app"
	if i%10 == 0 {
		name = "allowed"
	}
	return fmt.Sprintf(`- apiVersion: %s
  kind: %s
  metadata:
    annotations:
      internal.config.kubernetes.io/index: '%d'
      config.kubernetes.io/index: '%d'
      kustomize.config.k8s.io/id: |
        kind: %s
        name: %s-%d
        namespace: ns-%d
    labels:
      app.kubernetes.io/name: app
    name: %s-%d
    namespace: ns-%d
`, apiVersion, kind, i, i, kind, name, i, i%50, name, i, i%50)
}

const workload = `%s  spec:
    replicas: 1
    selector:
      matchLabels:
        app.kubernetes.io/name: app
    template:
      metadata:
        labels:
          app.kubernetes.io/name: app
      spec:
        containers:
        - args:
          - --port=8080
          - --verbose
          env:
          - name: A
            value: "1"
          - name: B
            valueFrom:
              fieldRef:
                fieldPath: metadata.name
          image: registry.example.com/app:1.2.3
          name: app
          ports:
          - containerPort: 8080
            name: http
          resources:
            limits:
              memory: 128Mi
            requests:
              cpu: 10m
              memory: 64Mi
        tolerations:
        - effect: NoSchedule
          key: node-role.kubernetes.io/control-plane
          operator: Exists
`

const service = `%s  spec:
    ports:
    - name: http
      port: 80
      targetPort: http
    selector:
      app.kubernetes.io/name: app
`

const configMap = `%s  data:
    config.yaml: |
      server:
        port: 8080
      - not an item
`

const functionConfig = `functionConfig:
  apiVersion: berth.dev/v1alpha1
  kind: TaintIntent
  metadata:
    name: bench
  spec:
    taints:
    - name: flaky
      taint: example.com/flaky=true:NoSchedule
    nodes:
    - names: [good]
    - names: [flaky-1, flaky-2]
      taints: [flaky]
    allow:
    - workload: {kind: Deployment, name: allowed-*}
      tolerate: [flaky]
      reason: It is measured.
`
