//go:build unix

package source

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// processMemory reads what ulimit leaves to the process, of address space (-v) and of data
// (-d), where the system shows how much of them it uses.
func processMemory() (least int64, known bool) {
	b, err := os.ReadFile("/proc/self/statm")
	fields := strings.Fields(string(b))
	if err != nil || len(fields) < 6 {
		return 0, false
	}
	for _, part := range []struct{ limit, field int }{{unix.RLIMIT_AS, 0}, {unix.RLIMIT_DATA, 5}} {
		var limit unix.Rlimit
		pages, err := strconv.ParseInt(fields[part.field], 10, 64)
		if err != nil || unix.Getrlimit(part.limit, &limit) != nil || uint64(limit.Cur) >= 1<<60 {
			continue // there is no limit
		}
		if left := int64(limit.Cur) - pages*int64(os.Getpagesize()); !known || left < least {
			least, known = left, true
		}
	}
	return least, known
}
