//go:build !purego

package simd

import "unsafe"

// tileRows is the number of rows that a scoring kernel takes at a time.
func (l Level) tileRows() int {
	if l == AVX512 {
		return 14
	}
	return 6
}

// registerBytes is the width of a register.
func (l Level) registerBytes() int {
	if l == AVX512 {
		return 64
	}
	return 32
}

// tile scores whole tiles of rows z against p; see gen for the kernels. It
// writes label, best and second for each row of the tiles.
func tile[T number](l Level, p *panels[T], z []T, d, tiles int, state []T, label []int32, best, second []T) {
	rows := tiles * l.tileRows()
	_, _, _, _ = z[rows*d-1], label[rows-1], best[rows-1], second[rows-1]
	stride := d * int(unsafe.Sizeof(z[0]))
	switch z := any(z).(type) {
	case []float32:
		p, state, best, second := any(p).(*panels[float32]), any(state).([]float32), any(best).([]float32), any(second).([]float32)
		if l == AVX512 {
			tile32z(&z[0], stride, d, tiles, &p.pan[0], &p.norm[0], p.full, p.half, &state[0], &label[0], &best[0], &second[0])
		} else {
			tile32y(&z[0], stride, d, tiles, &p.pan[0], &p.norm[0], p.full, p.half, &state[0], &label[0], &best[0], &second[0])
		}
	case []float64:
		p, state, best, second := any(p).(*panels[float64]), any(state).([]float64), any(best).([]float64), any(second).([]float64)
		if l == AVX512 {
			tile64z(&z[0], stride, d, tiles, &p.pan[0], &p.norm[0], p.full, p.half, &state[0], &label[0], &best[0], &second[0])
		} else {
			tile64y(&z[0], stride, d, tiles, &p.pan[0], &p.norm[0], p.full, p.half, &state[0], &label[0], &best[0], &second[0])
		}
	}
}

// shift writes (x − offset)·scale of each row to z and its Σ z² to norm.
func shift[T number](l Level, x []T, d int, offset []T, scale float64, z, norm []float32) {
	n := len(x) / d
	_, _, _ = offset[d-1], z[n*d-1], norm[n-1]
	switch x := any(x).(type) {
	case []float32:
		if l == AVX512 {
			shift32z(&x[0], d, n, &any(offset).([]float32)[0], float32(scale), &z[0], &norm[0])
		} else {
			shift32y(&x[0], d, n, &any(offset).([]float32)[0], float32(scale), &z[0], &norm[0])
		}
	case []float64:
		if l == AVX512 {
			shift64z(&x[0], d, n, &any(offset).([]float64)[0], scale, &z[0], &norm[0])
		} else {
			shift64y(&x[0], d, n, &any(offset).([]float64)[0], scale, &z[0], &norm[0])
		}
	}
}

// distRows measures row i of x, or the one row of x if once, to centre
// label[i]. Labels and lengths have been checked.
func distRows[T number](l Level, x []T, once bool, d int, label []int32, c, out []float64) {
	if l == Plain {
		plainDist(x, once, d, label, c, out)
		return
	}
	stride := d * int(unsafe.Sizeof(x[0]))
	if once {
		stride = 0
	}
	switch x := any(x).(type) {
	case []float32:
		if l == AVX512 {
			dist32z(&x[0], stride, d, &label[0], len(label), &c[0], &out[0])
		} else {
			dist32y(&x[0], stride, d, &label[0], len(label), &c[0], &out[0])
		}
	case []float64:
		if l == AVX512 {
			dist64z(&x[0], stride, d, &label[0], len(label), &c[0], &out[0])
		} else {
			dist64y(&x[0], stride, d, &label[0], len(label), &c[0], &out[0])
		}
	}
}

// sumRows adds w[i] times row i to sum label[i].
func sumRows[T number](l Level, x []T, d int, label []int32, w, sum []float64) {
	if l == Plain {
		plainSum(x, d, label, w, sum)
		return
	}
	stride := d * int(unsafe.Sizeof(x[0]))
	switch x := any(x).(type) {
	case []float32:
		if l == AVX512 {
			sum32z(&x[0], stride, d, &label[0], len(label), &w[0], &sum[0])
		} else {
			sum32y(&x[0], stride, d, &label[0], len(label), &w[0], &sum[0])
		}
	case []float64:
		if l == AVX512 {
			sum64z(&x[0], stride, d, &label[0], len(label), &w[0], &sum[0])
		} else {
			sum64y(&x[0], stride, d, &label[0], len(label), &w[0], &sum[0])
		}
	}
}

// settleRows is distRows and sumRows in one pass.
func settleRows[T number](l Level, x []T, d int, label []int32, c, out, w, sum []float64) {
	if l == Plain {
		plainDist(x, false, d, label, c, out)
		plainSum(x, d, label, w, sum)
		return
	}
	stride := d * int(unsafe.Sizeof(x[0]))
	switch x := any(x).(type) {
	case []float32:
		if l == AVX512 {
			settle32z(&x[0], stride, d, &label[0], len(label), &c[0], &out[0], &w[0], &sum[0])
		} else {
			settle32y(&x[0], stride, d, &label[0], len(label), &c[0], &out[0], &w[0], &sum[0])
		}
	case []float64:
		if l == AVX512 {
			settle64z(&x[0], stride, d, &label[0], len(label), &c[0], &out[0], &w[0], &sum[0])
		} else {
			settle64y(&x[0], stride, d, &label[0], len(label), &c[0], &out[0], &w[0], &sum[0])
		}
	}
}

// peakRun does turns turns and returns the number of operations that was: 12
// registers of float32 in each, a multiplication and an addition a lane.
func peakRun(l Level, turns int) float64 {
	switch l {
	case AVX512:
		peak32z(turns)
	case AVX2:
		peak32y(turns)
	default:
		return 0
	}
	return float64(turns) * 12 * 2 * float64(l.registerBytes()/4)
}
