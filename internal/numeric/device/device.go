// Package device is how nearest centres and neighbours are found elsewhere than on the cores. A fit that has a device in
// its context asks it for the labels of all rows, for the sums of the rows that have moved and for neighbours, and does
// everything else itself. Results have the same bits with and without: labels are those of simd.Dist2, the lowest on
// ties, and sums are those of simd.TwoSum in the order of the rows, on both.
package device

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"
)

// A Backend finds nearest centres. It serves one goroutine at a time.
type Backend interface {
	// Name is what people call it: "NVIDIA H200".
	Name() string
	// Upload keeps rows, n times d numbers in float32 or float64, and returns their number.
	Upload(ctx context.Context, x Numbers, d int) (uint32, error)
	// Nearest finds the nearest of the k centres c for every row of a set, and returns how many rows have other labels
	// than after the search before; anew: all rows, whatever they had. Where they are at most so many, and not more than
	// it can list, it returns them in the order of the rows.
	Nearest(ctx context.Context, rows uint32, k int, c []float64, anew bool, most int) (moved int, list []Move, err error)
	// Labels writes the labels of the last search.
	Labels(ctx context.Context, rows uint32, labels []int32) error
	// AddMoves adds what the last search has moved to the sums of clusters, as simd.TwoSum does, and writes what comes of
	// it to now, and how many rows more each cluster has. there: was is what it wrote last.
	AddMoves(ctx context.Context, rows uint32, was, now Sums, more []int32, there bool) error
	// Neighbours writes the k nearest other rows of every row and their squared distances, added up in the order of the
	// features. The first neighbour of a row that is left to the caller is -1. sample is some of the rows.
	Neighbours(ctx context.Context, rows uint32, k int, sample []float64, idx []int32, dist2 []float64) error
	// Drop forgets rows.
	Drop(rows uint32) error
	// Close ends the backend. It may be called while another call waits, which then fails.
	Close() error
}

// A Move is a row that has left the cluster From, -1: none, for To.
type Move struct{ Row, From, To int32 }

// Sums are those of clusters, one after the other, and their rounding errors.
type Sums struct{ Sum, Rest []float64 }

// Numbers are rows one after the other: one of the two is nil.
type Numbers struct {
	F32 []float32
	F64 []float64
}

// Len returns how many numbers there are.
func (x Numbers) Len() int { return len(x.F32) + len(x.F64) }

// Width returns how many bytes a number has.
func (x Numbers) Width() int {
	if x.F32 != nil {
		return 4
	}
	return 8
}

// Bytes returns the memory of x.
func (x Numbers) Bytes() []byte {
	if x.F32 != nil {
		return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x.F32))), 4*len(x.F32))
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x.F64))), 8*len(x.F64))
}

// slice returns numbers lo to hi.
func (x Numbers) slice(lo, hi int) Numbers {
	if x.F32 != nil {
		return Numbers{F32: x.F32[lo:hi]}
	}
	return Numbers{F64: x.F64[lo:hi]}
}

func (x Numbers) same(y Numbers) bool {
	if x.Len() != y.Len() || x.Len() == 0 || (x.F32 != nil) != (y.F32 != nil) {
		return false
	}
	if x.F32 != nil {
		return &x.F32[0] == &y.F32[0]
	}
	return &x.F64[0] == &y.F64[0]
}

// A Device is a backend with the rows that it has, and what becomes of its failures.
type Device struct {
	least float64                                    // work from which a search is worth it
	must  bool                                       // a failure ends the fit; otherwise the cores go on
	open  func(ctx context.Context) (Backend, error) // nil: it is open
	tell  func(string)

	mu      sync.Mutex
	backend Backend // nil: not open yet, or it failed
	kept    []*kept // the last used last
	lost    bool    // the backend failed and is not used any more
	failure error   // why, where that is an error of the fit
	fail    func(error)
	name    string
	passes  atomic.Int64
}

type kept struct {
	x      Numbers // held, so that its address stays its own
	number uint32
	found  *int32   // for whom its last search was
	sums   *float64 // where its last sums were written
}

// maxKept is how many sets of rows are kept: those of a fit and of its sample.
const maxKept = 3

