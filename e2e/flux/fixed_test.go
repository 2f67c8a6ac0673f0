package flux_test

// fixed are the files of the torture that are written by hand: where the values come from, and which objects take part.
var fixed = map[string]string{
	"entry/source.yaml": `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: torture, namespace: flux-system}
spec: {interval: 1m, url: "https://example.org/torture"}
`,
	"entry/entry.yaml": `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: torture, namespace: flux-system}
spec:
  interval: 10m
  path: ./entry
  prune: true
  sourceRef: {kind: GitRepository, name: torture}
`,
	"entry/namespace.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: torture}\n",
	"entry/more.yaml": `apiVersion: v1
kind: ConfigMap
metadata: {name: more, namespace: torture}
data: {A: from-more, B: from-more, C: from-more, D: from-more, E: from-more}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: later, namespace: torture}
data: {B: from-later, C: from-later, D: from-later}
---
apiVersion: v1
kind: Secret
metadata: {name: secret, namespace: torture}
data: {C: ZnJvbS1zZWNyZXQK}
stringData: {D: from-string-data}
`,
	"entry/precedence.yaml": kustomization("precedence", `    substitute: {D: inline, INLINE: "two\nlines"}
    substituteFrom:
      - {kind: ConfigMap, name: more}
      - {kind: ConfigMap, name: later}
      - {kind: Secret, name: secret}
      - {kind: ConfigMap, name: nowhere, optional: true}
`),
	"precedence/objects.yaml": `apiVersion: v1
kind: ConfigMap
metadata: {name: precedence, namespace: torture}
data: {a: "${A}", b: "${B}", c: "${C}", d: "${D}", e: "${E}", inline: "${INLINE}"}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: annotated
  namespace: torture
  annotations: {kustomize.toolkit.fluxcd.io/substitute: disabled}
data: {a: "${A}", shell: "${HOME:-x} $${A}"}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: labelled
  namespace: torture
  labels: {kustomize.toolkit.fluxcd.io/substitute: disabled}
data: {a: "${A}"}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: ${A}-${B}
  namespace: torture
  labels: {"${B}": "${A}"}
  annotations: {kustomize.toolkit.fluxcd.io/substitute: enabled}
data: {"${A}": x, untouched: y}
---
apiVersion: v1
kind: Secret
metadata: {name: precedence, namespace: torture}
stringData: {a: "${A}"}
---
apiVersion: v1
kind: Service
metadata: {name: precedence, namespace: torture}
spec: {selector: {app: "${A}"}, ports: [{name: http, port: 80}, {name: dns, port: 53, protocol: UDP}]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: torture-precedence}
rules: [{apiGroups: [""], resources: [configmaps], resourceNames: ["${A}"], verbs: [get]}]
---
apiVersion: v1
kind: List
items:
  - apiVersion: v1
    kind: ConfigMap
    metadata: {name: listed, namespace: torture}
    data: {a: "${A}"}
`,
	"entry/generated.yaml": kustomization("generated", "    substitute: {A: value}\n"),
	"generated/kustomization.yaml": `namespace: torture
namePrefix: pre-
configMapGenerator:
  - name: literal
    literals: ["a=${A}", "b=$${A}"]
  - name: file
    files: [script.sh]
  - name: switched-off
    literals: ["a=${A}"]
    options: {annotations: {kustomize.toolkit.fluxcd.io/substitute: disabled}}
secretGenerator:
  - name: secret
    literals: ["a=${A}"]
`,
	"generated/script.sh":  "#!/bin/sh\necho \"${A}\" \"$A\" \"$1\"\n",
	"entry/no-values.yaml": kustomization("no-values", "    substitute: {}\n"),
	"no-values/object.yaml": `apiVersion: v1
kind: ConfigMap
metadata: {name: no-values, namespace: torture}
data: {a: "${A}", b: "${B:-d}"}
`,
	"entry/common-metadata.yaml": kustomization("common-metadata", `    substitute: {A: value}
  commonMetadata:
    labels: {team: "web"}
    annotations: {note: "x"}
`),
	"common-metadata/object.yaml": `apiVersion: v1
kind: ConfigMap
metadata: {name: common-metadata, namespace: torture, labels: {team: other}}
data: {a: "${A}"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: by-hand, namespace: torture, annotations: {kustomize.toolkit.fluxcd.io/reconcile: disabled}}
data: {a: "${A}"}
`,
}
