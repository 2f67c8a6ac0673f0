package flux

import (
	"sync"

	"sigs.k8s.io/kustomize/kyaml/openapi"
	"sigs.k8s.io/kustomize/kyaml/openapi/kubernetesapi"
)

// kustomizeLock serialises builds: kustomize keeps its schema in variables of the process, so it is the process that
// needs the lock (kubernetes-sigs/kustomize#4824, #5805). fluxcd/pkg/kustomize holds one of its own for the same reason.
var kustomizeLock sync.Mutex

// schema keeps the OpenAPI schema of kustomize as the controller sets it up before each build: reset, with the embedded
// Kubernetes schema parsed. The controller parses it anew every time, which is most of a build's time. It is enough to do
// so when something has changed it, and only two things can: an openapi field in a kustomization.yaml, which
// openapi.GetSchemaVersion reports, and code of this process that calls kyaml's openapi package (fluxcd/pkg#1237 tells
// what happens when nobody resets it).
//
// The schema is the process's, and so is what is known of it: environments that are read one after the other share it. That
// somebody added definitions shows in their number.
type schema struct{}

// schemaSize is the number of definitions of the schema as the controller sets it up; 0 when it is not known to be that.
// kustomizeLock guards it.
var schemaSize int

// prepare must be called with the lock held, before a build.
func (schema) prepare() {
	if schemaSize == 0 || openapi.GetSchemaVersion() != kubernetesapi.DefaultOpenAPI || len(openapi.Schema().Definitions) != schemaSize {
		openapi.ResetOpenAPI()
	}
	schemaSize = len(openapi.Schema().Definitions) // parses the embedded schema unless it is there
}

// settle must be called after a build. A build that failed may have stopped anywhere, so its schema is not kept.
func (schema) settle(failed bool) {
	if failed || openapi.GetSchemaVersion() != kubernetesapi.DefaultOpenAPI {
		openapi.ResetOpenAPI()
		schemaSize = 0
	}
}
