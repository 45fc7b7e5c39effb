package main

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/inklinghq/inkling/cmd/inkling-gpu/internal/cuda"
	"github.com/inklinghq/inkling/internal/compute/simd"
	"github.com/inklinghq/inkling/internal/numeric/device/wire"
)

var opened struct {
	sync.Once
	gpu     *cuda.GPU
	kernels *Kernels
	any     *Kernels // those for all GPUs
	err     error
}

func openGPU() {
	opened.Do(func() {
		if opened.gpu, opened.err = cuda.Open(); opened.err == nil {
			opened.kernels, opened.any = LoadKernels(isHopper(opened.gpu)), LoadKernels(false)
			opened.err = cmp.Or(opened.kernels.Wait(), opened.any.Wait())
			runtime.UnlockOSThread()
		}
	})
}

// onGPU runs f with the kernels for the GPU and with those for all, or skips the test.
func onGPU(t *testing.T, f func(t *testing.T, g *cuda.GPU, m *Kernels)) {
	t.Helper()
	openGPU()
	if opened.gpu == nil {
		t.Skipf("there is no GPU to test: %v", opened.err)
	}
	if opened.err != nil {
		t.Fatal(opened.err)
	}
	if opened.kernels.hopper {
		t.Run("hopper", func(t *testing.T) { locked(t, opened.kernels, f) })
	}
	t.Run("any", func(t *testing.T) { locked(t, opened.any, f) })
}

func locked(t *testing.T, m *Kernels, f func(t *testing.T, g *cuda.GPU, m *Kernels)) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := cuda.Enter(); err != nil {
		t.Fatal(err)
	}
	f(t, opened.gpu, m)
}

func asBytes[T any](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*int(unsafe.Sizeof(s[0])))
}

// search labels rows on the GPU.
func search[T float32 | float64](t *testing.T, g *cuda.GPU, m *Kernels, x []T, d int, c []float64) (labels []int32, open int) {
	t.Helper()
	n := len(x) / d
	r, err := NewRows(g, m, n, d, int(unsafe.Sizeof(x[0])))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Drop()
	if err := r.Fill(wire.Values, 0, asBytes(x)); err != nil {
		t.Fatal(err)
	}
	if err := r.SetCentres(len(c) / d); err != nil {
		t.Fatal(err)
	}
	if err := r.Fill(wire.Centres, 0, asBytes(c)); err != nil {
		t.Fatal(err)
	}
	if open, err = r.Search(); err != nil {
		t.Fatal(err)
	}
	labels = make([]int32, n)
	if err := r.Read(wire.Labels, 0, asBytes(labels)); err != nil {
		t.Fatal(err)
	}
	return labels, open
}

// nearest labels rows by their definition.
func nearest[T float32 | float64](x []T, d int, c []float64) []int32 {
	n := len(x) / d
	labels := make([]int32, n)
	var wait sync.WaitGroup
	for w := range runtime.NumCPU() {
		wait.Go(func() {
			row := make([]float64, d)
			for i := w; i < n; i += runtime.NumCPU() {
				for f := range row {
					row[f] = float64(x[i*d+f])
				}
				best := math.Inf(1)
				for h := range len(c) / d {
					if y := simd.Dist2(row, c[h*d:(h+1)*d]); y < best {
						best, labels[i] = y, int32(h)
					}
				}
			}
		})
	}
	wait.Wait()
	return labels
}

func compare[T float32 | float64](t *testing.T, g *cuda.GPU, m *Kernels, name string, x []T, d int, c []float64) {
	t.Helper()
	got, open := search(t, g, m, x, d, c)
	wrong, first := 0, -1
	want := nearest(x, d, c)
	for i, h := range want {
		if got[i] != h {
			if wrong++; first < 0 {
				first = i
			}
		}
	}
	t.Logf("%s: %d rows of %d in float%d, %d centres: %d labels wrong, %d not proven by scores", name, len(want), d, 8*unsafe.Sizeof(x[0]), len(c)/d, wrong, open)
	if wrong > 0 {
		t.Errorf("%s: %d of %d labels are wrong, first row %d: got %d, want %d", name, wrong, len(want), first, got[first], want[first])
	}
}

