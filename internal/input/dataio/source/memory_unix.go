//go:build unix

package source

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// arena is what the runtime takes of address space at a time.
const arena = 64 << 20

// processMemory reads what ulimit leaves to the process, of address space (-v) and of data
// (-d), where the system shows how much of them it uses.
func processMemory() (least int64, known bool) {
	b, err := os.ReadFile("/proc/self/statm")
	fields := strings.Fields(string(b))
	if err != nil || len(fields) < 6 {
		return 0, false
	}
	for _, part := range []struct {
		limit, field int
		room         int64
	}{{unix.RLIMIT_AS, 0, arena}, {unix.RLIMIT_DATA, 5, 0}} {
		var limit unix.Rlimit
		pages, err := strconv.ParseInt(fields[part.field], 10, 64)
		if err != nil || unix.Getrlimit(part.limit, &limit) != nil || uint64(limit.Cur) >= 1<<60 {
			continue // there is no limit
		}
		if left := int64(limit.Cur) - pages*int64(os.Getpagesize()) - part.room; !known || left < least {
			least, known = left, true
		}
	}
	return least, known
}
