package main

import (
	"fmt"
	"slices"
	"time"
)

// results prints rows as they come, and remembers whether one was beyond its limit.
type results struct {
	beyond bool
}

// ratio prints a row whose limit is a multiple of the floor's.
func (r *results) ratio(what string, ours, floor float64, unit string, limit float64) {
	r.row(what, fmt.Sprintf("%.2f %s", ours, unit), fmt.Sprintf("%.2f %s", floor, unit),
		fmt.Sprintf("%.2f of at most %.2f", ours/floor, limit), ours/floor <= limit)
}

// atMost prints a row with an absolute limit. floor may be "".
func (r *results) atMost(what string, ours float64, floor, unit string, limit float64) {
	r.row(what, fmt.Sprintf("%.2f %s", ours, unit), floor, fmt.Sprintf("at most %g %s", limit, unit), ours <= limit)
}

func (r *results) row(what, ours, floor, limit string, ok bool) {
	verdict := "yes"
	if !ok {
		verdict = "**no**"
		r.beyond = true
	}
	fmt.Printf("| %s | %s | %s | %s | %s |\n", what, ours, floor, limit, verdict)
}

func (r *results) code() int {
	if r.beyond {
		return 1
	}
	return 0
}

// quantile gives the value below which the part q of all lies.
func quantile(all []time.Duration, q float64) time.Duration {
	all = slices.Clone(all)
	slices.Sort(all)
	return all[min(len(all)-1, int(q*float64(len(all))))]
}

func median(all []time.Duration) time.Duration { return quantile(all, 0.5) }

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
