package lloyd

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/simd"
	"github.com/inklinghq/inkling/internal/numeric/device"
)

// onCores is a backend that searches on the cores, by the definition of the labels.
type onCores struct {
	rows     map[uint32]device.Numbers
	next     uint32
	searches int
	failAt   int // the search that fails; 0: none
	labels   []int32
	moves    []device.Move
}

func (b *onCores) Name() string { return "test" }
func (b *onCores) Close() error { return nil }
func (b *onCores) Drop(rows uint32) error {
	delete(b.rows, rows)
	return nil
}

func (b *onCores) Upload(_ context.Context, x device.Numbers, _ int) (uint32, error) {
	b.next++
	b.rows[b.next] = x
	return b.next, nil
}

func (b *onCores) Nearest(_ context.Context, rows uint32, k int, c []float64, anew bool, _ int) (int, []device.Move, error) {
	if b.searches++; b.searches == b.failAt {
		return 0, nil, errors.New("the bus was pulled")
	}
	x, d := b.rows[rows], len(c)/k
	row, labels := make([]float64, d), make([]int32, x.Len()/d)
	b.moves = b.moves[:0]
	for i := range labels {
		for f := range row {
			if x.F32 != nil {
				row[f] = float64(x.F32[i*d+f])
			} else {
				row[f] = x.F64[i*d+f]
			}
		}
		best := math.Inf(1)
		for h := range k {
			if y := simd.Dist2(row, c[h*d:(h+1)*d]); y < best {
				best, labels[i] = y, int32(h)
			}
		}
		from := int32(-1)
		if !anew && b.labels != nil {
			from = b.labels[i]
		}
		if from != labels[i] {
			b.moves = append(b.moves, device.Move{Row: int32(i), From: from, To: labels[i]})
		}
	}
	b.labels = labels
	return len(b.moves), b.moves, nil
}

func (b *onCores) Labels(_ context.Context, _ uint32, labels []int32) error {
	copy(labels, b.labels)
	return nil
}

func (b *onCores) AddMoves(context.Context, uint32, device.Sums, device.Sums, []int32, bool) error {
	return errors.New("sums are not kept here")
}

func (b *onCores) Neighbours(context.Context, uint32, int, []float64, []int32, []float64) error {
	return errors.New("neighbours are not found here")
}

// A run whose labels are found by a device has the bits of one on the cores, in either
// precision, with and without fixed labels, and where the device fails on the way.
func TestDeviceHasTheBitsOfTheCores(t *testing.T) {
	const n, d, k = 5000, 7, 11
	rng := rand.New(rand.NewPCG(5, 6))
	wide, single := make([]float64, n*d), make([]float32, n*d)
	for i := range wide {
		wide[i] = float64(i%k) + rng.NormFloat64()
		single[i] = float32(wide[i])
	}
	fixed := slices.Repeat([]int32{-1}, n)
	for i := 0; i < n; i += 50 {
		fixed[i] = int32(rng.IntN(k))
	}
	run := func(ctx context.Context, x data.Rows, fixed []int32) ([]int, float64) {
		t.Helper()
		first := NewCentres(k, d, slices.Clone(wide[:k*d]))
		r, err := Start(ctx, Space{Problem: &cluster.Problem{X: x, K: k}}, &cluster.Env{Workers: 3}, first, fixed)
		if err != nil {
			t.Fatal(err)
		}
		for range 12 {
			for _, s := range r.Stages() {
				if _, err := s.Do(ctx); err != nil {
					t.Fatal(err)
				}
			}
		}
		return r.Labels(), r.Tracked().Sum()
	}
	for _, x := range []data.Rows{&data.Dense{Cols: d, V: wide}, &data.Dense32{Cols: d, V: single}} {
		for _, fixed := range [][]int32{nil, fixed} {
			labels, cost := run(context.Background(), x, fixed)
			for _, failAt := range []int{0, 1, 4} {
				b := &onCores{rows: map[uint32]device.Numbers{}, failAt: failAt}
				dev := device.New(b, nil)
				if failAt > 0 {
					dev = device.Lazy(func(context.Context) (device.Backend, error) { return b, nil }, func(string) {}).All()
				}
				got, gotCost := run(device.With(context.Background(), dev), x, fixed)
				if !slices.Equal(got, labels) || gotCost != cost {
					t.Errorf("%T, fixed %v, failing at %d: labels or cost %v differ from those of the cores, %v", x, fixed != nil, failAt, gotCost, cost)
				}
				if b.searches < 2 && failAt != 1 || failAt > 0 && b.searches != failAt {
					t.Errorf("%T: the device was asked %d times, failing at %d", x, b.searches, failAt)
				}
			}
		}
	}
}
