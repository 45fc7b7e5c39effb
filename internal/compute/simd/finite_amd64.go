//go:build !purego

package simd

// carriesv returns the bits that are set in any of (x & mask) + one, for each 64 bits of x. n
// is a multiple of 16, and not 0.
//
//go:noescape
func carriesv(x *float64, mask, one uint64, n int) uint64