// TestLabels compares labels with their definition on rows of every kind.
func TestLabels(t *testing.T) {
	onGPU(t, func(t *testing.T, g *cuda.GPU, m *Kernels) {
		r := rand.New(rand.NewPCG(7, 8))
		for _, c := range []struct {
			name           string
			n, d, k        int
			offset, spread float64
			between        float64 // share of rows halfway between two centres
			integers       bool
		}{
			{"plain", 20000, 128, 200, 0, 1, 0, false},
			{"one feature", 5000, 1, 7, 0, 1, .1, false},
			{"odd sizes", 10011, 101, 129, 0, 1, .1, false},
			{"two centres", 3001, 64, 2, 0, 1, .5, false},
			{"long rows", 5000, 768, 300, 0, 1, .1, false},
			{"very long rows", 500, 5000, 40, 0, 1, .1, false},
			{"many centres", 3000, 16, 5000, 0, 1, .1, false},
			{"ties", 20000, 32, 300, 0, 1, 0, true},
			{"far", 20000, 20, 100, 1e6, 1, .1, false},
			{"farther than float64 sees", 2000, 11, 37, 1e17, 1, .5, false},
			{"tiny", 5000, 30, 50, 0, 1e-30, .5, false},
			{"subnormal", 2000, 11, 37, 0, 5e-320, .5, false},
			{"huge", 5000, 30, 50, 0, 1e30, .5, false},
			{"squares overflow", 2000, 11, 37, 0, 1e200, .5, false},
		} {
			x, y := make([]float64, c.n*c.d), make([]float64, c.k*c.d)
			draw := func() float64 {
				if c.integers {
					return float64(r.IntN(2))
				}
				return c.offset + c.spread*r.NormFloat64()
			}
			for i := range y {
				y[i] = draw()
			}
			for i := range c.n {
				a, b, halfway := r.IntN(c.k), r.IntN(c.k), r.Float64() < c.between
				for f := range c.d {
					if x[i*c.d+f] = draw(); halfway {
						x[i*c.d+f] = y[a*c.d+f]/2 + y[b*c.d+f]/2
					}
				}
			}
			x[0] *= 1e9 // one row far out
			compare(t, g, m, c.name, x, c.d, y)
			x32, fits := make([]float32, len(x)), true
			for i, v := range x {
				x32[i] = float32(v)
				fits = fits && !math.IsInf(float64(x32[i]), 0)
			}
			if fits {
				compare(t, g, m, c.name, x32, c.d, y)
			}
		}
		same := make([]float32, 3000*40)
		for i := range same {
			same[i] = 3
		}
		c := make([]float64, 130*40)
		for i := range c {
			c[i] = 3
		}
		compare(t, g, m, "all the same", same, 40, c)
	})
}

// TestRandomShapes draws shapes and numbers with few digits, where ties are common.
func TestRandomShapes(t *testing.T) {
	onGPU(t, func(t *testing.T, g *cuda.GPU, m *Kernels) {
		r := rand.New(rand.NewPCG(9, 10))
		for i := range 60 {
			n, d, k := 1+r.IntN(3000), 1+r.IntN(300), 1+r.IntN(300)
			digits := math.Ldexp(1, r.IntN(20))
			x, c := make([]float32, n*d), make([]float64, k*d)
			for i := range x {
				x[i] = float32(math.Round(r.NormFloat64()*digits) / digits)
			}
			for i := range c {
				c[i] = math.Round(r.NormFloat64()*digits) / digits
			}
			compare(t, g, m, fmt.Sprint("shape ", i), x, d, c)
		}
	})
}

// upload makes rows of x on the GPU with room for centres c, if there are any.
func upload[T float32 | float64](t testing.TB, g *cuda.GPU, m *Kernels, x []T, d int, c []float64) *Rows {
	t.Helper()
	r, err := NewRows(g, m, len(x)/d, d, int(unsafe.Sizeof(x[0])))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Drop)
	fill(t, r, wire.Values, x)
	if err := r.SetCentres(len(c) / d); err != nil {
		t.Fatal(err)
	}
	fill(t, r, wire.Centres, c)
	return r
}

func fill[T any](t testing.TB, r *Rows, a wire.Array, s []T) {
	t.Helper()
	if err := r.Fill(a, 0, asBytes(s)); err != nil {
		t.Fatal(err)
	}
}

