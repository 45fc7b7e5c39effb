package source

import (
	"bufio"
	"bytes"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/inklinghq/inkling/internal/support/format"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// AvailableMemory returns how many bytes this process can still take: what GOMEMLIMIT, the
// control groups, ulimit and the machine leave, the least of them; 0 where that is not known.
func AvailableMemory() int64 {
	least := int64(math.MaxInt64)
	if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64 {
		least = max(1, limit-memoryInUse())
	}
	for _, free := range []func() (int64, bool){machineMemory, groupMemory, oldGroupMemory, processMemory} {
		if n, known := free(); known {
			least = min(least, max(1, n))
		}
	}
	if least == math.MaxInt64 {
		return 0
	}
	return least
}

// memoryInUse returns the memory that the program uses, garbage since the last collection
// included.
func memoryInUse() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackSys)
}

// machineMemory reads what Linux estimates that programs can take without swapping.
func machineMemory() (int64, bool) {
	b, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, false
	}
	for s := bufio.NewScanner(bytes.NewReader(b)); s.Scan(); {
		if rest, ok := strings.CutPrefix(s.Text(), "MemAvailable:"); ok {
			n, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return n << 10, err == nil
		}
	}
	return 0, false
}

// groups is where the system shows control groups.
const groups = "/sys/fs/cgroup"

// groupMemory reads what the control group of the process and those above it, version 2,
// leave.
func groupMemory() (int64, bool) {
	return leastLeft(groups, ownGroup("0::"), "memory.max", "memory.current")
}

// oldGroupMemory is groupMemory for version 1.
func oldGroupMemory() (int64, bool) {
	return leastLeft(groups+"/memory", ownGroup(":memory:"), "memory.limit_in_bytes", "memory.usage_in_bytes")
}

// leastLeft reads what the group at path below root, and each above it, leaves, the least of
// them; pages of files that nobody uses count as free. In a container the path may not be
// visible: then the root is what there is.
func leastLeft(root, path, limit, usage string) (least int64, known bool) {
	for dir := filepath.Join(root, path); strings.HasPrefix(dir, root); dir = filepath.Dir(dir) {
		most, ok := readNumber(filepath.Join(dir, limit))
		used, counted := readNumber(filepath.Join(dir, usage))
		if !ok || !counted || most >= 1<<60 { // as version 1 says that there is no limit
			continue
		}
		if b, err := os.ReadFile(filepath.Join(dir, "memory.stat")); err == nil {
			for line := range strings.Lines(string(b)) {
				if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "inactive_file "); ok {
					n, _ := strconv.ParseInt(rest, 10, 64)
					used -= n
				}
			}
		}
		if left := most - max(0, used); !known || left < least {
			least, known = left, true
		}
	}
	return least, known
}

// ownGroup returns the path of the control group of the process that /proc/self/cgroup has after mark.
func ownGroup(mark string) string {
	b, _ := os.ReadFile("/proc/self/cgroup")
	for line := range strings.Lines(string(b)) {
		if _, path, ok := strings.Cut(strings.TrimSpace(line), mark); ok {
			return path
		}
	}
	return ""
}

func readNumber(path string) (int64, bool) {
	b, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64)
	return n, err == nil
}

// RefuseMemory refuses work on a file that needs more memory than there is.
func RefuseMemory(name, what string, need int64, advice hint.Hint) error {
	if have := AvailableMemory(); have > 0 && need > have {
		return &Error{File: name, Msg: what + " needs about " + format.Bytes(need) + " of memory, and only " + format.Bytes(have) + " are free", Hint: advice}
	}
	return nil
}

// checkEvery is after how many bytes of content a stream looks at the memory, warmUp after how many the memory that
// readers take besides what they keep, of blocks on their way, is all there, and what a part of the source took can
// be told.
const (
	checkEvery = 4 << 20
	warmUp     = 32 << 20
)

// A memoryGuard refuses, while a source is read, what will not fit into memory.
type memoryGuard struct {
	first int64 // memory in use when reading began
	next  int64 // bytes of content at which to look again
	n     int64 // bytes of content so far
	off   bool  // all memory that reading takes is there

	ahead  atomic.Int64 // bytes of memory that were taken for rows that are still to be read
	filled int64        // memory at the last look before warmUp, without what is ahead
	part   float64      // of the source that had been read then
}

// Reserve refuses to read need bytes into memory where there is less, and otherwise says that
// the reader of r takes all of it at once, so that no more is to be expected.
func Reserve(r io.Reader, name, what string, need int64, advice hint.Hint) error {
	if s, ok := r.(*Stream); ok {
		s.memory.off = true
	}
	return RefuseMemory(name, what, need, advice)
}

// SetAhead says how many bytes of the memory in use were taken for what is still to be read. Any
// goroutine may call it.
func (s *Stream) SetAhead(bytes int64) { s.memory.ahead.Store(bytes) }

// check returns an error once the memory that is left is less than the rest of the source
// will take, as far as the part read so far tells. part is 0 where it is not known.
func (g *memoryGuard) check(name string, read int, part float64) error {
	if g.n += int64(read); g.off || g.n < g.next {
		return nil
	}
	if g.next == 0 {
		g.first = memoryInUse()
	}
	g.next = g.n + checkEvery
	if g.n < checkEvery {
		return nil
	}
	for try := range 2 {
		have, taken := AvailableMemory(), max(1, memoryInUse()-g.first)
		need, rest := g.toCome(taken, part)
		if have == 0 || need <= have {
			return nil
		}
		if try == 0 {
			runtime.GC() // what was parsed and thrown away does not count
			continue
		}
		e := &Error{File: name, Hint: "read fewer columns by {columns}, or a sample of the rows"}
		if rest == 0 {
			e.Msg = "memory is used up after " + format.Bytes(g.n) + " of content, and there is more: " + format.Bytes(taken) + " are taken, " + format.Bytes(have) + " are free"
		} else {
			e.Msg = "what this source holds needs about " + format.Bytes(taken+rest) + " of memory, and only " + format.Bytes(have) + " are free"
			e.Hint += hint.Sprintf("; about %.0f %% of them fit", 100*min(1, float64(taken+have)/float64(taken+need)))
		}
		return e
	}
	return nil
}

// toCome returns the memory that must be free for reading to go on, where so much is taken, and what the rest of the
// source will take of it, 0 where that cannot be told: before warmUp, and where the end is not known.
func (g *memoryGuard) toCome(taken int64, part float64) (need, rest int64) {
	ahead := min(g.ahead.Load(), taken)
	need = max(checkEvery, int64(float64(taken-ahead)*checkEvery/float64(g.n))) // for what is read until the next look
	switch {                                                                    // what grows moves to a larger place, and the old one is free only after that
	case part == 0:
		need += taken + taken/2
	case ahead == 0:
		need += taken / 3
	}
	if g.n < warmUp {
		g.filled, g.part = taken-ahead, part
	} else if g.n >= 2*warmUp && g.part > 0 && part > g.part {
		rest = max(0, int64(float64(taken-ahead-g.filled)/(part-g.part)*(1-min(part, 1)))-ahead)
		need = max(need, rest)
	}
	return need, rest
}
