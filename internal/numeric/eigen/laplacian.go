package eigen

import (
	"fmt"
	"math"

	"github.com/inklinghq/inkling/cluster/data"
)

// A Form of the Laplacian.
type Form int

// The forms.
const (
	// Plain is L = D − A.
	Plain Form = iota
	// Normalised is D^{-1/2} (D − A) D^{-1/2}, with eigenvalues in [0, 2].
	Normalised
)

// Laplacian is the Laplacian of a graph with weights of 0 or more. It is a
// BlockOperator, and knows its null space.
//
// A node of degree 0 is a component of its own: its row is zero in both forms,
// so that the multiplicity of eigenvalue 0 is the number of components.
type Laplacian struct {
	Sparse
	Form Form
	// Degree holds Σ_j A_ij, loops included.
	Degree []float64
	// Component numbers the connected components in the order of their first
	// nodes; edges of weight 0 do not connect.
	Component []int32
	// Components is how many there are.
	Components int
}

// Degrees that are not 0 lie between these, so that no product of two of them
// overflows or vanishes.
const leastDegree, mostDegree = 1e-150, 1e150

// NewLaplacian makes the Laplacian of g, which it keeps and which must not
// change meanwhile. Negative weights are refused, and so are degrees below
// 1e-150 (but for 0) and above 1e150.
func NewLaplacian(g *data.Graph, form Form) (*Laplacian, error) {
	n := g.Len()
	l := &Laplacian{Sparse: Sparse{g: g, sign: -1}, Form: form, Degree: make([]float64, n)}
	for i := range n {
		to, w := g.Neighbours(i)
		for p, y := range w {
			if !(y >= 0) {
				return nil, fmt.Errorf("the edge %d-%d weighs %v; a Laplacian needs weights of 0 or more", i, to[p], y)
			}
			l.Degree[i] += y
		}
		if d := l.Degree[i]; d != 0 && (d < leastDegree || d > mostDegree) {
			return nil, fmt.Errorf("the degree of node %d must be 0 or from %v to %v, got %v; scale the weights", i, leastDegree, mostDegree, d)
		}
	}
	l.diag = l.Degree
	if form == Normalised {
		s := make([]float64, n)
		l.diag = make([]float64, n)
		for i, d := range l.Degree {
			if d > 0 {
				s[i], l.diag[i] = 1/math.Sqrt(d), 1
			}
		}
		l.w = scaledWeights(g, s)
	}
	l.findComponents()
	return l, nil
}

// findComponents finds the components.
func (l *Laplacian) findComponents() {
	n := l.g.Len()
	l.Component = make([]int32, n)
	for i := range l.Component {
		l.Component[i] = -1
	}
	var queue []int32
	for first := range n {
		if l.Component[first] >= 0 {
			continue
		}
		c := int32(l.Components)
		l.Components++
		l.Component[first] = c
		queue = append(queue[:0], int32(first))
		for len(queue) > 0 {
			i := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			to, w := l.g.Neighbours(int(i))
			for p, j := range to {
				if w[p] > 0 && l.Component[j] < 0 {
					l.Component[j] = c
					queue = append(queue, j)
				}
			}
		}
	}
}

// Graph returns the graph.
func (l *Laplacian) Graph() *data.Graph { return l.g }

// nullWeight is what a node has in the null vector of its component.
func (l *Laplacian) nullWeight(i int) float64 {
	if l.Form == Normalised && l.Degree[i] > 0 {
		return math.Sqrt(l.Degree[i])
	}
	return 1
}

// Null returns unit vectors of the null space: those of the first count
// components, one each, zero elsewhere. They are orthogonal.
func (l *Laplacian) Null(count int) [][]float64 {
	count = min(count, l.Components)
	length := make([]float64, l.Components)
	for i, c := range l.Component {
		z := l.nullWeight(i)
		length[c] += float64(z * z)
	}
	out := make([][]float64, count)
	for c := range out {
		out[c] = make([]float64, l.Dim())
	}
	for i, c := range l.Component {
		if int(c) < count {
			out[c][i] = l.nullWeight(i) / math.Sqrt(length[c])
		}
	}
	return out
}
