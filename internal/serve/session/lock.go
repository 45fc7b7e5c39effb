package session

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// A LockedError says that another process writes the session.
type LockedError struct {
	Path string
	By   string // what the lock file says about that process; "": nothing
}

func (e *LockedError) Error() string {
	by := "another process"
	if e.By != "" {
		by = e.By
	}
	return fmt.Sprintf("%s: %s works on this session; end it first, or work on a copy", e.Path, by)
}

// A lock is a file beside the session that one process holds.
type lock struct{ file *os.File }

func lockName(path string) string { return path + ".lock" }

// acquire locks the session at path. The lock ends with the process; what is left of its
// file then does not matter.
func acquire(path string) (*lock, error) {
	for {
		f, err := os.OpenFile(lockName(path), os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		held, err := lockFile(f)
		if err != nil {
			by, _ := io.ReadAll(io.LimitReader(f, 200))
			f.Close()
			if held {
				return nil, &LockedError{Path: path, By: strings.TrimSpace(string(by))}
			}
			return nil, err
		}
		// Who held the lock before removes the file: it may be gone by now.
		mine, err := f.Stat()
		there, err2 := os.Stat(lockName(path))
		if err := errors.Join(err, err2); err != nil || !os.SameFile(mine, there) {
			f.Close()
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				return nil, err
			}
			continue
		}
		if err := f.Truncate(0); err == nil {
			_, _ = f.WriteAt(fmt.Appendf(nil, "process %d\n", os.Getpid()), 0)
		}
		return &lock{f}, nil
	}
}

// Lock holds path for this process, by a file beside it, until released; a *LockedError says
// that another process holds it. What a process held that was killed can be locked again.
func Lock(path string) (release func(), err error) {
	l, err := acquire(path)
	if err != nil {
		return nil, err
	}
	return l.release, nil
}

// release removes the file and the lock.
func (l *lock) release() {
	os.Remove(l.file.Name())
	l.file.Close()
}
