package metric_test

import (
	"context"
	"fmt"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/metric"
)

// Feature 1 varies within the clusters ten times as much as feature 0: it weighs
// a hundredth.
func ExampleEstimate() {
	x := &data.Dense{Cols: 2, V: []float64{0, 10, 2, -10, 8, 10, 10, -10}}
	labels, centres := []int32{0, 0, 1, 1}, []float64{1, 0, 9, 0}

	s := metric.NewScatter(metric.Form{Shape: metric.Diagonal}, 2, 2)
	if err := s.AddRows(context.Background(), 1, x, labels, nil, centres); err != nil {
		fmt.Println(err)
		return
	}
	m, report, err := metric.Estimate(context.Background(), s, metric.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Weights(0), report.Scale)
	fmt.Println(m.Dist2(0, x.Row(0, nil), centres[:2], 0))
	// Output:
	// [1 0.01] n
	// 2
}

// A must-link costs its squared distance if it is violated, a cannot-link what
// it lacks to the longest distance there is.
func ExamplePenalties() {
	x := &data.Dense{Cols: 1, V: []float64{0, 1, 10}}
	m := metric.Identity(metric.Form{}, 2, 1)
	extremes, err := metric.FindExtremes(context.Background(), 1, nil, x)
	if err != nil {
		fmt.Println(err)
		return
	}
	gaps, err := extremes.Gaps(context.Background(), 1, m, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := metric.NewPenalties(m, metric.HMRF, gaps)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.MustPairCost(0, 1, x.Row(0, nil), x.Row(1, nil)))
	fmt.Println(p.CannotPairCost(0, x.Row(0, nil), x.Row(1, nil)))
	// Output:
	// 1
	// 99
}

func ExampleParseDivergence() {
	v, err := metric.ParseDivergence(metric.KL, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(v.Check(&data.Dense{Cols: 2, V: []float64{3, 1, 2, -2}}))
	// Output:
	// row 1, column 1 must be at least 0 for kl, got -2
}
