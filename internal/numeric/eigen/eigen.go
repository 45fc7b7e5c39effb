package eigen

import (
	"errors"
	"fmt"
	"math"
)

// An Operator is a symmetric matrix known by its products only.
type Operator interface {
	// Dim returns the number of rows.
	Dim() int
	// Apply sets dst to the product with x. Both have Dim numbers and do not
	// overlap. It may be called from one goroutine at a time.
	Apply(dst, x []float64)
}

// A BlockOperator multiplies p vectors in one walk through the matrix. Number
// i of vector c stands at i·p + c: what belongs to a node is together.
type BlockOperator interface {
	Operator
	ApplyBlock(dst, x []float64, p int)
}

// An End of the spectrum.
type End int

// The ends from which pairs can be asked for.
const (
	Low  End = iota // the smallest eigenvalues, ascending
	High            // the largest, falling
	Both            // ⌈k/2⌉ smallest and ⌊k/2⌋ largest, ascending
)

func (e End) String() string {
	switch e {
	case Low:
		return "low"
	case High:
		return "high"
	case Both:
		return "both"
	}
	return fmt.Sprintf("End(%d)", int(e))
}

// Options say which pairs are wanted and how well. The zero value of every
// field but K stands for a default.
type Options struct {
	// K is the number of pairs. Beyond the dimension all pairs are returned.
	K int
	// End is where they are taken from.
	End End
	// Loose is how many of the pairs, the last ones, Smallest need not wait
	// for: they are returned as they are, with their residuals, when the
	// others are found. They save the search for eigenvalues that no gap
	// follows.
	Loose int
	// Tol bounds the residual ‖A v − λ v‖ relative to the size of A, which is
	// estimated by the largest |λ| met on the way; 0 stands for 1e-8.
	Tol float64
	// Rel asks Smallest, beside the tolerance, that the wanted eigenvalues look
	// as if they will fall by no more than this share, judged by their last
	// steps: residuals of small eigenvalues are small from the start and say
	// little about them. 0 stands for 0.01; 1 asks for nothing.
	Rel float64
	// Max bounds the number of products with the matrix, each counted per
	// vector; 0 stands for a generous bound that depends on n and K.
	Max int
	// Seed makes the start vectors.
	Seed uint64
	// Workers is the number of goroutines for work beside the products
	// (which have their own); below 1 one per processor.
	Workers int
	// Observe, if not nil, is called after every restart or iteration.
	Observe func(Progress)
}

// Progress is where an eigensolver stands.
type Progress struct {
	Iteration int
	Products  int     // with the matrix, per vector
	Done      int     // pairs whose residual is below the tolerance
	Worst     float64 // largest residual among the wanted pairs, as estimated
}

// Pairs are eigenvalues with unit eigenvectors, ordered as Options.End says.
type Pairs struct {
	Values  []float64
	Vectors [][]float64
	// Residuals hold ‖A v − λ v‖ of each pair, computed from the returned
	// vectors.
	Residuals []float64
	// Converged reports whether all residuals met the tolerance.
	Converged bool
	Products  int
	// Method names the way that was taken.
	Method string
}

// ErrOptions is wrapped by errors about options that make no sense.
var ErrOptions = errors.New("bad options")

// check refuses what is wrong with o and fills in defaults.
func (o Options) check(n int) (Options, error) {
	switch {
	case o.K < 0:
		return o, fmt.Errorf("%w: the number of pairs must be 0 or more, got %d", ErrOptions, o.K)
	case o.Loose < 0:
		return o, fmt.Errorf("%w: the number of loose pairs must be 0 or more, got %d", ErrOptions, o.Loose)
	case o.End < Low || o.End > Both:
		return o, fmt.Errorf("%w: end must be Low, High or Both, got %v", ErrOptions, o.End)
	case o.Tol < 0 || math.IsNaN(o.Tol) || math.IsInf(o.Tol, 0):
		return o, fmt.Errorf("%w: tolerance must be 0 or more, got %v", ErrOptions, o.Tol)
	case !(o.Rel >= 0 && o.Rel <= 1):
		return o, fmt.Errorf("%w: relative change must be 0 to 1, got %v", ErrOptions, o.Rel)
	case o.Max < 0:
		return o, fmt.Errorf("%w: the limit of products must be 0 or more, got %d", ErrOptions, o.Max)
	}
	o.K = min(o.K, n)
	if o.Tol == 0 {
		o.Tol = 1e-8
	}
	if o.Rel == 0 {
		o.Rel = 0.01
	}
	if o.Max == 0 {
		o.Max = 20000 + 200*o.K
	}
	return o, nil
}

// want returns which of n rising eigenvalues are asked for, in the order in
// which they are returned.
func (o Options) want(n int) []int {
	at := make([]int, 0, o.K)
	switch o.End {
	case Low:
		for i := range o.K {
			at = append(at, i)
		}
	case High:
		for i := range o.K {
			at = append(at, n-1-i)
		}
	case Both:
		low := (o.K + 1) / 2
		for i := range low {
			at = append(at, i)
		}
		for i := n - (o.K - low); i < n; i++ {
			at = append(at, i)
		}
	}
	return at
}

// orient makes the component of largest magnitude positive, the first of them
// on ties. Magnitudes that differ by rounding alone count as equal, so that
// vectors such as (1, −1) do not flip.
func orient(v []float64) {
	most := 0.0
	for _, y := range v {
		most = max(most, math.Abs(y))
	}
	for _, y := range v {
		if math.Abs(y) >= most*(1-1e-6) {
			if y < 0 {
				scale(v, -1)
			}
			return
		}
	}
}
