package main

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"unsafe"

	"github.com/inklinghq/inkling/cmd/inkling-gpu/internal/cuda"
)

//go:generate ./kernels/compile

// The kernels, as kernels/compile makes them from search.cu.
//
//go:embed kernels/search.ptx
var searchPTX []byte

// The shape of the kernels' tiles, as in search.cu.
const (
	tileRows    = 256
	tileCentres = 128
	chunkLen    = 64 // features
	slots       = 32 // candidates that are listed of a row
	maxOpen     = 1 << 20
)

// Rows are rows on the GPU with what is known of them there.
type Rows struct {
	gpu           *cuda.GPU
	kernels       *cuda.Module
	n, d, width   int // width: bytes of a number, 4 or 8
	chunks        int
	memory        []cuda.Pointer // all of the below
	x, image      cuda.Pointer
	norms, lift   cuda.Pointer
	label, open   cuda.Pointer
	openRow       cuda.Pointer
	openLimit     cuda.Pointer
	found, slots  cuda.Pointer
	largest       cuda.Pointer
	offsetAt      cuda.Pointer
	offset        []float64 // nil: there is no image yet
	scale         float64
	k, kCap       int
	centres       []float64 // as they came
	c, ci, cNorm  cuda.Pointer
	centresMemory []cuda.Pointer
}

// NewRows makes room for n rows of d numbers of width bytes.
func NewRows(gpu *cuda.GPU, kernels *cuda.Module, n, d, width int) (*Rows, error) {
	if n < 1 || d < 1 || width != 4 && width != 8 || n > math.MaxInt32 || d > 1<<16 {
		return nil, fmt.Errorf("rows must be 1 to %d of 1 to %d numbers of 4 or 8 bytes, got %d of %d of %d", math.MaxInt32, 1<<16, n, d, width)
	}
	r := &Rows{gpu: gpu, kernels: kernels, n: n, d: d, width: width, chunks: (d + chunkLen - 1) / chunkLen}
	padded, open := (uint64(n)+tileRows-1)/tileRows*tileRows, uint64(min(n, maxOpen))
	for _, m := range []struct {
		p    *cuda.Pointer
		size uint64
	}{
		{&r.x, uint64(n) * uint64(d) * uint64(width)}, {&r.image, padded * uint64(r.chunks) * chunkLen * 2}, {&r.norms, padded * 8}, {&r.lift, padded * 8},
		{&r.label, padded * 4}, {&r.open, 4}, {&r.openRow, padded * 4}, {&r.openLimit, padded * 4}, {&r.found, (open + tileRows) * 4},
		{&r.slots, (open + tileRows) * slots * 4}, {&r.largest, 16}, {&r.offsetAt, uint64(d) * 8},
	} {
		var err error
		if *m.p, err = cuda.Alloc(m.size); err != nil {
			r.Drop()
			return nil, err
		}
		r.memory = append(r.memory, *m.p)
	}
	return r, nil
}

// Drop gives the memory back.
func (r *Rows) Drop() {
	for _, p := range append(r.memory, r.centresMemory...) {
		cuda.Free(p)
	}
	r.memory, r.centresMemory = nil, nil
}

// Fill copies part of the rows, from byte at on.
func (r *Rows) Fill(at uint64, b []byte) error {
	if size := uint64(r.n) * uint64(r.d) * uint64(r.width); at > size || uint64(len(b)) > size-at {
		return fmt.Errorf("bytes %d to %d of rows of %d bytes", at, at+uint64(len(b)), size)
	}
	r.offset = nil
	return cuda.Upload(r.x+cuda.Pointer(at), b)
}

// SetCentres makes room for k centres.
func (r *Rows) SetCentres(k int) error {
	if k < 1 || k > 1<<24 {
		return fmt.Errorf("centres must be 1 to %d, got %d", 1<<24, k)
	}
	r.k = k
	if uint64(len(r.centres)) != uint64(k)*uint64(r.d) {
		r.centres = make([]float64, k*r.d)
	}
	padded := (k + tileCentres - 1) / tileCentres * tileCentres
	if padded <= r.kCap {
		return nil
	}
	for _, p := range r.centresMemory {
		cuda.Free(p)
	}
	r.centresMemory, r.kCap = nil, 0
	for _, m := range []struct {
		p    *cuda.Pointer
		size int
	}{{&r.c, padded * r.d * 8}, {&r.ci, padded * r.chunks * chunkLen * 2}, {&r.cNorm, padded * 4}} {
		var err error
		if *m.p, err = cuda.Alloc(uint64(m.size)); err != nil {
			return err
		}
		r.centresMemory = append(r.centresMemory, *m.p)
	}
	r.kCap = padded
	return nil
}

// FillCentres copies part of the centres, from byte at on.
func (r *Rows) FillCentres(at uint64, b []byte) error {
	size := uint64(len(r.centres)) * 8
	if at > size || uint64(len(b)) > size-at || size == 0 {
		return fmt.Errorf("bytes %d to %d of centres of %d bytes", at, at+uint64(len(b)), size)
	}
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&r.centres[0])), size)[at:], b)
	return nil
}

// The largest number of a centre in the image is to be between these: half precision ends
// at 65504, and rows may be further out.
const (
	scaledLow  = 0x1p1
	scaledHigh = 0x1p9
	scaledTo   = 0x1p5
)

