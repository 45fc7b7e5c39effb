package centroid

import (
	"context"

	"github.com/inklinghq/inkling/internal/blocks"
)

// foresight lets a sweep of icm, which goes from point to point, make use of
// several goroutines: they find first where each point would go as all stand
// now. When its turn comes that is still right unless a partner has moved since;
// then it is found anew. So labels are those of the sweep alone.
type foresight struct {
	to    []int32 // where the points would go, in their order
	stale []bool  // by point: a partner has moved
}

// leastForeseen is how many points it takes to pay.
const leastForeseen = 2048

// foresee looks where the points of open would go, nil if that does not pay.
func (r *hmrfRun) foresee(ctx context.Context, open []int32) (*foresight, error) {
	if r.e.Workers == 1 || len(open) < leastForeseen || !r.billable() {
		return nil, nil
	}
	s := &foresight{to: make([]int32, len(open)), stale: make([]bool, len(r.labels))}
	err := blocks.Tasks(ctx, r.e.Workers, (len(open)+blocks.Len-1)/blocks.Len, func(at int) {
		b, lo := r.newBill(), at*blocks.Len
		for j, i := range open[lo:min(lo+blocks.Len, len(open))] {
			s.to[lo+j] = b.cheapest(int(i))
		}
	})
	return s, err
}

// swap is for shuffles.
func (s *foresight) swap(a, b int) {
	if s != nil {
		s.to[a], s.to[b] = s.to[b], s.to[a]
	}
}

// know reports whether it is still known where point i, the one at a place of
// the list, would go.
func (s *foresight) know(at int, i int32) (to int32, ok bool) {
	if s == nil || s.stale[i] {
		return 0, false
	}
	return s.to[at], true
}

// moved tells that point i has moved.
func (s *foresight) moved(f *field, i int32) {
	if s == nil {
		return
	}
	for _, t := range f.ties[f.start[i]:f.start[i+1]] {
		s.stale[t.to] = true
	}
}
