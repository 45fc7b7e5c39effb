// Package device is how nearest centres are found elsewhere than on the cores. A fit that has a device in its context asks it for the labels
// of all rows and does everything else itself, so that results have the same bits with and
// without: labels are those of simd.Dist2, the lowest on ties, on both.
package device

import (
	"context"
	"fmt"
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
	// Nearest writes the nearest of the k centres c to labels, for every row of a set.
	Nearest(ctx context.Context, rows uint32, k int, c []float64, labels []int32) error
	// Drop forgets rows.
	Drop(rows uint32) error
	// Close ends the backend. It may be called while another call waits, which then fails.
	Close() error
}

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
	kept    []kept  // the last used last
	lost    bool    // the backend failed and is not used any more
	failure error   // why, where that is an error of the fit
	fail    func(error)
	name    string
	passes  atomic.Int64
}

type kept struct {
	x      Numbers // held, so that its address stays its own
	number uint32
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

// Nearest writes the nearest of the centres c to labels for all rows of dim numbers in x,
// unless the cores are to do that: then done is false.
func (d *Device) Nearest(ctx context.Context, x Numbers, dim int, c []float64, labels []int32) (done bool, err error) {
	if d == nil || dim == 0 || x.Len() == 0 || len(c) <= dim {
		return false, nil
	}
	if float64(x.Len())*float64(len(c)/dim) < d.least {
		return false, nil
	}
	if err := ctx.Err(); err != nil {
		return false, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.lost {
		return false, d.failure
	}
	if err = d.search(ctx, x, dim, c, labels); err == nil {
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

func (d *Device) search(ctx context.Context, x Numbers, dim int, c []float64, labels []int32) (err error) {
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
	number, err := d.upload(ctx, x, dim)
	if err == nil {
		err = d.backend.Nearest(ctx, number, len(c)/dim, c, labels)
	}
	if err == nil {
		d.passes.Add(1)
	}
	return err
}

// upload returns the number of the rows x, which it sends where they are not there yet.
func (d *Device) upload(ctx context.Context, x Numbers, dim int) (uint32, error) {
	for i, k := range d.kept {
		if k.x.same(x) {
			d.kept = append(append(d.kept[:i:i], d.kept[i+1:]...), k)
			return k.number, nil
		}
	}
	for len(d.kept) >= maxKept {
		if err := d.dropOldest(); err != nil {
			return 0, err
		}
	}
	for {
		number, err := d.backend.Upload(ctx, x, dim)
		if err == nil {
			d.kept = append(d.kept, kept{x, number})
			return number, nil
		}
		if len(d.kept) == 0 || ctx.Err() != nil {
			return 0, err
		}
		if err := d.dropOldest(); err != nil { // it may have been memory
			return 0, err
		}
	}
}

func (d *Device) dropOldest() error {
	number := d.kept[0].number
	d.kept = d.kept[1:]
	return d.backend.Drop(number)
}

type key struct{}

// With returns a context whose fits use d.
func With(ctx context.Context, d *Device) context.Context { return context.WithValue(ctx, key{}, d) }

// From returns the device of a context; nil: there is none.
func From(ctx context.Context) *Device {
	d, _ := ctx.Value(key{}).(*Device)
	return d
}
