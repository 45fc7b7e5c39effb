package lloyd

import (
	"context"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/device"
)

// assignOnDevice is an assignment by the device of the fit, if it has one that does it.
func (s *Search) assignOnDevice(ctx context.Context, pass *assignment) (done bool, err error) {
	dev := device.From(ctx)
	if dev == nil {
		return false, nil
	}
	x, ok := numbers(s.p.X)
	if !ok {
		return false, nil
	}
	s.found = scratch(s.found, len(s.labels))
	if done, err = dev.Nearest(ctx, x, s.p.X.Dim(), s.centres.C, s.found); !done || err != nil {
		return false, err
	}
	if s.bounds != nil {
		s.bounds.centres = nil // the device finds none
	}
	s.hasBounds = false
	pass.searched += len(s.labels)
	return true, s.accept(pass, s.found)
}

// acceptedAtOnce is how many labels a goroutine compares at a time.
const acceptedAtOnce = 1 << 16

// accept takes the labels that were found elsewhere for all rows.
func (s *Search) accept(pass *assignment, found []int32) error {
	moves := make([][]Move, (len(found)+acceptedAtOnce-1)/acceptedAtOnce)
	err := blocks.Tasks(context.Background(), s.e.Workers, len(moves), func(t int) {
		for i := t * acceptedAtOnce; i < min(len(found), (t+1)*acceptedAtOnce); i++ {
			h := found[i]
			if s.isFixed(i) {
				h = s.fixed[i]
			}
			if was := s.labels[i]; h != was {
				if s.labels[i] = h; !pass.First {
					moves[t] = append(moves[t], Move{int32(i), was})
				}
			}
		}
	})
	for _, m := range moves {
		pass.moves = append(pass.moves, m...)
	}
	return err
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
	if done, err = device.From(ctx).Nearest(ctx, rows, p.D, p.C, found); !done || err != nil {
		return nil, false, err
	}
	labels = make([]int, len(found))
	for i, h := range found {
		labels[i] = int(h)
	}
	return labels, true, nil
}
