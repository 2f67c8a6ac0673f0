// Command probe is what runs in the pods of the tests, and in their sandboxes.
//
//	probe pause          waits to be ended
//	probe open PATH...   opens each path for reading and writing, and says what happened in the pod's termination message
//	probe hold PATH...   opens each path, says what happened on standard output, and waits to be ended
//	probe env NAME       says the value of an environment variable there
package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

const terminationLog = "/dev/termination-log"

func main() {
	if len(os.Args) < 2 || os.Args[1] == "pause" {
		wait()
		return
	}
	var said []string
	for _, arg := range os.Args[2:] {
		switch os.Args[1] {
		case "open", "hold":
			said = append(said, arg+": "+open(arg))
		case "env":
			said = append(said, arg+"="+os.Getenv(arg))
		}
	}
	if os.Args[1] == "hold" {
		fmt.Println(strings.Join(said, "\n"))
		wait()
		return
	}
	if err := os.WriteFile(terminationLog, []byte(strings.Join(said, "\n")), 0o600); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func wait() {
	end := make(chan os.Signal, 1)
	signal.Notify(end, syscall.SIGTERM, syscall.SIGINT)
	<-end
}

func open(name string) string {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return errors.Unwrap(err).Error() // the kernel's word without the path
	}
	_ = f.Close()
	return "opened"
}
