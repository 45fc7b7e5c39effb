package lloyd

import (
	"context"

	"github.com/inklinghq/inkling/cluster"
)

// A Swap takes the centre of cluster From away and gives clusters Split and From one
// half each of what cluster Split has been, with centres A and B.
type Swap struct {
	From, Split int32
	A, B        []float64
}

// PlanSwaps returns the swaps that promise most for labelled rows, the most promising
// first, and those that promise to gain and can be made together. Centres of clusters
// in keep are not taken away. Of sums it needs only the counts and the weights.
func PlanSwaps(ctx context.Context, p Space, e *cluster.Env, c *Centres, labels []int32, sums *KeptSums, keep []bool) (plan, together []Swap, err error) {
	all, err := (&estimate{p, e.Workers, c, labels, sums}).changes(ctx, nil)
	if err != nil {
		return nil, nil, err
	}
	export := func(list []swap) (out []Swap) {
		for _, s := range list {
			out = append(out, Swap{s.from, s.split, all[s.split].a, all[s.split].b})
		}
		return out
	}
	ranked := planSwaps(all, keep)
	return export(ranked), export(compatibleSwaps(ranked, all)), nil
}
