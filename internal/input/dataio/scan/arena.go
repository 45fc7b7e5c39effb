package scan

import (
	"strconv"
	"unsafe"

	"github.com/inklinghq/inkling/internal/input/dataio/source"
)

// A Arena keeps short texts one after the other, to become strings of one
// piece of memory.
type Arena struct {
	Buf []byte
	End []int
}

// TextAt returns text i; it is part of the arena.
func (a *Arena) TextAt(i int) []byte {
	from := 0
	if i > 0 {
		from = a.End[i-1]
	}
	return a.Buf[from:a.End[i]]
}

// AddNumber appends y in decimal digits.
func (a *Arena) AddNumber(y int64) {
	a.Buf = strconv.AppendInt(a.Buf, y, 10)
	a.End = append(a.End, len(a.Buf))
}

// Grow returns s with capacity for n more. If done, the share of the source that
// has been read, is known, the capacity is an estimate for the whole source: memory
// that is never touched costs nothing, a copy does. An estimate that does not fit into memory
// is not followed.
func Grow[T any](s []T, n int, done float64) []T {
	need := len(s) + n
	if need <= cap(s) {
		return s
	}
	capacity := need
	if done > 0 && done < 1 {
		if all := float64(need) / done * 1.03; fits(all * float64(unsafe.Sizeof(*new(T)))) {
			capacity = int(all)
		}
	}
	if len(s) > 0 {
		capacity = max(capacity, len(s)+len(s)/4)
	}
	t := make([]T, len(s), max(capacity, need))
	copy(t, s)
	return t
}

// fits reports whether so many bytes can be taken; few always can.
func fits(bytes float64) bool {
	const few = 64 << 20
	if bytes <= few {
		return true
	}
	have := source.AvailableMemory()
	return have == 0 || bytes < float64(have)
}

// Ahead returns how many bytes of memory s has for what is still to come.
func Ahead[T any](s []T) int64 { return int64(cap(s)-len(s)) * int64(unsafe.Sizeof(*new(T))) }

// AddText appends a copy of b.
func (a *Arena) AddText(b []byte) {
	a.Buf = append(a.Buf, b...)
	a.End = append(a.End, len(a.Buf))
}

// Reset forgets the texts and keeps the memory.
func (a *Arena) Reset() { a.Buf, a.End = a.Buf[:0], a.End[:0] }

// AppendTo appends the texts as strings to dst.
func (a *Arena) AppendTo(dst []string) []string {
	all, from := string(a.Buf), 0
	for _, end := range a.End {
		dst = append(dst, all[from:end])
		from = end
	}
	return dst
}
