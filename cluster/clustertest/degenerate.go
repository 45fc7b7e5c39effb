package clustertest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

func (u *suite) findsSeparateBlobs(a cluster.Algorithm) error {
	p, truth := easy()
	r, err := u.fit(p, a, func(s *cluster.Settings) {
		if s.Restarts > 1 { // runs differ
			s.Restarts = 5
		}
	})
	if err != nil {
		return err
	}
	wrong := 0
	for i := range truth[1:] {
		if (truth[i] == truth[i+1]) != (r.Labels[i] == r.Labels[i+1]) {
			wrong++
		}
	}
	if wrong > len(truth)/50 {
		return fmt.Errorf("%d of %d pairs of neighbours are grouped differently from the truth", wrong, len(truth)-1)
	}
	return nil
}

// degenerateInput wants a well-formed result, audited, that fits its model.
func degenerateInput(a cluster.Algorithm) error {
	line := []float64{0, 1, 2, 3, 10, 11, 12, 13}
	same := slices.Repeat([]float64{3, 4}, 6)
	cases := []struct {
		name string
		p    *cluster.Problem
	}{
		{"one point", small(1, 1, 5)},
		{"k = 1", small(1, 1, line...)},
		{"k = n", small(8, 1, line...)},
		{"two points on one spot, k = 2", small(2, 2, 1, 1, 1, 1)},
		{"all points on one spot", small(3, 2, same...)},
		{"fewer spots than clusters", small(4, 1, 0, 0, 0, 5, 5, 9)},
		{"a constant feature", small(2, 2, 0, 7, 1, 7, 10, 7, 11, 7)},
		{"all zero", small(2, 3, make([]float64, 12)...)},
		{"huge values", small(2, 1, -1e100, -1e100, 1e100, 1e100)},
		{"tiny values", small(2, 1, -1e-100, -1e-100, 1e-100, 1e-100)},
		{"an empty set of constraints", &cluster.Problem{X: &data.Dense{Cols: 1, V: line}, K: 2, Constraints: &constraint.Set{}}},
		{"weight on one point only", &cluster.Problem{X: &data.Dense{Cols: 1, V: line}, K: 3, Weight: []float64{0, 0, 0, 0, 0, 0, 0, 1}}},
		{"sparse rows with nothing in them", &cluster.Problem{X: sparse(&data.Dense{Cols: 2, V: []float64{0, 0, 0, 0, 1, 2}}), K: 2}},
	}
	for _, c := range cases {
		for seed := range uint64(4) {
			r, err := fit(c.p, a, func(s *cluster.Settings) { s.Audit, s.Seed = true, seed })
			if refusesNumber(a, err) {
				continue
			}
			if err == nil {
				err = placesAlike(c.p, r.Model, r.Labels)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
		}
	}
	return nil
}

// refusesBadProblems wants a ProblemError that names the field, and a value that
// is not finite by its row and column.
func refusesBadProblems(a cluster.Algorithm) error {
	nan, inf := math.NaN(), math.Inf(-1)
	weighted := func(w ...float64) *cluster.Problem {
		p := small(1, 1, 1, 2)
		p.Weight = w
		return p
	}
	cases := []struct {
		p     *cluster.Problem
		field string
		says  string
	}{
		{&cluster.Problem{K: 1}, "x", "no points"},
		{small(0, 1, 1, 2), "k", "k is 0"},
		{small(-3, 1, 1, 2), "k", "k is -3"},
		{small(3, 1, 1, 2), "k", "only 2 points"},
		{small(1, 2, 1, 2, 3, nan), "x", "row 1, column 1 is NaN"},
		{small(1, 2, 1, 2, inf, 3), "x", "row 1, column 0 is -Inf"},
		{&cluster.Problem{X: &data.Sparse{Cols: 9, Start: []int{0, 1}, Idx: []int32{7}, Val: []float64{nan}}, K: 1}, "x", "row 0, column 7 is NaN"},
		{&cluster.Problem{X: &data.Dense32{Cols: 1, V: []float32{1, float32(inf)}}, K: 1}, "x", "row 1, column 0 is -Inf"},
		{weighted(1), "weight", "1 weights for 2 points"},
		{weighted(1, -1), "weight", "point 1 must be finite and not negative, got -1"},
		{weighted(0, 0), "weight", "add up to 0"},
		{&cluster.Problem{X: &data.Dense{Cols: 1, V: []float64{1, 2}}, K: 1, Constraints: &constraint.Set{Must: []constraint.Pair{{I: 0, J: 5, W: 1}}}}, "constraints", "5"},
	}
	for _, c := range cases {
		if c.p.K == 0 && a.Capabilities().FindsK {
			continue
		}
		_, err := fit(c.p, a, nil)
		var bad *cluster.ProblemError
		if !errors.As(err, &bad) || bad.Field != c.field || !strings.Contains(err.Error(), c.says) {
			return fmt.Errorf("wanted an error about %s that says %q, got %v", c.field, c.says, err)
		}
	}
	return nil
}

// contradictionHasAnAnswer allows a labelling or the conflict, nothing else.
func contradictionHasAnAnswer(a cluster.Algorithm) error {
	p := small(2, 1, 0, 1, 2, 10, 11, 12)
	p.Constraints = &constraint.Set{
		Must:   []constraint.Pair{{I: 0, J: 1, W: 1}, {I: 1, J: 2, W: 1}},
		Cannot: []constraint.Pair{{I: 2, J: 0, W: 1}},
	}
	_, err := fit(p, a, func(s *cluster.Settings) { s.Audit = true })
	var conflict *constraint.ConflictError
	if err != nil && !errors.As(err, &conflict) && !refusesNumber(a, err) {
		return fmt.Errorf("on contradictory constraints the error is not a conflict: %w", err)
	}
	return nil
}

// refusesNumber reports whether a method that finds the number of clusters says that there are not so many as it was asked for.
func refusesNumber(a cluster.Algorithm, err error) bool {
	var bad *cluster.ProblemError
	return a.Capabilities().FindsK && errors.As(err, &bad) && bad.Field == "k"
}
