package lloyd

import (
	"context"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/device"
)

// onDevice is what a search knows of the labels that a device has found.
type onDevice struct {
	found  []int32 // by its last search, where it did not say what has moved
	agrees bool    // the labels of all rows are these
	listed bool    // what the last pass has moved is what the device has moved in its last search
	summed bool    // the sums are what the device has written last
	spare  device.Sums
}

// assignOnDevice is an assignment by the device of the fit, if it has one that does it.
func (s *Search) assignOnDevice(ctx context.Context, pass *assignment) (done bool, err error) {
	was := s.device
	s.device.agrees, s.device.listed = false, false
	dev := device.From(ctx)
	if dev == nil {
		return false, nil
	}
	x, ok := numbers(s.p.X)
	if !ok {
		return false, nil
	}
	s.device.found = scratch(s.device.found, len(s.labels))
	moved, done, err := dev.Nearest(ctx, x, s.p.X.Dim(), s.centres.C, s.device.found, pass.First, !was.agrees)
	if !done || err != nil {
		return false, err
	}
	if s.bounds != nil {
		s.bounds.centres = nil // the device finds none
	}
	s.hasBounds = false
	pass.searched += len(s.labels)
	s.device.agrees = s.fixed == nil
	s.device.listed = moved.Listed && s.device.agrees && (was.agrees || pass.First)
	if moved.Moves != nil {
		at := len(pass.moves)
		pass.moves = slices.Grow(pass.moves, len(moved.Moves))[:at+len(moved.Moves)]
		blocks.Rows(s.e.Workers, len(moved.Moves), func(lo, hi int) {
			for j, m := range moved.Moves[lo:hi] {
				s.labels[m.Row] = m.To
				pass.moves[at+lo+j] = Move{m.Row, m.From}
			}
		})
		return true, nil
	}
	return true, s.accept(pass, s.device.found)
}

// leastOnDevice is how many numbers must be added to sums for the device to do it.
const leastOnDevice = 1 << 19

// updateSums is Update of the sums for the moves of the last pass, by the device where that has found them.
func (r *Run) updateSums(ctx context.Context, at *Centres, moves []Move) (CostChange, error) {
	num, x := len(moves), device.Numbers{}
	if moves == nil {
		num, at = len(r.labels), nil
	}
	onDevice := r.device.listed && r.p.Weight == nil && num*r.sums.D >= leastOnDevice
	if onDevice {
		x, onDevice = numbers(r.p.X)
	}
	same := r.device.summed
	r.device.summed = false
	if !onDevice {
		return r.sums.Update(ctx, r.e, r.p.Problem, at, r.labels, moves)
	}
	r.device.listed = false
	was, now := device.Sums{Sum: r.sums.Sum, Rest: r.sums.sumError}, r.device.spare
	if len(now.Sum) != len(was.Sum) {
		now = device.Sums{Sum: make([]float64, len(was.Sum)), Rest: make([]float64, len(was.Sum))}
	}
	more := make([]int32, len(r.sums.Count))
	done, err := device.From(ctx).AddMoves(ctx, x, r.sums.D, r.device.found, was, now, more, same)
	if !done || err != nil {
		if err != nil {
			return CostChange{}, err
		}
		return r.sums.Update(ctx, r.e, r.p.Problem, at, r.labels, moves)
	}
	before := &KeptSums{&Sums{r.sums.D, was.Sum, slices.Clone(r.sums.Mass), nil}, was.Rest, slices.Clone(r.sums.massError)}
	r.sums.Sum, r.sums.sumError, r.device.spare = now.Sum, now.Rest, was
	for h, n := range more {
		r.sums.Count[h] += int(n)
	}
	r.sums.settleMass(r.p.Problem)
	r.sums.clearEmpty()
	r.device.summed = !slices.Contains(r.sums.Count, 0)
	if at == nil {
		return CostChange{}, nil
	}
	return r.sums.CostSince(before, at.C, nil, r.e.Workers), nil
}

// acceptedAtOnce is how many labels a goroutine compares at a time.
const acceptedAtOnce = 1 << 16

// accept takes the labels that were found elsewhere for all rows.
func (s *Search) accept(pass *assignment, found []int32) error {
	ctx, tasks := context.Background(), (len(found)+acceptedAtOnce-1)/acceptedAtOnce
	each := func(t int, moved func(i int, h int32)) {
		for i := t * acceptedAtOnce; i < min(len(found), (t+1)*acceptedAtOnce); i++ {
			h := found[i]
			if s.isFixed(i) {
				h = s.fixed[i]
			}
			if h != s.labels[i] {
				moved(i, h)
			}
		}
	}
	start := make([]int, tasks+1) // where the moves of a task are
	start[0] = len(pass.moves)
	if !pass.First {
		if err := blocks.Tasks(ctx, s.e.Workers, tasks, func(t int) { each(t, func(int, int32) { start[t+1]++ }) }); err != nil {
			return err
		}
		for t := range tasks {
			start[t+1] += start[t]
		}
		pass.moves = slices.Grow(pass.moves, start[tasks]-start[0])[:start[tasks]]
	}
	return blocks.Tasks(ctx, s.e.Workers, tasks, func(t int) {
		at := start[t]
		each(t, func(i int, h int32) {
			if !pass.First {
				pass.moves[at] = Move{int32(i), s.labels[i]}
				at++
			}
			s.labels[i] = h
		})
	})
}

// numbers returns dense rows in memory as a device reads them.
func numbers(x data.Rows) (device.Numbers, bool) {
	switch x := x.(type) {
	case *data.Dense:
		return device.Numbers{F64: x.V}, true
	case *data.Dense32:
		return device.Numbers{F32: x.V}, true
	}
	return device.Numbers{}, false
}

// PlaceAll labels all rows of x with their nearest centres by the device of ctx, if there
// is one that has to: one search alone is not worth the way of the rows to it.
func (p *PackedCentres) PlaceAll(ctx context.Context, x data.Rows) (labels []int, done bool, err error) {
	rows, ok := numbers(x)
	if p.By.Unit || !ok || !device.From(ctx).Insists() {
		return nil, false, nil
	}
	found := make([]int32, x.Len())
	if done, err = device.From(ctx).Place(ctx, rows, p.D, p.C, found); !done || err != nil {
		return nil, false, err
	}
	labels = make([]int, len(found))
	for i, h := range found {
		labels[i] = int(h)
	}
	return labels, true, nil
}
