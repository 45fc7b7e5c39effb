package affinity

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/support/enum"
)

// A Kernel says how similar two rows are:
//
//	linear      x·y
//	rbf         exp(−‖x−y‖² / (2ρ²)), with ρ the Width
//	polynomial  (x·y + Offset)^Degree
//	cosine      x·y / (‖x‖‖y‖), 0 if a row is zero
//
// All are positive semidefinite. The rbf is the exponential kernel of Kulis,
// Basu, Dhillon and Mooney (2009, section 5.3), whose ρ is the width here: a
// standard deviation, in the unit of the features. Where another program asks for
// gamma in exp(−γ‖x−y‖²), γ = 1/(2ρ²).
type Kernel struct {
	Kind KernelKind `json:"kind" help:"how similar two rows are"`
	// Width is ρ. If it is 0, Fit sets it to Relative times the median distance
	// of two rows; if Relative is 0 too, to the median distance.
	Width    float64 `json:"width,omitempty" help:"width of the rbf kernel; 0 takes it from the data"`
	Relative float64 `json:"relative,omitempty" help:"width of the rbf kernel as a multiple of the median distance"`
	Degree   int     `json:"degree,omitempty" help:"degree of the polynomial kernel"`
	Offset   float64 `json:"offset,omitempty" help:"what the polynomial kernel adds to the product"`
}

// A KernelKind names the formula of a Kernel.
type KernelKind string

// The kinds of kernel.
const (
	Linear     KernelKind = "linear"
	RBF        KernelKind = "rbf"
	Polynomial KernelKind = "polynomial"
	Cosine     KernelKind = "cosine"
)

// Values returns the names of all kinds of kernel.
func (KernelKind) Values() []string {
	return []string{string(Linear), string(RBF), string(Polynomial), string(Cosine)}
}

// Widths between these bounds have squares, and squares of reciprocals, that are
// normal numbers.
const MinWidth, MaxWidth = 1e-150, 1e150

// Check refuses invalid parameters. A Width of 0 passes: Fit chooses it.
func (k Kernel) Check() error {
	switch k.Kind {
	case Linear, Cosine:
	case RBF:
		if k.Width != 0 && !(k.Width >= MinWidth && k.Width <= MaxWidth) {
			return fmt.Errorf("the width of the rbf kernel must be from %v to %v, or 0 for a multiple of the median distance, got %v", MinWidth, MaxWidth, k.Width)
		}
		if !(k.Relative >= 0 && k.Relative <= MaxWidth) {
			return fmt.Errorf("the relative width of the rbf kernel must be at least 0 (0 stands for 1), got %v", k.Relative)
		}
	case Polynomial:
		if k.Degree < 1 || k.Degree > 64 {
			return fmt.Errorf("the degree of the polynomial kernel must be from 1 to 64, got %d", k.Degree)
		}
		if !(k.Offset >= 0) || math.IsInf(k.Offset, 0) {
			return fmt.Errorf("the offset of the polynomial kernel must be at least 0 to keep it positive semidefinite, got %v", k.Offset)
		}
	default:
		return enum.Check("kernel", k.Kind)
	}
	return nil
}

// Fit returns k with everything that depends on the data: an rbf without a Width
// gets Relative (1 if that is 0) times MedianDistance.
func (k Kernel) Fit(ctx context.Context, x data.Rows, rng *rand.Rand, workers int) (Kernel, error) {
	if err := k.Check(); err != nil {
		return k, err
	}
	if k.Kind != RBF || k.Width != 0 {
		return k, nil
	}
	m, err := MedianDistance(ctx, x, rng, workers)
	if err != nil {
		return k, err
	}
	if k.Relative != 0 {
		m *= k.Relative
	}
	if !(m >= MinWidth && m <= MaxWidth) {
		return k, fmt.Errorf("the width of the rbf kernel must be from %v to %v, got %v from the median distance of the rows; scale the features", MinWidth, MaxWidth, m)
	}
	k.Width = m
	return k, nil
}

// checkReady is Check for use: the width must be set.
func (k Kernel) checkReady() error {
	if err := k.Check(); err != nil {
		return err
	}
	if k.Kind == RBF && k.Width == 0 {
		return fmt.Errorf("the rbf kernel has no width; give one, or let Fit choose it")
	}
	return nil
}

// checkRange refuses rows whose kernel values could leave the range of float32.
func (k Kernel) checkRange(tables ...*rowTable) error {
	var top float64 // no product of two rows is larger
	for _, t := range tables {
		top = max(top, slices.Max(t.norm))
	}
	switch k.Kind {
	case Linear:
	case Polynomial:
		top = math.Pow(top+k.Offset, float64(k.Degree))
	default:
		return nil
	}
	if !(top <= math.MaxFloat32) {
		return fmt.Errorf("values of the %s kernel reach %.3g, at most %.3g; scale the features", k.Kind, top, math.MaxFloat32)
	}
	return nil
}

// applyTo turns v, distances for the rbf and products otherwise, into kernel
// values. root is the length of the row and cols those of the columns.
func (k Kernel) applyTo(v []float64, root float64, cols []float64) {
	switch k.Kind {
	case RBF:
		s := -1 / (2 * k.Width * k.Width)
		for j, y := range v {
			v[j] = exp(y * s)
		}
	case Polynomial:
		for j, y := range v {
			v[j] = power(y+k.Offset, k.Degree)
		}
	case Cosine:
		for j, y := range v {
			v[j] = 0
			if l := root * cols[j]; l > 0 {
				v[j] = max(-1, min(1, y/l))
			}
		}
	}
}

// power multiplies in a fixed order; math.Pow differs between machines.
func power(x float64, degree int) float64 {
	y := 1.0
	for ; degree > 0; degree >>= 1 {
		if degree&1 == 1 {
			y *= x
		}
		x *= x
	}
	return y
}
