//go:build !amd64 || purego

package simd

// tile and shift are never called where Plain is the only level.
func tile[T number](Level, *panels[T], *scratch[T], int, int, bool, uintptr, int) {
	panic("simd: no scoring kernel in this build")
}

func shift[T number](Level, []T, int, *scorer[T], *scratch[float32]) {
	panic("simd: no scoring kernel in this build")
}

func distRows[T number](_ Level, x []T, once bool, d int, label []int32, c, out []float64) {
	plainDist(x, once, d, label, c, out)
}

func peakRun(Level, int) float64 { return 0 }

// sketch is never called where Plain is the only level.
func sketch([]int32, []float64, []float32, int, []float32) {
	panic("simd: no kernel for sparse rows in this build")
}

func tileInt(*Centres, *intCentres, *step, *scratch[float32], *intScratch, int, int, int, uintptr, int) {
	panic("simd: no scoring kernel in this build")
}

func roundRows([]float32, int, int, float32, []int16, int, []float32) {
	panic("simd: no scoring kernel in this build")
}

func scoreRounded(*Centres, *intCentres, *step, []int16, []float32, []float32, *intScratch, int, int, int, uintptr, int) {
	panic("simd: no scoring kernel in this build")
}

func compensatedRows[T number](Level, []T, int, int, []int32, []int32, []float64, []float64, []float64) {
	panic("simd: no kernel for kept sums in this build")
}

func innerv(x, y *float64, n int) float64 { panic("simd: no kernel in this build") }

func innerAddv(x, u, y *float64, a float64, n int) float64 { panic("simd: no kernel in this build") }

func addv(y, x *float64, a float64, n int) { panic("simd: no kernel in this build") }

func add4v(y, x0, x1, x2, x3, f *float64, n int) { panic("simd: no kernel in this build") }

func turnv(x, v, w *float64, a, b float64, n int) { panic("simd: no kernel in this build") }

func rotatev(x, y *float64, c, s float64, n int) { panic("simd: no kernel in this build") }

func butterfliesv(a, turn *complex128, half, n int) { panic("simd: no kernel in this build") }

func gather4v(y *float64, to *int32, w *float64, n int, x *float64, stride int) {
	panic("simd: no kernel in this build")
}

func gather8v(y *float64, to *int32, w *float64, n int, x *float64, stride int) {
	gather4v(y, to, w, n, x, stride)
}

func gather12v(y *float64, to *int32, w *float64, n int, x *float64, stride int) {
	gather4v(y, to, w, n, x, stride)
}

func gather16v(y *float64, to *int32, w *float64, n int, x *float64, stride int) {
	gather4v(y, to, w, n, x, stride)
}

func gather20v(y *float64, to *int32, w *float64, n int, x *float64, stride int) {
	gather4v(y, to, w, n, x, stride)
}

func gather24v(y *float64, to *int32, w *float64, n int, x *float64, stride int) {
	gather4v(y, to, w, n, x, stride)
}

func gather28v(y *float64, to *int32, w *float64, n int, x *float64, stride int) {
	gather4v(y, to, w, n, x, stride)
}

func gather32v(y *float64, to *int32, w *float64, n int, x *float64, stride int) {
	gather4v(y, to, w, n, x, stride)
}

func sketchInt([]int32, []int16, []int16, int, []float32, float32, float32, float32, []float32) (float32, uint32) {
	panic("simd: no kernel for sparse rows in this build")
}

func carriesv(x *float64, mask, one uint64, n int) uint64 { panic("simd: no kernel in this build") }

func step8v(next, b, x *float32, start *int, to *int32, w *float32, n int, f *float32) {
	panic("simd: no kernel in this build")
}

func step16v(next, b, x *float32, start *int, to *int32, w *float32, n int, f *float32) {
	step8v(next, b, x, start, to, w, n, f)
}

func pullv(pull, own, at *float64, start, to *int32, w *float32, n int, f *float64) {
	panic("simd: no kernel in this build")
}
