//go:build unix

package targets

import (
	"os"

	"golang.org/x/sys/unix"
)

// stdoutClosed reports whether the program was started without a standard output. The
// runtime then opens the null device for reading and writing in its place, so that what is
// written would be lost in silence. Some programs discard the output of others in the same
// way, mostly together with its errors: that is taken for what it is.
func stdoutClosed() bool { return nullBothWays(os.Stdout) && !nullBothWays(os.Stderr) }

// nullBothWays reports whether f is the null device, opened for reading and writing.
func nullBothWays(f *os.File) bool {
	flags, err := unix.FcntlInt(f.Fd(), unix.F_GETFL, 0)
	if err != nil || flags&unix.O_ACCMODE != unix.O_RDWR {
		return false
	}
	here, err := f.Stat()
	if err != nil {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err == nil && os.SameFile(here, null)
}