// prepare makes the image of the rows where there is none that suits the centres: the offset
// is the mean of the centres at that time.
func (r *Rows) prepare() error {
	if r.offset != nil {
		if top := r.reach(r.offset) * r.scale; top >= scaledLow && top <= scaledHigh {
			return nil
		}
	}
	offset := make([]float64, r.d)
	for h := range r.k {
		for f := range offset {
			offset[f] += r.centres[h*r.d+f] / float64(r.k)
		}
	}
	r.offset, r.scale = offset, 1
	if top := r.reach(offset); top > 0 {
		_, e := math.Frexp(top)
		r.scale = math.Ldexp(scaledTo, max(-1000, min(1000, -e)))
	}
	if err := cuda.Upload(r.offsetAt, offset); err != nil {
		return err
	}
	name := "roundRows32"
	if r.width == 8 {
		name = "roundRows64"
	}
	return r.kernels.Launch(name, (r.n+7)/8, 256, 0, r.x, uint64(r.n), uint64(0), int32(r.d), int32(r.chunks), r.offsetAt, r.scale, r.image, r.norms)
}

// provable returns 1 where no square of a scaled number that half precision can hold leaves
// the range of double precision when it is scaled back, so that the bound holds.
func (r *Rows) provable() int32 {
	if r.scale < 0x1p-450 || r.scale > 0x1p450 {
		return 0
	}
	return 1
}

// reach returns how far a centre is from the offset in the feature where it is furthest.
func (r *Rows) reach(offset []float64) (top float64) {
	for h := range r.k {
		for f, o := range offset {
			top = max(top, math.Abs(r.centres[h*r.d+f]-o))
		}
	}
	return top
}

// scores is struct Search of search.cu.
type scores struct {
	rows, centres, norm, lift cuda.Pointer
	n                         uint64
	tiles, chunks             int32
	label, open               cuda.Pointer
	openRow, openLimit        cuda.Pointer
	slots, found              cuda.Pointer
	first, _                  uint32
}

// Address makes it an argument of a kernel.
func (s *scores) Address() unsafe.Pointer { return unsafe.Pointer(s) }

// Search labels every row with its nearest centre, and returns how many labels the scores
// left open.
func (r *Rows) Search() (open int, err error) {
	if r.k == 0 {
		return 0, errors.New("there are no centres")
	}
	if err := r.prepare(); err != nil {
		return 0, err
	}
	padded := (r.k + tileCentres - 1) / tileCentres * tileCentres
	if err := errors.Join(cuda.Upload(r.c, r.centres), cuda.Clear(r.largest, 16), cuda.Clear(r.open, 4)); err != nil {
		return 0, err
	}
	if err := r.kernels.Launch("roundCentres", padded, 128, 0, r.c, int32(r.k), int32(r.d), int32(r.chunks), r.offsetAt, r.scale, r.ci, r.cNorm, r.largest); err != nil {
		return 0, err
	}
	if err := r.kernels.Launch("margins", (r.n+255)/256, 256, 0, r.norms, uint64(r.n), int32(r.d), int32(r.chunks), r.largest, r.provable(), r.lift); err != nil {
		return 0, err
	}
	s := &scores{rows: r.image, centres: r.ci, norm: r.cNorm, lift: r.lift, n: uint64(r.n), tiles: int32(padded / tileCentres), chunks: int32(r.chunks),
		label: r.label, open: r.open, openRow: r.openRow, openLimit: r.openLimit, slots: r.slots, found: r.found}
	kind, shared := r.kind()
	if err := r.kernels.Launch("score"+kind, (r.n+tileRows-1)/tileRows, 256, shared, s); err != nil {
		return 0, err
	}
	var left [1]uint32
	if err := cuda.Download(left[:], r.open); err != nil {
		return 0, err
	}
	open = int(left[0])
	for lo := 0; lo < open; lo += maxOpen {
		if err := r.decide(s, lo, min(maxOpen, open-lo), kind, shared); err != nil {
			return open, err
		}
	}
	return open, cuda.Wait()
}

// kind returns which of the kernels the GPU has room for, and how much they take.
func (r *Rows) kind() (name string, shared int) {
	const rows, centres = tileRows * chunkLen * 2, tileCentres * chunkLen * 2
	if s := r.chunks*rows + 3*centres; s <= r.gpu.Shared {
		return "Kept", s
	}
	if s := 3 * (rows + centres); s <= r.gpu.Shared {
		return "Read", s
	}
	return "ReadSmall", 2 * (rows + centres)
}

// decide finds the labels of n open rows from the one at first on.
func (r *Rows) decide(s *scores, first, n int, kind string, shared int) error {
	if err := cuda.Clear(r.found, uint64(n)*4); err != nil {
		return err
	}
	some := *s
	some.n, some.first = uint64(n), uint32(first)
	if err := r.kernels.Launch("list"+kind, (n+tileRows-1)/tileRows, 256, shared, &some); err != nil {
		return err
	}
	name := "decide32"
	if r.width == 8 {
		name = "decide64"
	}
	return r.kernels.Launch(name, (n+7)/8, 256, 0, r.x, r.c, int32(r.k), int32(r.d), &some)
}

// Labels copies the labels of the rows from row at on.
func (r *Rows) Labels(at int, b []byte) error {
	if at < 0 || at > r.n || len(b)%4 != 0 || len(b)/4 > r.n-at {
		return fmt.Errorf("labels %d to %d of %d rows", at, at+len(b)/4, r.n)
	}
	return cuda.Download(b, r.label+cuda.Pointer(4*at))
}
