package main

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"unsafe"

	"github.com/inklinghq/inkling/cmd/inkling-gpu/internal/cuda"
	"github.com/inklinghq/inkling/internal/numeric/device/wire"
)

//go:generate ./kernels/compile

// The kernels, as kernels/compile makes them.
//
//go:embed kernels/rows.ptx
var rowsPTX []byte

//go:embed kernels/search.ptx
var searchPTX []byte

//go:embed kernels/hopper.ptx
var hopperPTX []byte

// Kernels are those of a GPU.
type Kernels struct {
	hopper       bool // scores are by its own kernels
	loaded       sync.WaitGroup
	rows, scores loading
}

// A loading is a module that is loaded, or why it is not.
type loading struct {
	*cuda.Module
	err error
}

// isHopper reports whether a GPU has the instructions of hopper.cu.
func isHopper(gpu *cuda.GPU) bool { return gpu.Compute == 90 }

// LoadKernels has the driver compile the kernels, which the first launch waits for.
func LoadKernels(hopper bool) *Kernels {
	k := &Kernels{hopper: hopper}
	load := func(ptx []byte, to *loading) {
		k.loaded.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			if to.err = cuda.Enter(); to.err == nil {
				to.Module, to.err = cuda.Load(ptx)
			}
		})
	}
	load(rowsPTX, &k.rows)
	if hopper {
		load(hopperPTX, &k.scores)
	} else {
		load(searchPTX, &k.scores)
	}
	return k
}

// Wait returns when the kernels are compiled.
func (k *Kernels) Wait() error {
	k.loaded.Wait()
	return cmp.Or(k.rows.err, k.scores.err)
}

// Launch starts a kernel of rows.cu.
func (k *Kernels) Launch(name string, blocks, threads, shared int, args ...any) error {
	if err := k.Wait(); err != nil {
		return err
	}
	return k.rows.Launch(name, blocks, threads, shared, args...)
}

// The shape of the kernels' tiles, as in common.h.
const (
	tileRows    = 256
	tileCentres = 128
	chunkLen    = 64      // features
	groups      = 64      // of columns, whose least scores neighbours use
	slots       = 32      // candidates that are listed of a row
	maxOpen     = 1 << 18 // that are decided at a time
)

// Rows are rows on the GPU with what is known of them there.
type Rows struct {
	gpu          *cuda.GPU
	kernels      *Kernels
	n, d, width  int // width: bytes of a number, 4 or 8
	chunks       int
	memory       []cuda.Pointer // all of the below
	x, image     cuda.Pointer
	norms        cuda.Pointer
	farthest     cuda.Pointer
	label, open  cuda.Pointer
	openRow      cuda.Pointer
	gathered     cuda.Pointer // images of open rows
	openLimit    cuda.Pointer
	found, slots cuda.Pointer
	largest      cuda.Pointer
	offsetAt     cuda.Pointer
	offset       []float64 // nil: there is no image yet
	scale        float64
	centres      centres
	moves        moves
	near         neighbours
}

// centres are what rows are compared with.
type centres struct {
	k, room             int // room for so many
	at                  cuda.Pointer
	image, norm, lifted cuda.Pointer
	memory              []cuda.Pointer
}

// A block of memory on the GPU that is asked for.
type block struct {
	at   *cuda.Pointer
	size uint64
}

// take makes room for blocks and adds them to memory.
func take(memory *[]cuda.Pointer, blocks ...block) (err error) {
	for _, b := range blocks {
		if *b.at, err = cuda.Alloc(b.size); err != nil {
			return err
		}
		*memory = append(*memory, *b.at)
	}
	return nil
}

// give gives memory back.
func give(memory *[]cuda.Pointer) {
	for _, p := range *memory {
		cuda.Free(p)
	}
	*memory = nil
}

// NewRows makes room for n rows of d numbers of width bytes.
func NewRows(gpu *cuda.GPU, kernels *Kernels, n, d, width int) (*Rows, error) {
	if n < 1 || d < 1 || width != 4 && width != 8 || n > math.MaxInt32 || d > 1<<16 {
		return nil, fmt.Errorf("rows must be 1 to %d of 1 to %d numbers of 4 or 8 bytes, got %d of %d of %d", math.MaxInt32, 1<<16, n, d, width)
	}
	r := &Rows{gpu: gpu, kernels: kernels, n: n, d: d, width: width, chunks: (d + chunkLen - 1) / chunkLen}
	padded, open := uint64(roundUp(n, tileRows)), uint64(min(n, maxOpen)+tileRows)
	err := take(&r.memory, block{&r.x, uint64(n) * uint64(d) * uint64(width)}, block{&r.image, padded * uint64(r.chunks) * chunkLen * 2}, block{&r.norms, padded * 8},
		block{&r.farthest, 4}, block{&r.label, padded * 4}, block{&r.openRow, padded * 4}, block{&r.openLimit, padded * 4},
		block{&r.found, open * 4}, block{&r.slots, open * slots * 4}, block{&r.largest, stateSize}, block{&r.offsetAt, uint64(d) * 8})
	if err == nil && kernels.hopper {
		err = take(&r.memory, block{&r.gathered, roundUp64(open, tileRows) * uint64(r.chunks) * chunkLen * 2})
	}
	if err != nil {
		r.Drop()
		return nil, err
	}
	r.open = r.largest + 16
	return r, nil
}

