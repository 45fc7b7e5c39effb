package reproduce

import (
	"context"
	"fmt"
	"time"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/judge/experiment"
)

// clock returns how many milliseconds a fit takes by each method, one start on
// one worker, on average over draws of pairs from half of the rows. The methods
// take turns, and of three rounds the best counts, so that other work on the
// machine disturbs all of them alike and little.
func (l *Lab) clock(ctx context.Context, step string, p *cluster.Problem, truth []int, methods []experiment.Method, pairs, draws int) ([]float64, error) {
	c := &experiment.Curve{Problem: p, Truth: truth, Folds: 2, Settings: cluster.Default()}
	c.Settings.Seed, c.Settings.Restarts, c.Settings.Workers = l.Seed, 1, 1
	key := fmt.Sprintf("%v, n=%d, k=%d, pairs=%d, draws=%d", methods, p.Len(), p.K, pairs, draws)
	// One trial: side by side with others, times would be of nothing.
	all, err := Try(ctx, l, step, []string{key}, func(ctx context.Context, _ int) ([]float64, error) {
		sum := make([]float64, len(methods))
		for draw := range draws {
			known, err := c.Known(draw, 0, experiment.Amount{Pairs: pairs})
			if err != nil {
				return nil, err
			}
			q := *p
			q.Constraints = known
			best := make([]float64, len(methods))
			for round := range 3 {
				for m, method := range methods {
					began := time.Now()
					if _, err := cluster.Fit(ctx, &q, method.Algorithm(), c.Settings); err != nil {
						return nil, fmt.Errorf("%s: %w", method, err)
					}
					took := float64(time.Since(began).Nanoseconds()) / 1e6
					if round == 0 || took < best[m] {
						best[m] = took
					}
				}
			}
			for m := range best {
				sum[m] += best[m] / float64(draws)
			}
		}
		return sum, nil
	})
	if err != nil {
		return nil, err
	}
	return all[0], nil
}
