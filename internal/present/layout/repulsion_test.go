package layout

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The grid repels as all pairs do.
func TestRepulsionByAGrid(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const n = 600
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], y[i] = 9*r.NormFloat64(), 5*r.NormFloat64()
	}
	fx, fy := make([]float64, n), make([]float64, n)
	g := &grid{workers: 2}
	z := g.repel(x, y, fx, fy)
	wx, wy := make([]float64, n), make([]float64, n)
	want, size, off := repelPairs(x, y, wx, wy), 0.0, 0.0
	for i := range x {
		size += wx[i]*wx[i] + wy[i]*wy[i]
		off += (fx[i]-wx[i])*(fx[i]-wx[i]) + (fy[i]-wy[i])*(fy[i]-wy[i])
	}
	if math.Abs(z-want) > 0.05*want {
		t.Errorf("the sum over all pairs is %v, not %v", z, want)
	}
	if math.Sqrt(off/size) > 0.08 { // with half a unit between nodes
		t.Errorf("the forces are off by %.3f of their size", math.Sqrt(off/size))
	}
}

func TestRepulsionOfPairsByHand(t *testing.T) {
	fx, fy := []float64{7, 7, 7}, []float64{7, 7, 7}
	sum := repelPairs([]float64{0, 1, 0}, []float64{0, 0, 2}, fx, fy) // squared distances of 1, 4 and 5
	if want := 2 * (1./2 + 1./5 + 1./6); math.Abs(sum-want) > 1e-12 {
		t.Errorf("the sum over all pairs is %v, not %v", sum, want)
	}
	for i, want := range [][2]float64{{-1. / 4, -2. / 25}, {1./4 + 1./36, -2. / 36}, {-1. / 36, 2./25 + 2./36}} {
		if math.Abs(fx[i]-want[0]) > 1e-12 || math.Abs(fy[i]-want[1]) > 1e-12 {
			t.Errorf("point %d is pushed by %v, %v, not %v", i, fx[i], fy[i], want)
		}
	}
}
