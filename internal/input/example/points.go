package example

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/inklinghq/inkling/cluster/data"
)

// Blobs draws n points of d features around k centres: centres uniform in
// [−spread, spread]^d, points Gaussian around them with standard deviation sd
// in each feature. Point i belongs to centre i mod k, which is truth[i]. The
// measured comparisons use spread 1.5 and sd 1.
func Blobs(n, k, d int, spread, sd float64, rng *rand.Rand) (x *data.Dense, truth []int, err error) {
	if n < 0 || k < 1 || d < 1 {
		return nil, nil, fmt.Errorf("blobs of %d points, %d centres, %d features; at least 0, 1 and 1 are needed", n, k, d)
	}
	if !(spread >= 0 && sd >= 0) || !data.Finite(spread+sd) {
		return nil, nil, fmt.Errorf("blobs of spread %v and deviation %v, both must be finite and not negative", spread, sd)
	}
	centres := make([]float64, k*d)
	for p := range centres {
		centres[p] = spread * (2*rng.Float64() - 1)
	}
	x, truth = &data.Dense{Cols: d, V: make([]float64, n*d)}, make([]int, n)
	for i := range n {
		h := i % k
		truth[i] = h
		for f, c := range centres[h*d : (h+1)*d] {
			x.V[i*d+f] = c + sd*rng.NormFloat64()
		}
	}
	return x, truth, nil
}

// TwoMoons draws n points on two interlocking half circles of radius 1, the
// upper around (0, 0), the lower around (1, ½), and moves each by Gaussian
// noise of that standard deviation. truth is 0 above, 1 below, in turn.
func TwoMoons(n int, noise float64, rng *rand.Rand) (x *data.Dense, truth []int, err error) {
	return onCurves(n, noise, rng, func(c int) (float64, float64) {
		sin, cos := math.Sincos(math.Pi * rng.Float64())
		if c == 0 {
			return cos, sin
		}
		return 1 - cos, 0.5 - sin
	})
}

// TwoCircles draws n points on two circles around (0, 0), of radius 1 and ½,
// and moves each by Gaussian noise of that standard deviation. truth is 0
// outside, 1 inside, in turn.
func TwoCircles(n int, noise float64, rng *rand.Rand) (x *data.Dense, truth []int, err error) {
	return onCurves(n, noise, rng, func(c int) (float64, float64) {
		sin, cos := math.Sincos(2 * math.Pi * rng.Float64())
		if c == 0 {
			return cos, sin
		}
		return cos / 2, sin / 2
	})
}

func onCurves(n int, noise float64, rng *rand.Rand, point func(c int) (float64, float64)) (*data.Dense, []int, error) {
	if n < 0 || !(noise >= 0) || !data.Finite(noise) {
		return nil, nil, fmt.Errorf("the number of points and the noise must not be negative, got %d and %v", n, noise)
	}
	x, truth := &data.Dense{Cols: 2, V: make([]float64, 2*n)}, make([]int, n)
	for i := range n {
		truth[i] = i % 2
		a, b := point(i % 2)
		x.V[2*i], x.V[2*i+1] = a+noise*rng.NormFloat64(), b+noise*rng.NormFloat64()
	}
	return x, truth, nil
}

// NoisyMoons is TwoMoons followed by background points that belong to neither
// moon, uniform in [−1.5, 2.5] × [−1, 1.5]; their truth is −1. Wang, Qian and
// Davidson (On Constrained Spectral Clustering, section 7.2) have 600 points,
// 100 of them background.
func NoisyMoons(n, background int, noise float64, rng *rand.Rand) (x *data.Dense, truth []int, err error) {
	if background < 0 {
		return nil, nil, fmt.Errorf("the number of background points must not be negative, got %d", background)
	}
	if x, truth, err = TwoMoons(n, noise, rng); err != nil {
		return nil, nil, err
	}
	for range background {
		x.V = append(x.V, -1.5+4*rng.Float64(), -1+2.5*rng.Float64())
		truth = append(truth, -1)
	}
	return x, truth, nil
}

func loadBlobs() (*Set, error) {
	var names []string
	for h := range 10 {
		names = append(names, fmt.Sprintf("blob-%d", h))
	}
	return fromGenerator(names...)(Blobs(1000, 10, 16, 1.5, 1, stream(1)))
}

func loadTwoMoons() (*Set, error) {
	return fromGenerator("upper", "lower")(TwoMoons(200, 0.08, stream(2)))
}

func loadTwoCircles() (*Set, error) {
	return fromGenerator("outer", "inner")(TwoCircles(300, 0.05, stream(3)))
}

func loadNoisyMoons() (*Set, error) {
	return fromGenerator("upper", "lower")(NoisyMoons(500, 100, 0.05, stream(4)))
}

// fromGenerator makes a set of a generator's points, rounded to four decimals: files
// stay small, hold exactly the numbers of the set, and are the same on
// processors whose last bits differ.
func fromGenerator(names ...string) func(*data.Dense, []int, error) (*Set, error) {
	return func(x *data.Dense, truth []int, err error) (*Set, error) {
		if err != nil {
			return nil, err
		}
		for p, y := range x.V {
			x.V[p] = math.Round(y*1e4) / 1e4
		}
		s := &Set{K: len(names), X: x, Truth: classNames(truth, names)}
		for f := range x.Cols {
			s.Columns = append(s.Columns, fmt.Sprintf("x%d", f))
		}
		if x.Cols == 2 {
			s.Columns = []string{"x", "y"}
		}
		return s, nil
	}
}
