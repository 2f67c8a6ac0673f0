package placement

import "fmt"

// Verdict is what holds for one workload on one node.
type Verdict struct {
	// New says whether a new pod may start there.
	New Answer `json:"new"`
	// Running says what happens to a pod that runs there already.
	Running Running `json:"running"`
	// Seconds is how long such a pod is left alone, when Running is EvictedLater.
	Seconds int64 `json:"seconds,omitempty"`
	// Avoided says that the scheduler uses the node only when no better one is left (PreferNoSchedule).
	Avoided bool `json:"avoided,omitempty"`
	// Reasons are all that lead to the verdict, what blocks first.
	Reasons []Reason `json:"reasons,omitempty"`
}

// Running says what happens to a pod that runs on a node.
type Running string

// What happens to a pod.
const (
	// Stays: nothing happens to it.
	Stays Running = "stays"
	// Evicted: a NoExecute taint that it does not tolerate makes the taint eviction controller delete it.
	Evicted Running = "evicted"
	// EvictedLater: it tolerates a NoExecute taint for some seconds.
	EvictedLater Running = "evicted-later"
	// Removed: the DaemonSet controller deletes its pods where selector or affinity no longer match.
	Removed Running = "removed"
	// RunningUnknown: it cannot be told.
	RunningUnknown Running = "unknown"
)

// State is the word for a verdict in a matrix: yes, avoid (yes, but only when no better node is left), 60s (yes, and
// evicted after that), no, evict (no, and pods that run there are evicted), or ? when it cannot be told.
func (v *Verdict) State() string {
	switch {
	case v.New == No && v.Running == Evicted:
		return "evict"
	case v.New == No:
		return "no"
	case v.New == Unknown, v.Running == RunningUnknown:
		return "?"
	case v.Running == EvictedLater, v.Running == Evicted:
		return fmt.Sprintf("%ds", v.Seconds)
	case v.Avoided:
		return "avoid"
	}
	return "yes"
}

// key tells verdicts apart that mean or say something different.
func (v *Verdict) key() string { return fmt.Sprintf("%v", *v) }
