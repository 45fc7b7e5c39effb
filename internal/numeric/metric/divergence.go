package metric

import (
	"fmt"

	"github.com/inklinghq/inkling/cluster/data"
)

// A Divergence says how far a point is from a centre where squares are not the
// measure: counts, proportions, spectra, directions. Rows are checked, then
// prepared, before anything else is asked.
//
// Weights a, for each feature, may be learned for all but the cosine: their
// divergence is a sum over features, Σ_f a_f D_f, and
//
//	Σ_i Σ_f a_f D_f(x_i, μ_{l_i}) − N Σ_f log a_f
//
// has its minimum at a_f = N / Σ_i D_f(x_i, μ_{l_i}): the estimate of a diagonal
// metric from a Scatter of D_f in place of squares (see AddDivergences). For the
// cosine no step in closed form lowers the objective; its weights are given or
// ones.
type Divergence interface {
	// Name returns the name by which ParseDivergence finds it.
	Name() string
	// Check refuses rows outside the domain, by row and column.
	Check(x data.Rows) error
	// Prepare returns v as the divergence reads it, in buf if it must change.
	Prepare(v data.Vec, buf []float64) data.Vec
	// FromCentre returns the divergence of v from the centre c, at least 0. a nil
	// stands for ones. rest is Rest(c, a), which spares a sparse v the features
	// it does not hold.
	FromCentre(v data.Vec, c, a []float64, rest float64) float64
	// CentreTerm returns what Between needs to know of a centre.
	CentreTerm(c, a []float64) float64
	// Centre turns the weighted sum of points of the given mass above 0 into the
	// centre that costs them least.
	Centre(sum []float64, mass float64)
	// Gap returns g with Σ_f a_f g_f² = the symmetric divergence of x and y, so
	// that costs and scatters of pairs are those of gaps.
	Gap(x, y data.Vec) data.Vec
}

// DefaultFloor is the least that a centre holds of a feature unless said
// otherwise, in the units of the rows.
const DefaultFloor = 1e-6

// An DomainError is the error for a number that a divergence does not take.
type DomainError struct {
	Divergence string
	Row, Col   int // Col is -1 where the whole row is to blame
	Value      float64
	Least      string // what it must be
}

func (e *DomainError) Error() string {
	if e.Col < 0 {
		return fmt.Sprintf("the sum of row %d must be %s for %s, got %v; leave the row out", e.Row, e.Least, e.Divergence, e.Value)
	}
	return fmt.Sprintf("row %d, column %d must be %s for %s, got %v", e.Row, e.Col, e.Least, e.Divergence, e.Value)
}
