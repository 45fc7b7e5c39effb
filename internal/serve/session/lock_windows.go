package session

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockFile locks f for this process, or reports that another one holds it. The system
// unlocks it when the process ends, however it ends.
func lockFile(f *os.File) (held bool, err error) {
	err = windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30}) // beyond the text
	return errors.Is(err, windows.ERROR_LOCK_VIOLATION), err
}

// syncFolder does nothing: Windows keeps names without it.
func syncFolder(string) error { return nil }
