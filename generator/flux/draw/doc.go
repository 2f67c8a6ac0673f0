// Package draw writes a Flux reconcile order for people and for programs: as text on 80 columns, as Mermaid and DOT for
// pictures, and as JSON.
//
// Every writer takes the graph, and the stall that is to be shown in it, which may be nil. The same graph gives the same
// bytes.
package draw
