// Command floor is the least that a device plugin can be: it serves the five methods with a fixed list, and registers once. It exists to
// be measured.
package main
