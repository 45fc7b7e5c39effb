package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"unsafe"

	"github.com/inklinghq/inkling/cmd/inkling-gpu/internal/cuda"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

var opened struct {
	sync.Once
	gpu     *cuda.GPU
	kernels *cuda.Module
	err     error
}

func openGPU() {
	opened.Do(func() {
		if opened.gpu, opened.err = cuda.Open(); opened.err == nil {
			opened.kernels, opened.err = cuda.Load(searchPTX)
			runtime.UnlockOSThread()
		}
	})
}

// onGPU runs f on the thread that the GPU belongs to, or skips the test.
func onGPU(t *testing.T, f func(t *testing.T, g *cuda.GPU, m *cuda.Module)) {
	t.Helper()
	openGPU()
	if opened.gpu == nil {
		t.Skipf("there is no GPU to test: %v", opened.err)
	}
	if opened.err != nil {
		t.Fatal(opened.err)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := cuda.Enter(); err != nil {
		t.Fatal(err)
	}
	f(t, opened.gpu, opened.kernels)
}

func asBytes[T any](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*int(unsafe.Sizeof(s[0])))
}

// search labels rows on the GPU.
func search[T float32 | float64](t *testing.T, g *cuda.GPU, m *cuda.Module, x []T, d int, c []float64) (labels []int32, open int) {
	t.Helper()
	n := len(x) / d
	r, err := NewRows(g, m, n, d, int(unsafe.Sizeof(x[0])))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Drop()
	if err := r.Fill(0, asBytes(x)); err != nil {
		t.Fatal(err)
	}
	if err := r.SetCentres(len(c) / d); err != nil {
		t.Fatal(err)
	}
	if err := r.FillCentres(0, asBytes(c)); err != nil {
		t.Fatal(err)
	}
	if open, err = r.Search(); err != nil {
		t.Fatal(err)
	}
	labels = make([]int32, n)
	if err := r.Labels(0, asBytes(labels)); err != nil {
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

func compare[T float32 | float64](t *testing.T, g *cuda.GPU, m *cuda.Module, name string, x []T, d int, c []float64) {
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
	onGPU(t, func(t *testing.T, g *cuda.GPU, m *cuda.Module) {
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
	onGPU(t, func(t *testing.T, g *cuda.GPU, m *cuda.Module) {
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

// BenchmarkSearch measures one search with everything already on the GPU, and what share of
// its time the tensor cores (at 790 Tflop/s, as measured by a product of matrices on an H200)
// and the memory would take at the least.
func BenchmarkSearch(b *testing.B) {
	for _, c := range []struct{ n, d, k int }{{10e6, 128, 1024}, {2e6, 768, 1000}, {20e6, 32, 100}} {
		b.Run(fmt.Sprintf("%dx%d,k=%d", c.n, c.d, c.k), func(b *testing.B) {
			if openGPU(); opened.gpu == nil {
				b.Skip("there is no GPU")
			}
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			if err := cuda.Enter(); err != nil {
				b.Fatal(err)
			}
			x, centres := make([]float32, c.n*c.d), make([]float64, c.k*c.d)
			r := rand.New(rand.NewPCG(1, 2))
			for i := range centres {
				centres[i] = r.NormFloat64()
			}
			var wait sync.WaitGroup
			for w := range runtime.NumCPU() {
				wait.Go(func() {
					r := rand.New(rand.NewPCG(3, uint64(w)))
					for i := w; i < c.n; i += runtime.NumCPU() {
						h := r.IntN(c.k)
						for f := range c.d {
							x[i*c.d+f] = float32(centres[h*c.d+f] + r.NormFloat64())
						}
					}
				})
			}
			wait.Wait()
			rows, err := NewRows(opened.gpu, opened.kernels, c.n, c.d, 4)
			if err != nil {
				b.Fatal(err)
			}
			defer rows.Drop()
			if err := rows.Fill(0, asBytes(x)); err != nil {
				b.Fatal(err)
			}
			if err := rows.SetCentres(c.k); err != nil {
				b.Fatal(err)
			}
			if err := rows.FillCentres(0, asBytes(centres)); err != nil {
				b.Fatal(err)
			}
			open := 0
			if open, err = rows.Search(); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if open, err = rows.Search(); err != nil {
					b.Fatal(err)
				}
			}
			least := max(2*float64(c.n)*float64(c.d)*float64(c.k)/790e12, 4*float64(c.n)*float64(c.d)/4.3e12)
			b.ReportMetric(100*least/(b.Elapsed().Seconds()/float64(b.N)), "%roofline")
			b.ReportMetric(100*float64(open)/float64(c.n), "%open")
		})
	}
}
