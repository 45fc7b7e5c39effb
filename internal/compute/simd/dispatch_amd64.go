//go:build !purego

package simd

import "unsafe"

// tile scores whole tiles of rows z against p; see gen for the kernels. It
// writes the label of each row, -1 where the margin t.need does not prove it;
// or, with t.best and t.second, every label and the two best scores. Meanwhile
// it fetches the given bytes from ahead on into the cache.
func tile[T number](l Level, p *panels[T], t *scratch[T], d, tiles int, scores bool, ahead uintptr, bytes int) {
	rows := tiles * l.tileRows()
	_, _, _ = t.z[rows*d-1], t.label[rows-1], t.need[rows-1]
	size := int(unsafe.Sizeof(t.z[0]))
	var best, second *T
	if scores {
		_, _ = t.best[rows-1], t.second[rows-1]
		best, second = &t.best[0], &t.second[0]
	}
	block, blocks := featureBlock(d, size)
	_ = t.part[rows/tiles*(2*p.full+p.half)*l.registerBytes()/size-1]
	step := 0
	if turns := tiles * (p.full + p.half) * blocks * (block / 4); bytes > 0 && turns > 0 {
		step = min(bytes/turns+1, 2*64)
	} else {
		ahead = uintptr(unsafe.Pointer(&t.z[0])) // near by: nothing to fetch
	}
	switch t := any(t).(type) {
	case *scratch[float32]:
		p, best, second := any(p).(*panels[float32]), any(best).(*float32), any(second).(*float32)
		if l >= AVX512 {
			tile32z(&t.z[0], d*size, d, tiles, &p.pan[0], &p.norm[0], p.full, p.half, &t.state[0], &t.need[0], &t.label[0], best, second, ahead, step, block, &t.part[0])
		} else {
			tile32y(&t.z[0], d*size, d, tiles, &p.pan[0], &p.norm[0], p.full, p.half, &t.state[0], &t.need[0], &t.label[0], best, second, ahead, step, block, &t.part[0])
		}
	case *scratch[float64]:
		p, best, second := any(p).(*panels[float64]), any(best).(*float64), any(second).(*float64)
		if l >= AVX512 {
			tile64z(&t.z[0], d*size, d, tiles, &p.pan[0], &p.norm[0], p.full, p.half, &t.state[0], &t.need[0], &t.label[0], best, second, ahead, step, block, &t.part[0])
		} else {
			tile64y(&t.z[0], d*size, d, tiles, &p.pan[0], &p.norm[0], p.full, p.half, &t.state[0], &t.need[0], &t.label[0], best, second, ahead, step, block, &t.part[0])
		}
	}
}

// featureBlock cuts d features of size bytes into blocks of nearly equal
// length, so that the rows of a tile take no more than a third of a first cache
// of 48 kB.
func featureBlock(d, size int) (block, blocks int) {
	most := 1024 / size
	if d <= most+most/2 {
		return d, 1
	}
	blocks = (d + most - 1) / most
	return (d + blocks - 1) / blocks, blocks
}

