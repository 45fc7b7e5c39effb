package report

import (
	"math"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
)

// By hand: the first column is 1e9 ± 1, with mean 1e9 and spread 1; the second is
// 0, 0, 0, 4, with mean 1 and spread √((1+1+1+9)/4) = √3.
func TestSpreadAroundALargeMean(t *testing.T) {
	wide := &data.Dense{Cols: 2, V: []float64{1e9 - 1, 0, 1e9 + 1, 0, 1e9 - 1, 0, 1e9 + 1, 4}}
	thin := &data.Sparse{Cols: 2, Start: []int{0, 1, 2, 3, 5}, Idx: []int32{0, 0, 0, 0, 1}, Val: []float64{1e9 - 1, 1e9 + 1, 1e9 - 1, 1e9 + 1, 4}}
	for _, x := range []data.Rows{wide, thin} {
		m := newMeans(x, []int{0, 1, 0, 1}, 2)
		if m.spread[0] != 1 || math.Abs(m.spread[1]-math.Sqrt(3)) > 1e-15 {
			t.Errorf("%T: spreads %v, by hand 1 and √3", x, m.spread)
		}
		if out, columns := m.traits(1, []string{"a", "b"}); out[0].Name != "a" || out[0].Effect != 1 || columns[0] != 0 || out[0].Here != "1,000,000,001" {
			t.Errorf("%T: cluster 1 differs by %v, by hand by 1 in a", x, out)
		}
	}
}
