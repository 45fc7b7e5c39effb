package eigen_test

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
)

func mustGraph(n int, edges []data.Edge) *data.Graph {
	g, err := data.NewGraph(n, edges)
	if err != nil {
		panic(err)
	}
	return g
}

func path(n int) *data.Graph {
	var e []data.Edge
	for i := range n - 1 {
		e = append(e, data.Edge{U: i, V: i + 1, W: 1})
	}
	return mustGraph(n, e)
}

func cycle(n int) *data.Graph {
	var e []data.Edge
	for i := range n {
		e = append(e, data.Edge{U: i, V: (i + 1) % n, W: 1})
	}
	return mustGraph(n, e)
}

func complete(n int) *data.Graph {
	var e []data.Edge
	for i := range n {
		for j := range i {
			e = append(e, data.Edge{U: i, V: j, W: 1})
		}
	}
	return mustGraph(n, e)
}

func grid(rows, cols int) *data.Graph {
	var e []data.Edge
	for i := range rows {
		for j := range cols {
			if i+1 < rows {
				e = append(e, data.Edge{U: i*cols + j, V: (i+1)*cols + j, W: 1})
			}
			if j+1 < cols {
				e = append(e, data.Edge{U: i*cols + j, V: i*cols + j + 1, W: 1})
			}
		}
	}
	return mustGraph(rows*cols, e)
}

// pathValues are the eigenvalues of the Laplacian of a path, 2 − 2cos(πj/n).
func pathValues(n int) (out []float64) {
	for j := range n {
		out = append(out, 2-2*math.Cos(math.Pi*float64(j)/float64(n)))
	}
	return out
}

// gridValues are all sums of those of two paths.
func gridValues(rows, cols int) (out []float64) {
	for _, x := range pathValues(rows) {
		for _, y := range pathValues(cols) {
			out = append(out, x+y)
		}
	}
	slices.Sort(out)
	return out
}

// geometric joins each of n points of the plane to the k nearest, with weights
// that fall with the distance. Points gather around the given number of
// centres (0: spread evenly) and are numbered at random.
func geometric(n, k, centres int, rng *rand.Rand) *data.Graph {
	x, y := make([]float64, n), make([]float64, n)
	cx, cy := make([]float64, centres), make([]float64, centres)
	for c := range centres {
		cx[c], cy[c] = rng.Float64(), rng.Float64()
	}
	for i := range n {
		x[i], y[i] = rng.Float64(), rng.Float64()
		if centres > 0 {
			c := rng.IntN(centres)
			x[i], y[i] = cx[c]+rng.NormFloat64()*0.07, cy[c]+rng.NormFloat64()*0.07
		}
	}
	side := max(1, int(math.Sqrt(float64(n)/3)))
	cell := func(v float64) int { return min(side-1, max(0, int(v*float64(side)))) }
	cells := make([][]int32, side*side)
	for i := range n {
		c := cell(x[i])*side + cell(y[i])
		cells[c] = append(cells[c], int32(i))
	}
	var edges []data.Edge
	type near struct {
		d2 float64
		j  int
	}
	var found []near
	for i := range n {
		a, b := cell(x[i]), cell(y[i])
		for r := 1; ; r++ {
			found = found[:0]
			for p := max(0, a-r); p <= min(side-1, a+r); p++ {
				for q := max(0, b-r); q <= min(side-1, b+r); q++ {
					for _, j := range cells[p*side+q] {
						if int(j) != i {
							dx, dy := x[i]-x[j], y[i]-y[j]
							found = append(found, near{dx*dx + dy*dy, int(j)})
						}
					}
				}
			}
			if len(found) >= 2*k || r > side {
				break
			}
		}
		slices.SortFunc(found, func(a, b near) int {
			switch {
			case a.d2 < b.d2:
				return -1
			case a.d2 > b.d2:
				return 1
			}
			return a.j - b.j
		})
		found = found[:min(k, len(found))]
		width := found[len(found)-1].d2
		for _, f := range found {
			edges = append(edges, data.Edge{U: i, V: f.j, W: math.Exp(-f.d2 / width)})
		}
	}
	return mustGraph(n, edges)
}