// shift writes (x − offset)·scale of each row to t.z, its Σ z² to t.norm and
// the margin that proves its label to t.need.
func shift[T number](l Level, x []T, d int, s *scorer[T], t *scratch[float32]) {
	n := len(x) / d
	_, _, _, _ = s.offset[d-1], t.z[n*d-1], t.norm[n-1], t.need[n-1]
	a, b, c := s.margin.single()
	switch x := any(x).(type) {
	case []float32:
		offset := any(s.offset).([]float32)
		if l >= AVX512 {
			shift32z(&x[0], d, n, &offset[0], float32(s.scale), &t.z[0], &t.norm[0], &t.need[0], a, b, c)
		} else {
			shift32y(&x[0], d, n, &offset[0], float32(s.scale), &t.z[0], &t.norm[0], &t.need[0], a, b, c)
		}
	case []float64:
		offset := any(s.offset).([]float64)
		if l >= AVX512 {
			shift64z(&x[0], d, n, &offset[0], s.scale, &t.z[0], &t.norm[0], &t.need[0], a, b, c)
		} else {
			shift64y(&x[0], d, n, &offset[0], s.scale, &t.z[0], &t.norm[0], &t.need[0], a, b, c)
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
		if l >= AVX512 {
			dist32z(&x[0], stride, d, &label[0], len(label), &c[0], &out[0])
		} else {
			dist32y(&x[0], stride, d, &label[0], len(label), &c[0], &out[0])
		}
	case []float64:
		if l >= AVX512 {
			dist64z(&x[0], stride, d, &label[0], len(label), &c[0], &out[0])
		} else {
			dist64y(&x[0], stride, d, &label[0], len(label), &c[0], &out[0])
		}
	}
}

// peakRun does turns turns and returns the number of operations that was: 12
// registers of float32 in each, a multiplication and an addition a lane.
func peakRun(l Level, turns int) float64 {
	switch l {
	case AVX512, VNNI:
		peak32z(turns)
	case AVX2:
		peak32y(turns)
	default:
		return 0
	}
	return float64(turns) * 12 * 2 * float64(l.registerBytes()/4)
}

// sketch multiplies a sparse row with width centres, a multiple of eight, in
// float32, up to 32 of them in one walk.
func sketch(idx []int32, val []float64, c []float32, width int, out []float32) {
	stride := 4 * width
	for lo := 0; lo < width; lo += 32 {
		i, v, n, from, to := &idx[0], &val[0], len(idx), &c[lo], &out[lo]
		switch min(4, (width-lo)/8) {
		case 4:
			sketch32(i, v, n, from, stride, to)
		case 3:
			sketch24(i, v, n, from, stride, to)
		case 2:
			sketch16(i, v, n, from, stride, to)
		default:
			sketch8(i, v, n, from, stride, to)
		}
	}
}

// tileInt rounds m rows of z to multiples of s.unit and scores whole tiles of
// them. It writes the best scores, what they must differ by, and the labels, -1
// where they differ by less.
func tileInt(c *Centres, w *intCentres, s *step, z *scratch[float32], t *intScratch, m, tiles, stride int, ahead uintptr, bytes int) {
	_, _, _ = z.z[m*c.d-1], t.q[m*stride/2-1], t.rest[m-1]
	round16z(&z.z[0], c.d, m, s.inverse, s.unit, &t.q[0], stride, &t.rest[0])
	scoreRounded(c, w, s, t.q, z.norm, t.rest, t, m, tiles, stride, ahead, bytes)
}

// roundRows rounds n rows of z to multiples of unit.
func roundRows(z []float32, d, n int, unit float32, q []int16, stride int, rest []float32) {
	_, _, _ = z[n*d-1], q[n*stride/2-1], rest[n-1]
	round16z(&z[0], d, n, 1/unit, unit, &q[0], stride, &rest[0])
}

// scoreRounded is tileInt for m rows that are rounded already.
func scoreRounded(c *Centres, w *intCentres, s *step, q []int16, norm, rest []float32, t *intScratch, m, tiles, stride int, ahead uintptr, bytes int) {
	pairs := (c.d + 1) / 2
	rows := tiles * c.level.tileRows()
	_, _, _ = q[rows*stride/2-1], norm[:m+15], rest[:m+15]
	_, _, _, _ = t.need[m+15], t.best[max(m+15, rows-1)], t.second[max(m+15, rows-1)], t.label[m+15]
	step := 0
	if turns := tiles * (w.full + w.half) * (pairs / 4); bytes > 0 && turns > 0 {
		step = min(bytes/turns+1, 2*64)
	} else {
		ahead = uintptr(unsafe.Pointer(&q[0])) // near by: nothing to fetch
	}
	whole16z(&q[0], stride, pairs, tiles, &w.pan[0], &s.start[0], &w.number[0], w.mask, w.full, w.half, &t.state[0], &t.best[0], &t.second[0], ahead, step)
	prove16z(m, &t.best[0], &t.second[0], &norm[0], &rest[0], w.mask, s.limit, s.a, s.b, s.c, s.r, &t.label[0], &t.need[0])
}

// compensatedRows adds features f to f+8 of listed rows to sums of two numbers.
func compensatedRows[T number](l Level, x []T, d, f int, row, label []int32, w, sum, rest []float64) {
	stride := d * int(unsafe.Sizeof(x[0]))
	switch x := any(x).(type) {
	case []float32:
		if l >= AVX512 {
			kept32z(&x[f], stride, &row[0], &label[0], len(label), &w[0], &sum[f], &rest[f], 8*d)
		} else {
			kept32y(&x[f], stride, &row[0], &label[0], len(label), &w[0], &sum[f], &rest[f], 8*d)
		}
	case []float64:
		if l >= AVX512 {
			kept64z(&x[f], stride, &row[0], &label[0], len(label), &w[0], &sum[f], &rest[f], 8*d)
		} else {
			kept64y(&x[f], stride, &row[0], &label[0], len(label), &w[0], &sum[f], &rest[f], 8*d)
		}
	}
}

// sketchInt scores a sparse row against 32 centres; see sparse16z.
func sketchInt(idx []int32, val, c []int16, width int, about []float32, unit, by, past float32, low []float32) (least float32, near uint32) {
	_, _, _ = val[len(idx)-1], about[3*32-1], low[31]
	return sparse16z(&idx[0], &val[0], len(idx), &c[0], 2*width, &about[0], unit, by, past, &low[0])
}
