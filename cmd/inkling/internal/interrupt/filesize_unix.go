//go:build unix

package interrupt

import (
	"os/signal"
	"syscall"
)

// ignoreFileSize makes a file that exceeds the limit of ulimit -f an error of its writer,
// which removes what it has written, instead of the end of the program.
func ignoreFileSize() { signal.Ignore(syscall.SIGXFSZ) }
