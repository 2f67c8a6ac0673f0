// Package outdir brings a directory to the state that a bundle of files describes, and nothing else in it.
//
// Compare looks and changes nothing: each file of the bundle is missing, different, the same, or in the way of something
// that Berth did not write; and files that Berth once wrote for these intents may have become stale. Write carries that
// out: every file is first written beside its place, and only when all are there are they renamed into it, so that an
// interruption leaves whole files, old or new. Paths never leave the directory, through links neither (os.Root).
package outdir
