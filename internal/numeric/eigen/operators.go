package eigen

import "fmt"

// Shifted is A + Shift·I.
type Shifted struct {
	A     Operator
	Shift float64
}

// Dim returns the number of rows.
func (s Shifted) Dim() int { return s.A.Dim() }

// Apply sets dst to A x + Shift·x.
func (s Shifted) Apply(dst, x []float64) {
	s.A.Apply(dst, x)
	addTo(dst, s.Shift, x)
}

// Diagonal is the matrix with the given diagonal.
type Diagonal []float64

// Dim returns the number of rows.
func (d Diagonal) Dim() int { return len(d) }

// Apply sets dst to the product with x.
func (d Diagonal) Apply(dst, x []float64) {
	for i, y := range d {
		dst[i] = float64(y * x[i])
	}
}

// LowRank is Σ_j C[j] U[j] U[j]ᵀ.
type LowRank struct {
	N int
	U [][]float64
	C []float64
}

// Dim returns the number of rows.
func (l LowRank) Dim() int { return l.N }

// Apply sets dst to the product with x.
func (l LowRank) Apply(dst, x []float64) {
	clear(dst)
	h := dots(0, l.U, x)
	for j := range h {
		h[j] *= -l.C[j]
	}
	subtract(0, dst, h, l.U)
}

// A Term is an operator with a factor.
type Term struct {
	Scale float64
	A     Operator
}

// Sum is a sum of operators of the same dimension; make it with NewSum.
type Sum struct {
	terms   []Term
	scratch []float64
}

// NewSum adds up operators, of which there must be one at least.
func NewSum(terms ...Term) (*Sum, error) {
	if len(terms) == 0 {
		return nil, fmt.Errorf("a sum of no operators has no dimension")
	}
	n := terms[0].A.Dim()
	for p, t := range terms {
		if t.A.Dim() != n {
			return nil, fmt.Errorf("term %d of a sum has %d rows, term 0 has %d", p, t.A.Dim(), n)
		}
	}
	return &Sum{terms: terms, scratch: make([]float64, n)}, nil
}

// Dim returns the number of rows.
func (s *Sum) Dim() int { return len(s.scratch) }

// Apply sets dst to the product with x.
func (s *Sum) Apply(dst, x []float64) {
	clear(dst)
	for _, t := range s.terms {
		t.A.Apply(s.scratch, x)
		axpy(0, dst, t.Scale, s.scratch)
	}
}

// Projected is P A P, where P takes off the part along the orthonormal vectors
// Null. Its eigenvectors are those of A restricted to their complement, and
// Null itself with eigenvalue 0.
type Projected struct {
	A    Operator
	Null [][]float64
}

// Dim returns the number of rows.
func (p Projected) Dim() int { return p.A.Dim() }

// Apply sets dst to P A P x.
func (p Projected) Apply(dst, x []float64) {
	y := append([]float64(nil), x...)
	projectOut(0, y, p.Null)
	p.A.Apply(dst, y)
	projectOut(0, dst, p.Null)
}
