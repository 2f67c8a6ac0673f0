// Package admission lets a real API server judge what Berth writes and what the examples show: every object of a kind that Kubernetes
// itself serves is sent as a dry run with strict validation of its fields, and so passes decoding, defaulting, validation and admission,
// Pod Security included. The pod of every template is sent too, since Pod Security does not refuse a Deployment, only its pods.
//
// Namespaces and service accounts are created, because the rest is not admitted without them. Kinds that need a CRD are named in the
// log and not judged.
package admission
