//go:build unix

package harness

import (
	"runtime"
	"syscall"
)

// Process returns the CPU seconds of this process so far, of all processors, and
// the most memory it has had, in megabytes.
func Process() (cpu, peak float64) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, 0
	}
	unit := 1 << 10 // kilobytes; bytes on Apple systems
	if runtime.GOOS == "darwin" {
		unit = 1 << 20
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9, float64(u.Maxrss) / float64(unit)
}
