//go:build !amd64 || purego

package simd

func columnsDist(_ Level, x, v []float64, panels int, dst []float64) {
	plainColumnsDist(x, v, panels, dst)
}

func columnsNear(_ Level, x, v []float64, panels int, limit float64, dst []float64, mask []uint16) {
	plainColumnsNear(x, v, panels, limit, dst, mask)
}

func columnsDot(_ Level, x, v []float64, panels int, dst []float64) {
	plainColumnsDot(x, v, panels, dst)
}

func columnsBox(_ Level, x, low, high []float64, limit float64, dst *[PanelRows]float64, mask *uint16) {
	plainColumnsBox(x, low, high, limit, dst, mask)
}

func columnsSieve(_ Level, x, v []float32, limit float32, mask []uint16) {
	plainColumnsSieve(x, v, limit, mask)
}
