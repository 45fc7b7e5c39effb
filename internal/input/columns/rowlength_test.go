package columns_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/input/columns"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

// vectors draws n rows of d numbers around k centres, each row multiplied by a number of its own with deviation loud of its
// logarithm; base is added to all before that.
func vectors(r *rand.Rand, n, d, k int, loud, base float64) [][]float64 {
	centre, x := make([][]float64, k), make([][]float64, n)
	for h := range centre {
		centre[h] = make([]float64, d)
		for f := range d {
			centre[h][f] = r.NormFloat64()
		}
	}
	for i := range x {
		x[i] = make([]float64, d)
		times := math.Exp(loud * r.NormFloat64())
		for f := range d {
			x[i][f] = times * (base + centre[i%k][f] + 0.6*r.NormFloat64())
		}
	}
	return x
}

func TestLengthIsNoiseWhereRowsAreMultiplied(t *testing.T) {
	for _, c := range []struct {
		name     string
		n, d, k  int
		loud     float64
		base     float64
		expected bool
	}{
		{"loud", 800, 32, 10, 0.4, 0, true}, {"loud, many columns", 400, 300, 6, 0.4, 0, true}, {"not loud", 800, 32, 10, 0, 0, false},
		{"hardly loud", 800, 32, 10, 0.08, 0, false}, {"few columns", 800, 10, 5, 0.4, 0, false}, {"few rows", 80, 32, 4, 0.4, 0, false},
		{"positive", 800, 32, 10, 0.4, 6, false}, {"one cluster", 800, 32, 1, 0, 0, false},
	} {
		for seed := range uint64(5) {
			x := vectors(rand.New(rand.NewPCG(seed, 44)), c.n, c.d, c.k, c.loud, c.base)
			if got := columns.LengthIsNoise(x); got != c.expected {
				t.Errorf("%s, seed %d: %v", c.name, seed, got)
			}
		}
	}
	r := rand.New(rand.NewPCG(9, 44))
	x := vectors(r, 800, 32, 10, 0, 0)
	for i, row := range x { // of each direction some groups are farther out than others, which is what tells them apart
		for f := range row {
			row[f] *= []float64{0.5, 2}[i%2]
		}
	}
	if columns.LengthIsNoise(x) {
		t.Error("the length tells groups apart, and is called noise")
	}
	if x[3][5] = math.NaN(); columns.LengthIsNoise(x) {
		t.Error("rows with missing values")
	}
	for i := range x {
		clear(x[i])
	}
	if columns.LengthIsNoise(x) {
		t.Error("rows of zeros")
	}
}

// The columns of a table are compared by direction as an array is; what differs in unit is not.
func TestTableOfVectors(t *testing.T) {
	for _, c := range []struct {
		wide float64
		want columns.Shape
	}{{1, columns.Direction}, {40, ""}} {
		x := vectors(rand.New(rand.NewPCG(3, 44)), 500, 24, 6, 0.4, 0)
		var b strings.Builder
		b.WriteString("doc")
		for f := range 24 {
			fmt.Fprintf(&b, ",emb_%d", f)
		}
		for i, row := range x {
			fmt.Fprintf(&b, "\nd%d", i)
			for f, y := range row {
				if f == 3 {
					y *= c.wide
				}
				fmt.Fprintf(&b, ",%.4f", y)
			}
		}
		p, err := columns.Decide(read(t, b.String()+"\n", dataio.Options{}), columns.Rules{})
		if err != nil || p.Shape != c.want {
			t.Errorf("one column %v times as wide: shape %q, want %q (%v)", c.wide, p.Shape, c.want, err)
		}
	}
}
