package reproduce

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
)

// stream returns the generator that the seed of the lab and a name give.
func (l *Lab) stream(format string, args ...any) *rand.Rand {
	b := binary.LittleEndian.AppendUint64([]byte("inkling reproduce "), l.Seed)
	h := sha256.Sum256(fmt.Appendf(b, format, args...))
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(h[:]), binary.LittleEndian.Uint64(h[8:])))
}

// kernelGraph joins every two rows by exp(−d²/(2·width²)), as the paper does.
// It does not say what a row is to itself: with loops it is A_ii = 1, which the
// formula gives, without them 0.
func kernelGraph(x *data.Dense, width float64, loops bool) *data.Graph {
	n, d := x.Len(), x.Cols
	g := &data.Graph{Start: make([]int, n+1)}
	for i := range n {
		for j := range n {
			if i == j && !loops {
				continue
			}
			far := 0.0
			for f := range d {
				y := x.V[i*d+f] - x.V[j*d+f]
				far += float64(y * y)
			}
			g.To, g.W = append(g.To, int32(j)), append(g.W, math.Exp(-far/(2*width*width)))
		}
		g.Start[i+1] = len(g.To)
	}
	return g
}

// selfWord says in a title what A_ii is.
func selfWord(loops bool) string {
	if loops {
		return "A_ii = 1"
	}
	return "A_ii = 0"
}

// indicator returns the relaxed indicator u of the normalized cut in two, that
// is of the second eigenvector of L̄ (equation 1). It is found by dense algebra,
// beside the known first one: on sparse graphs many eigenvalues are almost 0.
func indicator(ctx context.Context, g *data.Graph) ([]float64, error) {
	n := g.Len()
	z, vol := make([]float64, n), 0.0
	for i := range z {
		d := g.Degree(i)
		if !(d > 0) {
			return nil, fmt.Errorf("the degree of node %d must be above 0, got %v", i, d)
		}
		z[i] = math.Sqrt(d)
		vol += d
	}
	m := eigen.NewDense(n) // D^{-1/2} A D^{-1/2} without its first pair
	for i := range n {
		to, w := g.Neighbours(i)
		for q, j := range to {
			m.V[i*n+int(j)] = w[q] / (z[i] * z[j])
		}
		for j, y := range z {
			m.V[i*n+j] -= float64(z[i]*y) / vol
		}
	}
	pairs, err := eigen.Symmetric(ctx, m, eigen.Options{K: 1, End: eigen.High, Workers: 1})
	if err != nil {
		return nil, err
	}
	u := make([]float64, n)
	for i, y := range pairs.Vectors[0] {
		u[i] = y * math.Sqrt(vol) / z[i]
	}
	return u, nil
}

// bySign makes two clusters of an indicator.
func bySign(u []float64) []int {
	cut := make([]int, len(u))
	for i, y := range u {
		if y > 0 {
			cut[i] = 1
		}
	}
	return cut
}

// plainCut cuts without constraints.
func plainCut(ctx context.Context, g *data.Graph, _ *constraint.Set, _ uint64) ([]int, error) {
	u, err := indicator(ctx, g)
	return bySign(u), err
}

// editedCut is Spectral Learning as the paper describes it: A_ij becomes 1 for a
// must-link and 0 for a cannot-link, and the graph is cut as any other. (As
// printed by its authors it cuts off outliers of these graphs.)
func editedCut(ctx context.Context, g *data.Graph, known *constraint.Set, seed uint64) ([]int, error) {
	e := &data.Graph{Start: g.Start, To: g.To, W: append([]float64(nil), g.W...)}
	put := func(list []constraint.Pair, w float64) {
		for _, p := range list {
			for _, ends := range [][2]int{{p.I, p.J}, {p.J, p.I}} {
				to, row := e.Neighbours(ends[0])
				for q, j := range to {
					if int(j) == ends[1] {
						row[q] = w
					}
				}
			}
		}
	}
	put(known.Must, 1)
	put(known.Cannot, 0)
	return plainCut(ctx, e, nil, seed)
}
