package data

// Pick returns rows of x as a table of their own, in the order of at, which
// may name a row several times. Sparse rows stay sparse, and single precision
// stays single.
func Pick(x Rows, at []int) Rows {
	switch x := x.(type) {
	case *Sparse:
		out := &Sparse{Cols: x.Cols, Start: make([]int, 1, len(at)+1)}
		for _, i := range at {
			v := x.Row(i, nil)
			out.Idx, out.Val = append(out.Idx, v.Idx...), append(out.Val, v.Val...)
			out.Start = append(out.Start, len(out.Idx))
		}
		return out
	case *Dense32:
		out := &Dense32{Cols: x.Cols, V: make([]float32, 0, len(at)*x.Cols)}
		for _, i := range at {
			out.V = append(out.V, x.V[i*x.Cols:(i+1)*x.Cols]...)
		}
		return out
	case interface{ Pick(at []int) Rows }:
		return x.Pick(at)
	}
	out := &Dense{Cols: x.Dim(), V: make([]float64, 0, len(at)*x.Dim())}
	for _, i := range at {
		out.V = append(out.V, Copy(x, i)...)
	}
	return out
}
