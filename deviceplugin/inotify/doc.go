// Package inotify tells when the entries of a folder change.
//
// A node has few inotify instances to give (fs.inotify.max_user_instances, 128 per user), so the whole plugin uses one, and goes on
// without any where there is none left: Poll then says to look more often.
//
// Only creating, removing and renaming entries counts. That is why this is not fsnotify, which also asks for writes: in /dev every
// write of any program to /dev/null would wake the plugin up.
package inotify
