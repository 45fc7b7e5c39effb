package combinatorial

import (
	"math/bits"
	"slices"
)

// A bitset is a set of small numbers.
type bitset []uint64

func newBitset(n int) bitset           { return make(bitset, (n+63)/64) }
func (b bitset) insert(i int32)        { b[i>>6] |= 1 << (i & 63) }
func (b bitset) remove(i int32)        { b[i>>6] &^= 1 << (i & 63) }
func (b bitset) contains(i int32) bool { return b[i>>6]>>(i&63)&1 == 1 }

// lowestMissing returns the lowest number that is not in b, -1 if b is full.
func (b bitset) lowestMissing() int32 {
	w := slices.IndexFunc(b, func(w uint64) bool { return w != ^uint64(0) })
	if w < 0 {
		return -1
	}
	return int32(w*64 + bits.TrailingZeros64(^b[w]))
}