func read[T any](t testing.TB, r *Rows, a wire.Array, s []T) []T {
	t.Helper()
	if len(s) > 0 {
		if err := r.Read(a, 0, asBytes(s)); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// readSums reads sums and rounding errors, and how many rows more clusters have.
func readSums(t testing.TB, r *Rows, sums []float64) []int32 {
	t.Helper()
	all := read(t, r, wire.Sums, make([]byte, r.moves.sumsSize))
	copy(asBytes(sums), all)
	more := make([]int32, r.moves.clusters)
	copy(asBytes(more), all[8*len(sums):])
	return more
}

// TestSums compares sums of rows that move with those of package simd, to the bit.
func TestSums(t *testing.T) {
	onGPU(t, func(t *testing.T, g *cuda.GPU, m *Kernels) {
		r := rand.New(rand.NewPCG(11, 12))
		for _, shape := range []struct{ n, d, k int }{{20000, 24, 9}, {5000, 130, 300}, {70001, 3, 2}, {3000, 1, 40}} {
			x32, x64, c := make([]float32, shape.n*shape.d), make([]float64, shape.n*shape.d), make([]float64, shape.k*shape.d)
			for i := range x32 {
				x32[i] = float32(math.Ldexp(r.NormFloat64(), r.IntN(60)-30))
				x64[i] = math.Ldexp(r.NormFloat64(), r.IntN(60)-30)
			}
			compareSums(t, g, m, x32, shape.d, c, simd.AddCompensated32)
			compareSums(t, g, m, x64, shape.d, c, simd.AddCompensated64)
		}
	})
}

func compareSums[T float32 | float64](t *testing.T, g *cuda.GPU, m *Kernels, x []T, d int, c []float64, add func(sum, rest []float64, d, lo, hi int, x []T, row, label []int32, w []float64)) {
	t.Helper()
	n, k := len(x)/d, len(c)/d
	r := upload(t, g, m, x, d, c)
	sums, want := make([]float64, 2*k*d), make([]float64, 2*k*d)
	labels, random := make([]int32, n), rand.New(rand.NewPCG(5, 6))
	for i := range labels {
		labels[i] = -1
	}
	for step := range 4 {
		for i := range c { // as in a fit, most rows move at first and few later
			c[i] += random.NormFloat64() * math.Pow(.1, float64(step)) * 1e5
		}
		fill(t, r, wire.Centres, c)
		if _, err := r.Search(); err != nil {
			t.Fatal(err)
		}
		moved, err := r.Moves(step == 0)
		if err != nil {
			t.Fatal(err)
		}
		now, list := read(t, r, wire.Labels, make([]int32, n)), read(t, r, wire.Moves, make([][3]int32, moved))
		var row, label []int32
		var w []float64
		for i, h := range now {
			if was := labels[i]; h != was {
				if len(list) == 0 || list[0] != [3]int32{int32(i), was, h} {
					t.Fatalf("move %d to %d of row %d is not the next of the list", was, h, i)
				}
				list = list[1:]
				if was >= 0 {
					row, label, w = append(row, int32(i)), append(label, was), append(w, -1)
				}
				row, label, w = append(row, int32(i)), append(label, h), append(w, 1)
			}
		}
		labels = now
		if moved == 0 {
			continue
		}
		add(want[:k*d], want[k*d:], d, 0, d, x, row, label, w)
		if err := r.SetSums(k); err != nil {
			t.Fatal(err)
		}
		if step != 2 { // they are there
			fill(t, r, wire.Sums, sums)
		}
		if err := r.AddMoves(); err != nil {
			t.Fatal(err)
		}
		more := readSums(t, r, sums)
		for h := range more {
			for j, to := range label {
				if int(to) == h {
					more[h] -= int32(w[j])
				}
			}
			if more[h] != 0 {
				t.Fatalf("cluster %d has %d rows too many", h, more[h])
			}
		}
		wrong := 0
		for i, y := range want {
			if math.Float64bits(y) != math.Float64bits(sums[i]) {
				wrong++
			}
		}
		t.Logf("%d x %d, %d clusters, %d moves: %d of %d sums are wrong", n, d, k, moved, wrong, len(want))
		if wrong > 0 {
			t.Errorf("%d of %d sums are wrong", wrong, len(want))
		}
	}
}

// TestNeighbours compares neighbours with all distances.
func TestNeighbours(t *testing.T) {
	onGPU(t, func(t *testing.T, g *cuda.GPU, m *Kernels) {
		r := rand.New(rand.NewPCG(13, 14))
		for _, shape := range []struct{ n, d, k, levels int }{{5000, 128, 10, 0}, {3001, 17, 1, 0}, {2000, 300, 40, 0}, {4000, 3, 12, 8}, {700, 900, 5, 0}, {41, 2, 40, 0}, {6000, 20, 10, 1}} {
			x32, x64 := make([]float32, shape.n*shape.d), make([]float64, shape.n*shape.d)
			for i := range x32 {
				x64[i] = r.NormFloat64()
				if shape.levels > 0 {
					x64[i] = float64(r.IntN(shape.levels + 1))
				}
				x32[i] = float32(x64[i])
			}
			compareNeighbours(t, g, m, x32, shape.d, shape.k)
			compareNeighbours(t, g, m, x64, shape.d, shape.k)
		}
	})
}

func compareNeighbours[T float32 | float64](t *testing.T, g *cuda.GPU, m *Kernels, x []T, d, k int) {
	t.Helper()
	n := len(x) / d
	sample := make([]float64, min(n, 512)*d)
	for i := range len(sample) / d {
		for f := range d {
			sample[i*d+f] = float64(x[i*(n/(len(sample)/d))*d+f])
		}
	}
	r := upload(t, g, m, x, d, sample)
	if err := r.Neighbours(k); err != nil {
		t.Fatal(err)
	}
	idx, dist := read(t, r, wire.Near, make([]int32, n*k)), read(t, r, wire.Distances, make([]float64, n*k))
	wrong, left := 0, 0
	type pair struct {
		y float64
		j int32
	}
	for i := range n {
		if idx[i*k] < 0 {
			left++
			continue
		}
		if i%7 != 0 {
			continue
		}
		var all []pair
		for j := range n {
			s := 0.0
			for f := range d {
				e := float64(x[i*d+f]) - float64(x[j*d+f])
				s += float64(e * e)
			}
			if j != i {
				all = append(all, pair{s, int32(j)})
			}
		}
		slices.SortFunc(all, func(a, b pair) int { return cmp.Or(cmp.Compare(a.y, b.y), cmp.Compare(a.j, b.j)) })
		for q := range k {
			if idx[i*k+q] != all[q].j || dist[i*k+q] != all[q].y {
				wrong++
			}
		}
	}
	t.Logf("%d x %d, %d neighbours in float%d: %d wrong of a seventh, %d rows left to the cores", n, d, k, 8*unsafe.Sizeof(x[0]), wrong, left)
	if wrong > 0 {
		t.Errorf("%d neighbours are wrong", wrong)
	}
}

// The rates of an H200 that shares are of: of a product of matrices in half precision, and of a copy.
const tensorRate, memoryRate = 790e12, 4.3e12

// draw makes n rows around k centres.
func draw(n, d, k int) (x []float32, centres []float64) {
	x, centres = make([]float32, n*d), make([]float64, k*d)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range centres {
		centres[i] = r.NormFloat64()
	}
	var wait sync.WaitGroup
	for w := range runtime.NumCPU() {
		wait.Go(func() {
			r := rand.New(rand.NewPCG(3, uint64(w)))
			for i := w; i < n; i += runtime.NumCPU() {
				h := r.IntN(k)
				for f := range d {
					x[i*d+f] = float32(centres[h*d+f] + r.NormFloat64())
				}
			}
		})
	}
	wait.Wait()
	return x, centres
}

// pinned returns memory that the GPU reads and writes directly.
func pinned[T any](b *testing.B, n int) []T {
	var t T
	m, err := cuda.HostMemory(n * int(unsafe.Sizeof(t)))
	if err != nil {
		b.Fatal(err)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&m[0])), n)
}

