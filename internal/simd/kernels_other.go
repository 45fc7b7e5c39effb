//go:build !amd64 || purego

package simd

func detect() Level { return Plain }

func (l Level) tileRows() int      { return 1 }
func (l Level) registerBytes() int { return 8 }

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

func sumRows[T number](_ Level, x []T, d int, label []int32, w, sum []float64) {
	plainSum(x, d, label, w, sum)
}

func settleRows[T number](_ Level, x []T, d int, label []int32, c, out, w, sum []float64) {
	plainDist(x, false, d, label, c, out)
	plainSum(x, d, label, w, sum)
}

func peakRun(Level, int) float64 { return 0 }

// sketch is never called where Plain is the only level.
func sketch([]int32, []float64, []float32, int, []float32) {
	panic("simd: no kernel for sparse rows in this build")
}

func tileWhole(*Centres, *integers, *step, *scratch[float32], *wholeScratch, int, int, int, uintptr, int) {
	panic("simd: no scoring kernel in this build")
}

func groupRows[T number]([]T, int, []int32, []int32, []float64, []float64, []float64) {
	panic("simd: no kernel for groups of rows in this build")
}