func roundUp64(n, to uint64) uint64 { return (n + to - 1) / to * to }

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// Drop gives the memory back.
func (r *Rows) Drop() {
	for _, m := range []*[]cuda.Pointer{&r.memory, &r.centres.memory, &r.moves.memory, &r.moves.sumMemory, &r.moves.changeMemory, &r.near.memory} {
		give(m)
	}
}

// array returns where an array of the rows is, and its bytes.
func (r *Rows) array(a wire.Array) (at cuda.Pointer, size uint64) {
	n, k := uint64(r.n), uint64(r.centres.k)
	switch a {
	case wire.Values:
		return r.x, n * uint64(r.d) * uint64(r.width)
	case wire.Centres:
		return r.centres.at, k * uint64(r.d) * 8
	case wire.Labels:
		return r.label, n * 4
	case wire.Moves:
		return r.moves.list, uint64(r.moves.n) * wire.MoveSize
	case wire.Sums:
		return r.moves.sums, r.moves.sumsSize
	case wire.Near:
		return r.near.index, n * uint64(r.near.k) * 4
	case wire.Distances:
		return r.near.distance, n * uint64(r.near.k) * 8
	}
	return 0, 0
}

// part returns where bytes of an array are.
func (r *Rows) part(a wire.Array, at, size uint64) (cuda.Pointer, error) {
	p, all := r.array(a)
	if p == 0 || at > all || size > all-at {
		return 0, fmt.Errorf("bytes %d to %d of array %d, which has %d", at, at+size, a, all)
	}
	return p + cuda.Pointer(at), nil
}

// Fill copies part of an array to the GPU, from byte at on.
func (r *Rows) Fill(a wire.Array, at uint64, b []byte) error {
	p, err := r.part(a, at, uint64(len(b)))
	if err != nil {
		return err
	}
	if a == wire.Values {
		r.offset = nil
	}
	return cuda.Upload(p, b)
}

// Read copies part of an array from the GPU, from byte at on.
func (r *Rows) Read(a wire.Array, at uint64, b []byte) error {
	p, err := r.part(a, at, uint64(len(b)))
	if err != nil {
		return err
	}
	return cuda.Download(b, p)
}

// SetCentres makes room for k centres.
func (r *Rows) SetCentres(k int) error {
	if k < 1 || k > 1<<24 {
		return fmt.Errorf("centres must be 1 to %d, got %d", 1<<24, k)
	}
	c := &r.centres
	c.k = k
	padded := uint64(roundUp(k, 2*tileCentres))
	if int(padded) <= c.room {
		return nil
	}
	give(&c.memory)
	c.room = 0
	if err := take(&c.memory, block{&c.at, padded * uint64(r.d) * 8}, block{&c.image, padded * uint64(r.chunks) * chunkLen * 2}, block{&c.norm, padded * 4}, block{&c.lifted, padded * 4}); err != nil {
		return err
	}
	c.room = int(padded)
	return nil
}

// scaledTo is what the largest number of a centre in the image is to be: half precision ends at 65504, and rows
// may be further out. The longest centre in the image is to be between two others.
const (
	scaledTo  = 0x1p5
	shortest  = 0x1p1
	longest   = 0x1p13
	stateSize = 32 // bytes of struct Largest and how many rows are open
)

// prepare makes the image of the rows: the offset is the mean of the centres.
func (r *Rows) prepare() error {
	k := r.centres.k
	values, offset, top := make([]float64, k*r.d), make([]float64, r.d), 0.0
	if err := cuda.Download(values, r.centres.at); err != nil {
		return err
	}
	for i, y := range values {
		offset[i%r.d] += y / float64(k)
	}
	for i, y := range values {
		top = max(top, math.Abs(y-offset[i%r.d]))
	}
	r.offset, r.scale = offset, 1
	if top > 0 {
		_, e := math.Frexp(top)
		r.scale = math.Ldexp(scaledTo, max(-1000, min(1000, -e)))
	}
	if err := errors.Join(cuda.Upload(r.offsetAt, offset), cuda.Clear(r.farthest, 4)); err != nil {
		return err
	}
	return r.kernels.Launch(r.typed("roundRows"), (r.n+7)/8, 256, 0, r.x, uint64(r.n), int32(r.d), int32(r.chunks), r.offsetAt, r.scale, r.image, r.norms, r.farthest)
}

// typed returns the name of the kernel for the type of the rows' numbers.
func (r *Rows) typed(kernel string) string { return fmt.Sprint(kernel, 8*r.width) }

// provable returns 1 where no square of a scaled number that half precision can hold leaves
// the range of double precision when it is scaled back, so that the bound holds.
func (r *Rows) provable() int32 {
	if r.scale < 0x1p-450 || r.scale > 0x1p450 {
		return 0
	}
	return 1
}

