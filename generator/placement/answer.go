package placement

import "fmt"

// Answer is what can be said to a question with yes or no.
type Answer int8

// The answers. The lower one of two wins when both have to hold.
const (
	No Answer = iota
	Unknown
	Yes
)

// String returns no, unknown or yes.
func (a Answer) String() string {
	return [...]string{"no", "unknown", "yes"}[a]
}

// MarshalText writes the answer as a word.
func (a Answer) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads a word that MarshalText wrote.
func (a *Answer) UnmarshalText(text []byte) error {
	for _, known := range []Answer{No, Unknown, Yes} {
		if known.String() == string(text) {
			*a = known
			return nil
		}
	}
	return fmt.Errorf("answer %q is none of no, unknown and yes", text)
}

// both is the answer to two questions that must both be answered with yes.
func both(a, b Answer) Answer { return min(a, b) }

// either is the answer to two questions of which one must be answered with yes.
func either(a, b Answer) Answer { return max(a, b) }

func answer(yes bool) Answer {
	if yes {
		return Yes
	}
	return No
}
