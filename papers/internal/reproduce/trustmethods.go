package reproduce

import (
	"context"
	"fmt"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/judge/experiment"
	"github.com/inklinghq/inkling/internal/judge/suspect"
)

// softMethods are soft methods with their defaults; those for graphs are
// given a graph of neighbours.
const softMethods = "mpc-kmeans,hmrf-kmeans,kernel-hmrf-kmeans,ss-kernel-kmeans:knn=10,csp,spectral-learning,graph-cut:knn=10"

const methodPairs = 100

// trustMethods measures how often single methods are worse with true pairs than
// without, on tables as they are and standardised.
func (l *Lab) trustMethods(ctx context.Context, sets []*trustSet) error {
	methods, err := experiment.ParseMethods(softMethods)
	if err != nil {
		return err
	}
	var tables []*trustSet
	for _, s := range sets {
		if s.table {
			tables = append(tables, s)
		}
	}
	draws := l.Repeats(2, 4)
	p := Part{Title: "Single methods with 100 true pairs",
		Text: fmt.Sprintf("Share of fits whose adjusted Rand index is lower by more than %v than that of the same method without pairs, and the mean gain ± standard error, over all tables.", worseBy),
		Head: []string{"method", "worse", "gain", "worse, standardised", "gain, standardised"}}
	for _, m := range methods {
		row := []string{m.String()}
		for _, scaled := range []bool{false, true} {
			how := map[bool]string{true: "standardised", false: "as they are"}[scaled]
			var keys []string
			for _, s := range tables {
				for d := range draws {
					keys = append(keys, fmt.Sprintf("%s, draw %d", s.title, d))
				}
			}
			gains, err := Try(ctx, l, fmt.Sprintf("%s, tables %s", m, how), keys, func(ctx context.Context, i int) (float64, error) {
				return l.methodGain(ctx, tables[i/draws], m, scaled, i%draws)
			})
			if err != nil {
				return err
			}
			worse := 0
			for _, g := range gains {
				if g < -worseBy {
					worse++
				}
			}
			share := float64(worse) / float64(len(gains))
			row = append(row, percent(share), signed(meanOfValues(gains)))
			l.Claim(fmt.Sprintf("(ours) %s on tables %s: fewer than 10 %% of fits are worse with %d true pairs", m, how, methodPairs), verdict(share < 0.10), "%s of %d", percent(share), len(gains))
		}
		p.Rows = append(p.Rows, row)
	}
	l.Put(p)
	return nil
}

// methodGain is what true pairs add to the adjusted Rand index of a method.
func (l *Lab) methodGain(ctx context.Context, s *trustSet, m experiment.Method, scaled bool, draw int) (float64, error) {
	p := s.p
	if scaled {
		var err error
		if p, err = s.standardised(); err != nil {
			return 0, err
		}
	}
	known, err := suspect.Trial{Pairs: methodPairs, Seed: l.Seed + uint64(1000*draw)}.Draw(s.truth)
	if err != nil {
		return 0, err
	}
	var ari [2]float64
	for i, with := range []bool{false, true} {
		q := *p
		if with {
			q.Constraints = known
		}
		r, err := cluster.Fit(ctx, &q, m.Algorithm(), l.trustSettings())
		if err != nil {
			return 0, err
		}
		if ari[i], _, err = indices(s.truth, r.Labels, nil); err != nil {
			return 0, err
		}
	}
	return ari[1] - ari[0], nil
}
