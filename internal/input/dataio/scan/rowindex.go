package scan

import (
	"hash/maphash"
	"math/bits"
)

// FirstDuplicate returns the first j whose string stands at an i < j already.
func FirstDuplicate(s []string) (i, j int, ok bool) {
	seed := maphash.MakeSeed()
	t := NewRowIndex(len(s))
	for j := range s {
		i := t.Insert(j, maphash.String(seed, s[j]), func(i int) bool { return s[i] == s[j] })
		if i != j {
			return i, j, true
		}
	}
	return 0, 0, false
}

// A RowIndex finds rows by the hash of their keys: open addressing, at most
// three quarters full. Half of each place is a part of the hash, so that keys
// are compared only where they are most likely equal.
type RowIndex struct {
	slot  []uint64 // the low half of a hash, and a row plus 1; or 0
	shift int
}

// NewRowIndex returns an index with room for n rows.
func NewRowIndex(n int) *RowIndex {
	size := bits.Len(uint(n + n/3 + 1))
	return &RowIndex{slot: make([]uint64, 1<<size), shift: 64 - size}
}

// Insert enters row j unless a row with the same key is there, and returns the
// row that is there then.
func (t *RowIndex) Insert(j int, hash uint64, same func(i int) bool) int {
	i, p := t.lookUp(hash, same)
	if i < 0 {
		t.slot[p] = hash<<32 | uint64(j+1)
		return j
	}
	return i
}

// lookUp returns the row with the key, or -1, and the place for it.
func (t *RowIndex) lookUp(hash uint64, same func(i int) bool) (row int, place uint64) {
	mask := uint64(len(t.slot) - 1)
	for p := hash >> t.shift; ; p = (p + 1) & mask {
		s := t.slot[p]
		if s == 0 {
			return -1, p
		}
		if i := int(uint32(s)) - 1; s>>32 == hash&(1<<32-1) && same(i) {
			return i, p
		}
	}
}

// Find returns the row with the key, or -1.
func (t *RowIndex) Find(hash uint64, same func(i int) bool) int {
	i, _ := t.lookUp(hash, same)
	return i
}