// onThread runs a benchmark on the thread that the GPU belongs to.
func onThread(b *testing.B, f func(b *testing.B)) {
	if openGPU(); opened.gpu == nil || opened.err != nil {
		b.Skip("there is no GPU")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := cuda.Enter(); err != nil {
		b.Fatal(err)
	}
	f(b)
}

// BenchmarkIteration measures iterations of k-means with the rows on the GPU: centres to it, nearest centres,
// rows that have moved, their sums and these back; centres are means on the cores.
// What share of the time the tensor cores, as a product of matrices has them on an H200, and the memory take at the least
// is reported beside it, as are the search alone and the first sums, of all rows.
func BenchmarkIteration(b *testing.B) {
	for _, c := range []struct{ n, d, k int }{{10e6, 128, 1024}, {2e6, 768, 1000}, {20e6, 32, 100}} {
		b.Run(fmt.Sprintf("%dx%d,k=%d", c.n, c.d, c.k), func(b *testing.B) {
			onThread(b, func(b *testing.B) {
				x, centres := draw(c.n, c.d, c.k)
				rows := upload(b, opened.gpu, opened.kernels, x, c.d, centres)
				all, count := pinned[byte](b, 16*c.k*c.d+4*c.k), make([]int, c.k)
				clear(all)
				sums, more := unsafe.Slice((*float64)(unsafe.Pointer(&all[0])), 2*c.k*c.d), unsafe.Slice((*int32)(unsafe.Pointer(&all[16*c.k*c.d])), c.k)
				centres = append(pinned[float64](b, c.k*c.d)[:0], centres...)
				for h := range c.k { // rows as first centres
					for f := range c.d {
						centres[h*c.d+f] = float64(x[(h*(c.n/c.k))*c.d+f])
					}
				}
				open, moved, there, searching, summing := 0, 0, false, time.Duration(0), time.Duration(0)
				iterate := func() {
					start := time.Now()
					fill(b, rows, wire.Centres, centres)
					var err error
					if open, err = rows.Search(); err != nil {
						b.Fatal(err)
					}
					if err := cuda.Wait(); err != nil {
						b.Fatal(err)
					}
					searching = time.Since(start)
					if moved, err = rows.Moves(false); err != nil {
						b.Fatal(err)
					}
					if moved == 0 {
						return
					}
					if err := rows.SetSums(c.k); err != nil {
						b.Fatal(err)
					}
					if !there {
						fill(b, rows, wire.Sums, sums)
					}
					there = true
					if err := rows.AddMoves(); err != nil {
						b.Fatal(err)
					}
					read(b, rows, wire.Sums, all)
					summing = time.Since(start) - searching
					var wait sync.WaitGroup
					for w := range runtime.NumCPU() {
						wait.Go(func() {
							for h := w; h < c.k; h += runtime.NumCPU() {
								if count[h] += int(more[h]); count[h] > 0 {
									for f := range c.d {
										centres[h*c.d+f] = sums[h*c.d+f] / float64(count[h])
									}
								}
							}
						})
					}
					wait.Wait()
				}
				least := max(2*float64(c.n)*float64(c.d)*float64(c.k)/tensorRate, 4*float64(c.n)*float64(c.d)/memoryRate)
				iterate() // makes the image
				clear(all)
				clear(count)
				there = false
				if err := cuda.Fill(rows.moves.was, 0xFF, uint64(c.n)*4); err != nil {
					b.Fatal(err)
				}
				iterate()
				first := summing
				b.ResetTimer()
				var search time.Duration
				for range b.N {
					iterate()
					search += searching
				}
				each := b.Elapsed().Seconds() / float64(b.N)
				b.ReportMetric(100*least/each, "%roofline")
				b.ReportMetric(1000*search.Seconds()/float64(b.N), "ms/search")
				b.ReportMetric(100*least/(search.Seconds()/float64(b.N)), "%roofline/search")
				b.ReportMetric(1000*first.Seconds(), "ms/first-sums")
				b.ReportMetric(100*float64(open)/float64(c.n), "%open")
				b.ReportMetric(100*float64(moved)/float64(c.n), "%moved")
			})
		})
	}
}

// BenchmarkNeighbours measures 10 neighbours with the way of the rows to the GPU and of the neighbours back.
func BenchmarkNeighbours(b *testing.B) {
	onThread(b, func(b *testing.B) {
		const n, d, k = 1e6, 128, 10
		x, centres := draw(n, d, 1000)
		idx, dist, left := make([]int32, n*k), make([]float64, n*k), 0
		b.ResetTimer()
		for range b.N {
			rows := upload(b, opened.gpu, opened.kernels, x, d, centres)
			if err := rows.Neighbours(k); err != nil {
				b.Fatal(err)
			}
			read(b, rows, wire.Near, idx)
			read(b, rows, wire.Distances, dist)
			rows.Drop()
		}
		for i := range int(n) {
			if idx[i*k] < 0 {
				left++
			}
		}
		b.ReportMetric(float64(left), "left-rows")
	})
}