// New returns a device whose every failure is an error of the fit that uses it; fail, if not
// nil, is called with it, to end what does not look at errors, and with nil by Close.
func New(b Backend, fail func(error)) *Device {
	return &Device{must: true, backend: b, name: b.Name(), fail: fail}
}

// Insists reports whether all searches that can be are to be done by the backend.
func (d *Device) Insists() bool { return d != nil && d.must }

// Failure returns the error of a device that had to be used; nil: there was none.
func (d *Device) Failure() error {
	if d == nil {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.failure
}

// Lazy returns a device that opens its backend for the first search that is worth it, and
// leaves smaller ones to the cores. Where the backend fails, tell is told once, and the
// cores go on; where open returns neither backend nor error, nobody is told.
func Lazy(open func(ctx context.Context) (Backend, error), tell func(string)) *Device {
	return &Device{open: open, tell: tell, least: leastWork}
}

// All makes every search worth it.
func (d *Device) All() *Device {
	d.least = 0
	return d
}

// Used returns the name of the backend and how many searches it has done.
func (d *Device) Used() (name string, searches int) { return d.name, int(d.passes.Load()) }

// Close ends it; nil has nothing to end.
func (d *Device) Close() error {
	if d == nil {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open, d.lost, d.kept = nil, true, nil
	if d.fail != nil {
		d.fail(nil)
	}
	if d.backend == nil {
		return nil
	}
	return d.backend.Close()
}

// leastWork is how many products of a row's number with a centre's make a search worth
// opening the GPU and sending the rows: about a second on the cores for twenty searches.
const leastWork = 1 << 36

// worth reports whether the backend is to be asked at all for so much work.
func (d *Device) worth(x Numbers, dim int, work float64) bool {
	return d != nil && dim > 0 && x.Len() > 0 && work >= d.least
}

// Moved is what a search has moved.
type Moved struct {
	Moves  []Move // nil: labels are written; otherwise only these differ
	Listed bool   // AddMoves adds what differs from the labels as they were, or all rows where that was asked for
}

// Nearest finds the nearest of the centres c for all rows of dim numbers in x, unless the cores are to do
// that: then done is false. It writes them to labels, or, unless whole, says which rows have moved since the last search
// with this memory for labels, if few have. anew: all rows are to count as moved.
func (d *Device) Nearest(ctx context.Context, x Numbers, dim int, c []float64, labels []int32, anew, whole bool) (m Moved, done bool, err error) {
	if dim == 0 || len(c) <= dim || !d.worth(x, dim, float64(x.Len())*float64(len(c)/dim)) {
		return m, false, nil
	}
	done, err = d.do(ctx, x, dim, func(k *kept) error {
		same, most := k.found == &labels[0] && !anew, 0
		if same && !whole {
			most = len(labels) / 4
		}
		moved, list, err := d.backend.Nearest(ctx, k.number, len(c)/dim, c, anew, most)
		if err != nil {
			return err
		}
		k.found, m.Listed = &labels[0], same || anew
		if same && !whole && moved == len(list) {
			m.Moves = append([]Move{}, list...)
			return nil
		}
		return d.backend.Labels(ctx, k.number, labels)
	})
	if !done || err != nil {
		return Moved{}, done, err
	}
	d.passes.Add(1)
	return m, true, nil
}

// AddMoves writes to now what the sums are after what the last search of x has moved, and how many rows more each
// cluster has, unless the cores are to do that: where another has searched x since the search for labels, too. same: was
// has not changed since AddMoves wrote it, if it did.
func (d *Device) AddMoves(ctx context.Context, x Numbers, dim int, labels []int32, was, now Sums, more []int32, same bool) (done bool, err error) {
	last := false
	done, err = d.do(ctx, x, dim, func(k *kept) error {
		if last = k.found == &labels[0]; !last {
			return nil
		}
		there := same && k.sums == &was.Sum[0]
		k.sums = nil
		err := d.backend.AddMoves(ctx, k.number, was, now, more, there)
		if err == nil {
			k.sums = &now.Sum[0]
		}
		return err
	})
	return done && last, err
}

// placedAtOnce is how many numbers Place has on the backend at a time.
const placedAtOnce = 1 << 28

// Place writes the nearest of the centres c to labels for all rows of dim numbers in x, some at a time, which are not
// kept, unless the cores are to do that.
func (d *Device) Place(ctx context.Context, x Numbers, dim int, c []float64, labels []int32) (done bool, err error) {
	if dim == 0 || len(c) <= dim || !d.worth(x, dim, float64(x.Len())*float64(len(c)/dim)) {
		return false, nil
	}
	for at, rows := 0, max(1, placedAtOnce/dim); at < len(labels); at += rows {
		part := labels[at:min(at+rows, len(labels))]
		done, err = d.do(ctx, x.slice(at*dim, (at+len(part))*dim), dim, func(k *kept) error {
			_, _, err := d.backend.Nearest(ctx, k.number, len(c)/dim, c, true, 0)
			if err == nil {
				err = d.backend.Labels(ctx, k.number, part)
			}
			if err == nil {
				err = d.drop(k)
			}
			return err
		})
		if !done || err != nil {
			return false, err
		}
		d.passes.Add(1)
	}
	return true, nil
}

// MostNeighbours is how many neighbours a device finds.
const MostNeighbours = 40

// Neighbours is Neighbours of the backend, unless the cores are to search.
func (d *Device) Neighbours(ctx context.Context, x Numbers, dim, k int, sample []float64, idx []int32, dist2 []float64) (done bool, err error) {
	n := x.Len() / max(1, dim)
	if k < 1 || k > MostNeighbours || k >= n || !d.worth(x, dim, float64(x.Len())*float64(n)) {
		return false, nil
	}
	done, err = d.do(ctx, x, dim, func(kept *kept) error {
		return d.backend.Neighbours(ctx, kept.number, k, sample, idx, dist2)
	})
	if done {
		d.passes.Add(1)
	}
	return done, err
}

// do has the backend do what f asks of the rows x, and says what becomes of a failure.
func (d *Device) do(ctx context.Context, x Numbers, dim int, f func(k *kept) error) (done bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.lost {
		return false, d.failure
	}
	if err = d.ask(ctx, x, dim, f); err == nil {
		return d.backend != nil, nil
	}
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	d.lost, d.kept = true, nil
	if d.backend != nil {
		d.backend.Close() //nolint:errcheck // it has failed already
	}
	if d.must {
		d.failure = fmt.Errorf("%s failed: %w", d.name, err)
		if d.fail != nil {
			d.fail(d.failure)
		}
		return false, d.failure
	}
	d.tell(fmt.Sprintf("The GPU is not used: %v.", err))
	return false, nil
}

func (d *Device) ask(ctx context.Context, x Numbers, dim int, f func(k *kept) error) (err error) {
	if d.backend == nil {
		if d.backend, err = d.open(ctx); err != nil {
			return err
		}
		if d.backend == nil {
			d.lost = true
			return nil
		}
		d.name = d.backend.Name()
	}
	k, err := d.upload(ctx, x, dim)
	if err != nil {
		return err
	}
	return f(k)
}

// upload returns the rows x, which it sends where they are not there yet.
func (d *Device) upload(ctx context.Context, x Numbers, dim int) (*kept, error) {
	for i, k := range d.kept {
		if k.x.same(x) {
			d.kept = append(append(d.kept[:i:i], d.kept[i+1:]...), k)
			return k, nil
		}
	}
	for len(d.kept) >= maxKept {
		if err := d.dropOldest(); err != nil {
			return nil, err
		}
	}
	for {
		number, err := d.backend.Upload(ctx, x, dim)
		if err == nil {
			k := &kept{x: x, number: number}
			d.kept = append(d.kept, k)
			return k, nil
		}
		if len(d.kept) == 0 || ctx.Err() != nil {
			return nil, err
		}
		if err := d.dropOldest(); err != nil { // it may have been memory
			return nil, err
		}
	}
}

func (d *Device) dropOldest() error { return d.drop(d.kept[0]) }

// drop forgets rows that are kept.
func (d *Device) drop(k *kept) error {
	d.kept = slices.DeleteFunc(d.kept, func(other *kept) bool { return other == k })
	return d.backend.Drop(k.number)
}

type key struct{}

// With returns a context whose fits use d.
func With(ctx context.Context, d *Device) context.Context { return context.WithValue(ctx, key{}, d) }

// From returns the device of a context; nil: there is none.
func From(ctx context.Context) *Device {
	d, _ := ctx.Value(key{}).(*Device)
	return d
}
