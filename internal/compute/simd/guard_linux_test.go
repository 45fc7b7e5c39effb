package simd

import (
	"math/rand/v2"
	"os"
	"syscall"
	"testing"
	"unsafe"
)

// guarded returns n zeros that end where the next byte may not be touched.
func guarded[T any](t *testing.T, n int) []T {
	var e T
	size, page := n*int(unsafe.Sizeof(e)), os.Getpagesize()
	whole := (size + page - 1) / page * page
	m, err := syscall.Mmap(-1, 0, whole+page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skip("no memory to guard: ", err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(m); err != nil {
			t.Error(err)
		}
	})
	if err := syscall.Mprotect(m[whole:], syscall.PROT_NONE); err != nil {
		t.Skip("no page to guard with: ", err)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&m[whole-size])), n)
}

// TestGuard runs every kernel on slices that end at a page that may not be
// touched: reading one number too many would end the test.
func TestGuard(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for _, n := range []int{1, 13, 15, 40} {
		for d := range 46 {
			d, k := d+1+d/36*16, 1+r.IntN(50) // 1 to 36, 53 to 62
			x, c := guarded[float64](t, n*d), guarded[float64](t, k*d)
			copy(x, normal(r, n*d))
			copy(c, normal(r, k*d))
			y := guarded[float32](t, n*d)
			copy(y, narrow(x))
			w, dist, label := guarded[float64](t, n), guarded[float64](t, n), guarded[int32](t, n)
			sum, rest, row := guarded[float64](t, k*d), guarded[float64](t, k*d), guarded[int32](t, n)
			for i := range row {
				row[i] = int32(n - 1 - i)
			}
			eachLevel(t, func(t *testing.T) {
				p, b := Pack(k, d, c), new(Block)
				p.Nearest64(x, b)
				p.Nearest32(y, b)
				copy(label, b.Label)
				p.Measure64(x, label, dist)
				p.Measure32(y, label, dist)
				AddCompensated64(sum, rest, d, 0, d, x, row, label, w)
				AddCompensated32(sum, rest, d, 0, d, y, row, label, w)
				if q := Round(p, y); q != nil {
					q.Fill(0, b)
					q.Nearest(p, 0, nil, b)
				}
			})
		}
	}
}

// TestGuardSparse does the same for sparse rows, of which the last feature's
// numbers end the table.
func TestGuardSparse(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for _, k := range []int{2, 20, 32, 33, 70} {
		for m := 1; m < 12; m++ {
			d := m + 3
			c := normal(r, k*d)
			idx, val, whole := guarded[int32](t, m), guarded[float64](t, m), guarded[int16](t, m)
			copy(val, normal(r, m))
			v2 := norms(1, m, val)[0]
			for p := range idx {
				idx[p] = int32(d - m + p)
			}
			eachLevel(t, func(t *testing.T) {
				b := NewByFeature(k, d, c, norms(k, d, c), nil)
				if b.integers.ok {
					table := guarded[int16](t, len(b.integers.table))
					b.integers.table = table
				}
				b.Transpose(0, d)
				b.Nearest(idx, val, v2, RoundSparse(val, v2, whole), new(SparseScratch))
			})
		}
	}
}