// scores is struct Search of common.h.
type scores struct {
	rows, centres, norm, lifted cuda.Pointer
	norms, largest              cuda.Pointer
	n                           uint64
	tiles, chunks, d, spread    int32
	provable                    int32
	first                       uint32
	label, open                 cuda.Pointer
	openRow, openLimit          cuda.Pointer
	slots, found                cuda.Pointer
	room, _                     uint32
	minima                      cuda.Pointer
}

// Address makes it an argument of a kernel.
func (s *scores) Address() unsafe.Pointer { return unsafe.Pointer(s) }

// imageOf makes the image of k centres, which are at, and returns the scores to find. round is the kernel for their type.
func (r *Rows) imageOf(round string, at cuda.Pointer, c *centres) (*scores, error) {
	padded := roundUp(c.k, 2*tileCentres)
	err := cuda.Clear(r.largest, stateSize)
	if err == nil {
		err = r.kernels.Launch(round, padded, 128, 0, at, int32(c.k), int32(r.d), int32(r.chunks), r.offsetAt, r.scale, c.image, c.norm, r.largest)
	}
	if err == nil {
		err = r.kernels.Launch("liftNorms", (padded+127)/128, 128, 0, c.norm, int32(c.k), int32(padded), r.largest, r.farthest, c.lifted)
	}
	return &scores{rows: r.image, centres: c.image, norm: c.norm, lifted: c.lifted, norms: r.norms, largest: r.largest, n: uint64(r.n),
		tiles: int32(padded / tileCentres), chunks: int32(r.chunks), d: int32(r.d), spread: 32, provable: r.provable(),
		label: r.label, open: r.open, openRow: r.openRow, openLimit: r.openLimit, slots: r.slots, found: r.found, room: slots}, err
}

// Search labels every row with its nearest centre, and returns how many labels the scores
// left open.
func (r *Rows) Search() (open int, err error) {
	if r.centres.room == 0 {
		return 0, errors.New("there are no centres")
	}
	var s *scores
	for again := false; ; again = true {
		made := r.offset == nil
		if made {
			if err := r.prepare(); err != nil {
				return 0, err
			}
		}
		if s, err = r.imageOf("roundCentres64", r.centres.at, &r.centres); err != nil {
			return 0, err
		}
		if err := r.score("score", s); err != nil {
			return 0, err
		}
		var state [5]uint32
		if err := cuda.Download(state[:], r.largest); err != nil {
			return 0, err
		}
		open = int(state[4])
		if e := math.Float32frombits(state[0]); made || again || e >= shortest && e <= longest {
			break
		}
		r.offset = nil // it was made for other centres
	}
	for lo := 0; lo < open; lo += maxOpen {
		if err := r.decide(s, lo, min(maxOpen, open-lo)); err != nil {
			return open, err
		}
	}
	return open, nil
}

// score runs a kernel that scores rows: one for the GPU, with the memory that it has room for.
func (r *Rows) score(kernel string, s *scores) error {
	const half = tileRows / 2 * chunkLen * 2 // bytes of half a chunk of rows
	if err := r.kernels.Wait(); err != nil {
		return err
	}
	if h := r.kernels.scores; r.kernels.hopper {
		tiles, units := (int(s.n)+tileRows-1)/tileRows, r.gpu.Units
		if kept := (4*r.chunks + 5) * half; kept+2048 <= r.gpu.Shared {
			return h.Launch(kernel+"Kept90", min(tiles, units), 640, kept+1024, s)
		}
		return h.Launch(kernel+"Read90", 2*min(tiles, units/2), 384, 12*half+1024, s)
	}
	return r.scoreAnywhere(kernel, s)
}

// scoreAnywhere is score by the kernels for all GPUs.
func (r *Rows) scoreAnywhere(kernel string, s *scores) error {
	const rows, centres = tileRows * chunkLen * 2, tileCentres * chunkLen * 2
	name, shared := "ReadSmall", 2*(rows+centres)
	if kept := r.chunks*rows + 3*centres; kept <= r.gpu.Shared {
		name, shared = "Kept", kept
	} else if read := 3 * (rows + centres); read <= r.gpu.Shared {
		name, shared = "Read", read
	}
	return r.kernels.scores.Launch(kernel+name, (int(s.n)+tileRows-1)/tileRows, 256, shared, s)
}

// decide finds the labels of n open rows from the one at first on.
func (r *Rows) decide(s *scores, first, n int) error {
	some := *s
	some.n, some.first = uint64(n), uint32(first)
	if r.kernels.hopper {
		if err := r.kernels.Launch("gatherRows", (n*r.chunks*8+255)/256, 256, 0, &some, r.gathered); err != nil {
			return err
		}
		some.rows = r.gathered
	}
	if err := r.score("list", &some); err != nil {
		return err
	}
	return r.kernels.Launch(r.typed("decide"), (n+7)/8, 256, 0, r.x, r.centres.at, int32(r.centres.k), int32(r.d), &some)
}
