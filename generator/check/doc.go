// Package check says what would go wrong when Flux applies a repository, without a cluster, keys or network.
//
// How data flows:
//
//	Find(dir)            Setup        berth.yaml, or what the repository shows where there is none
//	Open(ctx, setup)     Repository   every environment built by package flux, with the intents that hold for it
//	Run(repo, rules)     Result       the rules' findings, merged over the environments, and what could not be seen
//	Result.Without(...)               less what is ignored, accepted by a baseline, or (Since) was there before a change
//
// A Rule has a code, a text that explains it, and a function that looks at one environment through a Pass. The rules
// themselves are in package rules below; what people read is made by package report. Nothing here knows a clock: whoever
// asks says which day it is.
package check
