//go:build !purego

package simd

func columnsDist(l Level, x, v []float64, panels int, dst []float64) {
	switch l {
	case AVX512, VNNI:
		columnsDist64z(&x[0], len(x), &v[0], panels, &dst[0])
	case AVX2:
		columnsDist64y(&x[0], len(x), &v[0], panels, &dst[0])
	default:
		plainColumnsDist(x, v, panels, dst)
	}
}

func columnsNear(l Level, x, v []float64, panels int, limit float64, dst []float64, mask []uint16) {
	switch l {
	case AVX512, VNNI:
		columnsNear64z(&x[0], len(x), &v[0], panels, &dst[0], limit, &mask[0])
	case AVX2:
		columnsNear64y(&x[0], len(x), &v[0], panels, &dst[0], limit, &mask[0])
	default:
		plainColumnsNear(x, v, panels, limit, dst, mask)
	}
}

func columnsDot(l Level, x, v []float64, panels int, dst []float64) {
	switch l {
	case AVX512, VNNI:
		columnsDot64z(&x[0], len(x), &v[0], panels, &dst[0])
	case AVX2:
		columnsDot64y(&x[0], len(x), &v[0], panels, &dst[0])
	default:
		plainColumnsDot(x, v, panels, dst)
	}
}

func columnsBox(l Level, x, low, high []float64, limit float64, dst *[PanelRows]float64, mask *uint16) {
	switch l {
	case AVX512, VNNI:
		columnsBox64z(&x[0], len(x), &low[0], &high[0], &dst[0], limit, mask)
	case AVX2:
		columnsBox64y(&x[0], len(x), &low[0], &high[0], &dst[0], limit, mask)
	default:
		plainColumnsBox(x, low, high, limit, dst, mask)
	}
}

func columnsSieve(l Level, x, v []float32, limit float32, mask []uint16) {
	switch l {
	case AVX512, VNNI:
		columnsSieve32z(&x[0], len(x), &v[0], limit, &mask[0])
	case AVX2:
		columnsSieve32y(&x[0], len(x), &v[0], limit, &mask[0])
	default:
		plainColumnsSieve(x, v, limit, mask)
	}
}
