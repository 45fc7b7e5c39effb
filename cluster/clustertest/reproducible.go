package clustertest

import (
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/support/longtest"
)

func (u *suite) sameBitsOnAnyWorkers(a cluster.Algorithm) error {
	p := blocked()
	want, err := u.fit(p, a, func(s *cluster.Settings) { s.Workers = 1 })
	if err != nil {
		return err
	}
	// Three blocks are added up by one worker, by more than there are blocks, and by two, one of which has two of them.
	for _, w := range longtest.Size([]int{7, 2}, []int{7}, []int{2, 3, 7, 16}) {
		got, err := u.fit(p, a, func(s *cluster.Settings) { s.Workers = w })
		if err != nil {
			return err
		}
		if err := same(want, got); err != nil {
			return fmt.Errorf("on 1 and on %d workers %w", w, err)
		}
	}
	return nil
}

// sameBitsOnAnyStorage wants the same labels from dense, single and sparse
// rows; objectives may differ in rounding, since sparse rows add up otherwise.
func (u *suite) sameBitsOnAnyStorage(a cluster.Algorithm) error {
	p, _ := easy()
	want, err := u.fit(p, a, nil)
	if err != nil {
		return err
	}
	for _, x := range []data.Rows{single(p.X.(*data.Dense)), sparse(p.X.(*data.Dense))} {
		q := *p
		q.X = x
		got, err := u.fit(&q, a, nil)
		if err != nil {
			return fmt.Errorf("%T: %w", x, err)
		}
		if !slices.Equal(want.Labels, got.Labels) {
			return fmt.Errorf("%T rows get other labels than dense rows", x)
		}
	}
	return nil
}

// keepsNoState fits the same algorithm value several times, also twice at once.
func (u *suite) keepsNoState(a cluster.Algorithm) error {
	p := hard()
	want, err := u.hardFit(a)
	if err != nil {
		return err
	}
	if other, _ := easy(); true {
		if _, err := u.fit(other, a, nil); err != nil {
			return err
		}
	}
	errs := make([]error, 2)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() {
			got, err := u.fit(p, a, nil)
			if err == nil {
				err = same(want.Result, got)
			}
			errs[i] = err
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return fmt.Errorf("fitted again, %w", err)
		}
	}
	return nil
}

func (u *suite) leavesProblemAlone(a cluster.Algorithm) error {
	p, _ := easy()
	p.Weight = make([]float64, p.Len())
	for i := range p.Weight {
		p.Weight[i] = 1 + float64(i%3)
	}
	was := &cluster.Problem{
		X: &data.Dense{Cols: p.X.Dim(), V: slices.Clone(p.X.(*data.Dense).V)}, K: p.K, Weight: slices.Clone(p.Weight),
		Constraints: &constraint.Set{Must: slices.Clone(p.Constraints.Must), Cannot: slices.Clone(p.Constraints.Cannot), Labels: slices.Clone(p.Constraints.Labels)},
	}
	if _, err := u.fit(p, a, nil); err != nil {
		return err
	}
	if !reflect.DeepEqual(p, was) {
		return fmt.Errorf("the problem was changed by the fit")
	}
	return nil
}

func (u *suite) orderOfPairNeverMatters(a cluster.Algorithm) error {
	p := hard()
	want, err := u.hardFit(a)
	if err != nil {
		return err
	}
	flipped := func(list []constraint.Pair) []constraint.Pair {
		out := slices.Clone(list)
		for i, q := range out {
			out[i].I, out[i].J = q.J, q.I
		}
		return out
	}
	q := *p
	q.Constraints = &constraint.Set{Must: flipped(p.Constraints.Must), Cannot: flipped(p.Constraints.Cannot), Labels: p.Constraints.Labels}
	got, err := u.fit(&q, a, nil)
	if err != nil {
		return err
	}
	if err := same(want.Result, got); err != nil {
		return fmt.Errorf("with the points of each pair swapped, %w", err)
	}
	return nil
}
