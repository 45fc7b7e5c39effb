package layout

import (
	"context"
	"errors"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
)

// How few rows are laid out: time is no matter, but a single point is.
const (
	fewRows      = 1000
	fewNearest   = 12 // neighbours that attract a row in the other picture, all alike
	fewTimes     = 2  // as many rounds
	judgeNearest = 15 // by which pictures are judged
	trustCounts  = 2  // times as much as continuity: a false neighbour misleads, one that is missed only is not seen
)

// moreFaithful lays rows out by two ideas of who is near, and returns the more faithful picture. The first is shown while it settles.
func moreFaithful(ctx context.Context, x data.Rows, first *Projection, o NeighbourOptions) (*Projection, error) {
	n := x.Len()
	there, err := affinity.KNN(ctx, x, n-1, affinity.KNNOptions{Workers: o.Workers})
	if err != nil {
		return nil, err
	}
	shares := [][]float64{descending(min(nearest, n-1)), alike(min(fewNearest, n-1))}
	type try struct {
		picture *Projection
		errors  int
		err     error
	}
	tries := make([]try, len(shares))
	err = blocks.Tasks(ctx, o.Workers, len(shares), func(t int) {
		own := NeighbourOptions{Workers: 1}
		if t == 0 {
			own.Show = o.Show
		}
		s := newSettling(n, own)
		s.begin(first)
		s.attract(s.nearestOf(there, len(shares[t])), shares[t])
		p, err := s.settle(ctx, [2]int{fewTimes * gatherRounds, fewTimes * settleRounds})
		if err == nil {
			tries[t].errors, err = unfaithful(ctx, there, p)
		}
		tries[t].picture, tries[t].err = p, err
	})
	if err = errors.Join(err, tries[0].err, tries[1].err); err != nil {
		return nil, err
	}
	if tries[1].errors < tries[0].errors {
		return tries[1].picture, nil
	}
	return tries[0].picture, nil
}

// unfaithful returns what a picture lacks in trustworthiness and in continuity (Venna and Kaski 2001), in ranks.
func unfaithful(ctx context.Context, there *affinity.Neighbours, p *Projection) (int, error) {
	places := make([]float64, 0, 2*there.N)
	for i := range p.X {
		places = append(places, p.X[i], p.Y[i])
	}
	plane, err := data.NewDense(2, places)
	if err != nil {
		return 0, err
	}
	here, err := affinity.KNN(ctx, plane, there.K, affinity.KNNOptions{Workers: 1})
	if err != nil {
		return 0, err
	}
	return trustCounts*tooFar(here, there) + tooFar(there, here), nil
}

// tooFar sums by how many ranks the nearest by one order are farther than that by the other; both are of all rows.
func tooFar(near, order *affinity.Neighbours) (sum int) {
	k := min(judgeNearest, near.K)
	rank := make([]int, near.N)
	for i := range near.N {
		all, _ := order.NeighboursOf(i)
		for q, j := range all {
			rank[j] = q + 1
		}
		nearest, _ := near.NeighboursOf(i)
		for _, j := range nearest[:k] {
			sum += max(0, rank[j]-k)
		}
	}
	return sum
}
