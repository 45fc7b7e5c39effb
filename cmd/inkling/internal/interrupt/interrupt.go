// Package interrupt catches the signals that ask the program to end from its first moments
// on: it imports next to nothing, so it is set up before the packages that take time.
package interrupt

import (
	"os"
	"os/signal"
	"syscall"
)

// Signals receives Ctrl-C, SIGTERM and a closed terminal.
var Signals = listen()

func listen() <-chan os.Signal {
	c := make(chan os.Signal, 2)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	ignoreFileSize()
	return c
}

// Leave gives the signals back to a program that only uses this one's packages, such as a test.
func Leave() { signal.Reset(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP) }
