// Package finding holds what Berth has to say about something that it read: one fact, at one place, with what to do.
//
// The packages of the domain make findings; the KRM function turns them into results, the command line into lines. A
// finding's code is stable, so that it can be looked up, counted and ignored by name.
package finding
