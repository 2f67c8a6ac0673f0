package placement

import (
	"cmp"
	"slices"
)

// Reason is one thing that bears on a verdict.
type Reason struct {
	// Code is stable and in kebab case.
	Code string `json:"code"`
	// Bearing is what it does to the verdict.
	Bearing Bearing `json:"bearing"`
	// Message says what is so.
	Message string `json:"message"`
	// Action says what to do when it should be otherwise.
	Action string `json:"action,omitempty"`
}

// Bearing is what a reason does to a verdict.
type Bearing string

// The bearings, in the order in which reasons stand.
const (
	// Blocks: no pod starts there.
	Blocks Bearing = "blocks"
	// Evicts: a pod that runs there does not stay.
	Evicts Bearing = "evicts"
	// Open: it depends on something that is not known.
	Open Bearing = "unknown"
	// Permits: it could have been in the way, and is not.
	Permits Bearing = "permits"
	// Notes: it changes nothing by itself.
	Notes Bearing = "note"
)

var bearings = []Bearing{Blocks, Evicts, Open, Permits, Notes}

// The codes of reasons.
const (
	CodeUntolerated     = "untolerated-taint"
	CodeTolerated       = "tolerated-taint"
	CodeMaybeTolerated  = "maybe-tolerated-taint"
	CodeBypassed        = "taint-bypassed"
	CodePreferNo        = "prefer-no-schedule"
	CodeEvictedLater    = "toleration-ends"
	CodeCordoned        = "cordoned"
	CodeOtherNode       = "names-another-node"
	CodeNodeName        = "names-this-node"
	CodeStaticPod       = "static-pod"
	CodeSelector        = "node-selector"
	CodeSelectorUnknown = "node-selector-unknown"
	CodeAffinity        = "node-affinity"
	CodeAffinityUnknown = "node-affinity-unknown"
	CodeAffinityInvalid = "node-affinity-invalid"
	CodePreferred       = "preferred-affinity"
	CodeResource        = "resource-missing"
	CodeOffered         = "resource-offered"
	CodeResourceUnknown = "resource-unknown"
	CodeVolume          = "volume-elsewhere"
	CodeVolumeUnknown   = "volume-unknown"
	CodeReachable       = "volume-reachable"
	CodeUnresolved      = "unresolved-variable"
	CodeUnseen          = "pods-unseen"
	CodeScheduler       = "other-scheduler"
	CodeGated           = "scheduling-gated"
	CodeOtherPods       = "other-pods"
	CodeOS              = "other-os"
	CodeRuntimeClass    = "runtime-class-unseen"
	CodeUnreadable      = "unreadable"
	CodeFree            = "nothing-in-the-way"
)

// sortReasons puts what blocks first and keeps the order of judgement otherwise.
func sortReasons(reasons []Reason) {
	slices.SortStableFunc(reasons, func(a, b Reason) int {
		return cmp.Compare(slices.Index(bearings, a.Bearing), slices.Index(bearings, b.Bearing))
	})
}
