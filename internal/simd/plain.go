package simd

func plainDist[T number](x []T, once bool, d int, label []int32, c, out []float64) {
	at := 0
	for i, h := range label {
		out[i] = dist2(x[at:at+d], c[int(h)*d:int(h+1)*d])
		if !once {
			at += d
		}
	}
}

func plainSum[T number](x []T, d int, label []int32, w, sum []float64) {
	for i, h := range label {
		s, v := sum[int(h)*d:int(h+1)*d], w[i]
		for f, y := range x[i*d : i*d+len(s)] {
			s[f] += float64(v * float64(y)) // rounded here, so never fused
		}
	}
}
