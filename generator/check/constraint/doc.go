// Package constraint evaluates CEL expressions over the variables of an environment.
//
// Compile checks an expression once; Eval gives it the variables, as strings under the name vars. Beside the functions of
// CEL there are those that Kubernetes has for IP addresses and CIDRs (k8s.io/apiserver/pkg/cel/library), and an order on
// addresses (address.go).
package constraint
