package metric

import (
	"math"

	"github.com/inklinghq/inkling/cluster/data"
)

// eachFeature calls do for every feature that x or y holds, ascending, with both values.
func eachFeature(x, y data.Vec, do func(f int, u, v float64)) {
	p, q := 0, 0
	for p < len(x.Val) || q < len(y.Val) {
		switch f, g := featureAt(x, p), featureAt(y, q); {
		case f < g:
			do(f, x.Val[p], 0)
			p++
		case g < f:
			do(g, 0, y.Val[q])
			q++
		default:
			do(f, x.Val[p], y.Val[q])
			p, q = p+1, q+1
		}
	}
}

// featureAt returns the feature of value p of v, beyond all features at its end.
func featureAt(v data.Vec, p int) int {
	if p >= len(v.Val) {
		return math.MaxInt
	}
	return v.Feature(p)
}

// eachDifference calls do for every feature in which x or y may be other than 0, in
// ascending order, with x_f − y_f.
func eachDifference(x, y data.Vec, do func(f int, e float64)) {
	eachFeature(x, y, func(f int, u, v float64) { do(f, u-v) })
}

// difference returns x − y.
func difference(x, y data.Vec) data.Vec {
	if x.Idx == nil && y.Idx == nil {
		g := make([]float64, len(x.Val))
		for f := range g {
			g[f] = x.Val[f] - y.Val[f]
		}
		return data.Vec{Val: g}
	}
	g := data.Vec{Idx: []int32{}}
	eachDifference(x, y, func(f int, e float64) {
		if e != 0 {
			g.Idx, g.Val = append(g.Idx, int32(f)), append(g.Val, e)
		}
	})
	return g
}

// differenceBy returns a gap as v has it, or x − y.
func differenceBy(v Divergence, x, y data.Vec) data.Vec {
	if v != nil {
		return v.Gap(x, y)
	}
	return difference(x, y)
}

func addTo(dst, src []float64) {
	for i, y := range src {
		dst[i] += y
	}
}

func weightAt(weight []float64, i int) float64 {
	if weight == nil {
		return 1
	}
	return weight[i]
}

// noVec is the sparse zero vector.
var noVec = data.Vec{Idx: []int32{}}
