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
