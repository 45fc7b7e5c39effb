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
	want, size, off := 0.0, 0.0, 0.0
	for i := range x {
		sx, sy := 0.0, 0.0
		for j := range x {
			if i == j {
				continue
			}
			dx, dy := x[i]-x[j], y[i]-y[j]
			q := 1 / (1 + dx*dx + dy*dy)
			want += q
			sx, sy = sx+dx*q*q, sy+dy*q*q
		}
		size += sx*sx + sy*sy
		off += (fx[i]-sx)*(fx[i]-sx) + (fy[i]-sy)*(fy[i]-sy)
	}
	if math.Abs(z-want) > 0.05*want {
		t.Errorf("the sum over all pairs is %v, not %v", z, want)
	}
	if math.Sqrt(off/size) > 0.08 { // with half a unit between nodes
		t.Errorf("the forces are off by %.3f of their size", math.Sqrt(off/size))
	}
}
