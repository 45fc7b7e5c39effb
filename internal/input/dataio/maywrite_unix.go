//go:build unix

package dataio

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

// mayWrite returns why no file can be made in dir, nil where the rights allow it.
func mayWrite(dir string) error {
	if err := unix.Access(dir, unix.W_OK|unix.X_OK); err != nil {
		return &fs.PathError{Op: "access", Path: dir, Err: err}
	}
	return nil
}

// mayWriteFile returns why this user may not write to a file.
func mayWriteFile(path string) error {
	if err := unix.Access(path, unix.W_OK); err != nil {
		return &fs.PathError{Op: "access", Path: path, Err: err}
	}
	return nil
}

// processGone reports whether there is no process with this number.
func processGone(pid int) bool { return unix.Kill(pid, 0) == unix.ESRCH }
