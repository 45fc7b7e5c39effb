package simd

// PanelRows is the number of rows in a panel of Columns.
const PanelRows = 16

func plainColumnsDist(x, v []float64, panels int, dst []float64) {
	d := len(x)
	for p := range panels {
		pan, out := v[p*PanelRows*d:(p+1)*PanelRows*d], dst[p*PanelRows:(p+1)*PanelRows]
		for g := 0; g < PanelRows; g += 4 {
			var s0, s1, s2, s3 float64
			at := g
			for _, y := range x {
				c := pan[at : at+4 : at+4]
				s0 += square(y - c[0])
				s1 += square(y - c[1])
				s2 += square(y - c[2])
				s3 += square(y - c[3])
				at += PanelRows
			}
			out[g], out[g+1], out[g+2], out[g+3] = s0, s1, s2, s3
		}
	}
}

func plainColumnsNear(x, v []float64, panels int, limit float64, dst []float64, mask []uint16) {
	plainColumnsDist(x, v, panels, dst)
	for p := range mask {
		var m uint16
		for j, y := range dst[p*PanelRows : (p+1)*PanelRows] {
			if y <= limit {
				m |= 1 << j
			}
		}
		mask[p] = m
	}
}

func plainColumnsDot(x, v []float64, panels int, dst []float64) {
	d := len(x)
	for p := range panels {
		pan, out := v[p*PanelRows*d:(p+1)*PanelRows*d], dst[p*PanelRows:(p+1)*PanelRows]
		for g := 0; g < PanelRows; g += 4 {
			var s0, s1, s2, s3 float64
			at := g
			for _, y := range x {
				c := pan[at : at+4 : at+4]
				s0 += float64(y * c[0])
				s1 += float64(y * c[1])
				s2 += float64(y * c[2])
				s3 += float64(y * c[3])
				at += PanelRows
			}
			out[g], out[g+1], out[g+2], out[g+3] = s0, s1, s2, s3
		}
	}
}

func plainColumnsBox(x, low, high []float64, limit float64, dst *[PanelRows]float64, mask *uint16) {
	var m uint16
	for j := range dst {
		s := 0.0
		at := j
		for _, y := range x {
			gap := low[at] - y
			if over := y - high[at]; over > gap {
				gap = over
			}
			if gap > 0 {
				s += square(gap)
			}
			at += PanelRows
		}
		if dst[j] = s; s <= limit {
			m |= 1 << j
		}
	}
	*mask = m
}
