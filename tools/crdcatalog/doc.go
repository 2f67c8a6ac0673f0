// Command crdcatalog turns a list of toleration paths of custom resources into the compact text that package podspec
// embeds.
//
//	crdcatalog -in paths.json -out catalog.txt -source "datreeio/CRDs-catalog @7b1e26ef (2026-08-20)"
//
// The input is a JSON object whose keys are group/kind_version, as the CRDs catalogue names its schemas, and whose values
// are lists of dotted paths of toleration lists, [] for the items of a list and {} for the values of a map:
//
//	{"postgresql.cnpg.io/cluster_v1": ["spec.affinity.tolerations"]}
//
// Such a list is made by walking the JSON schemas and taking each array whose items have effect, and key or operator.
package main
