package starts

import (
	"context"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
)

const (
	// sampledPerCluster is the number of rows for each cluster in a sample.
	sampledPerCluster = 64
	// largeProblem is the number of multiplications of one pass over all rows, n·d·k,
	// from which a sample is clustered first.
	largeProblem = 500_000
)

// KMeansOnSample returns a k-means++ start. On large data it clusters a sample of the
// rows first, from such a start and as far as the effort allows, and returns the centres
// found: the search for a good minimum then takes a fraction of the time, and the
// iterations on all rows start near their end. When ctx ends it returns the best so far.
// sampled says whether a sample was clustered.
func KMeansOnSample(ctx context.Context, s lloyd.Space, e *cluster.Env) (c *lloyd.Centres, sampled bool) {
	n, rows := s.X.Len(), sampledPerCluster*s.K
	_, sparse := s.X.(*data.Sparse) // few rows of texts have most words in common with none
	if large := float64(n)*float64(s.X.Dim())*float64(s.K) >= largeProblem; large && !sparse && 2*rows <= n && e.Effort.Searches() {
		sample := &cluster.Problem{K: s.K}
		sample.X, sample.Weight = SampleRows(s.Problem, e, rows)
		if c := fitSmall(ctx, s.WithProblem(sample), e, nil); c != nil {
			return c, true
		}
	}
	return KMeansPlusPlus(ctx, s.Problem, e, nil), false
}

// fittedRows bounds the rows that FittedCentres clusters, unless there are more clusters
// than sampledPerCluster allows for.
const fittedRows = 20_000

// FittedCentres adds centres to those in first, which may be empty, until there are k:
// by k-means++, and, if the effort says so, by k-means with swaps from there, on a sample
// of the rows if there are many. The centres in first are returned as they are. It is for
// methods whose own iterations do not leave local minima. Restarts after the first get
// the k-means++ start, so that they differ. When ctx ends it returns the best so far.
func FittedCentres(ctx context.Context, s lloyd.Space, e *cluster.Env, first []float64) *lloyd.Centres {
	if !e.Effort.Searches() || e.Run > 0 {
		return KMeansPlusPlus(ctx, s.Problem, e, first)
	}
	rows := &cluster.Problem{K: s.K, X: s.X, Weight: s.Weight}
	if n := max(fittedRows, sampledPerCluster*s.K); n < s.X.Len() {
		rows.X, rows.Weight = SampleRows(s.Problem, e, n)
	}
	c := fitSmall(ctx, s.WithProblem(rows), e, first)
	if c == nil {
		return KMeansPlusPlus(ctx, s.Problem, e, first)
	}
	all := append(slices.Clone(first), c.C[len(first):]...)
	return lloyd.NewCentresIn(s.K, c.D, all, c.By)
}

// SampleRows returns count of the rows of p and their weights: one of each of count
// stretches of rows.
func SampleRows(p *cluster.Problem, e *cluster.Env, count int) (data.Rows, []float64) {
	n := p.X.Len()
	at := make([]int, count)
	var w []float64
	for s := range at {
		lo, hi := s*n/count, (s+1)*n/count
		at[s] = lo + e.Rand.IntN(hi-lo)
		if p.Weight != nil {
			w = append(w, p.Weight[at[s]])
		}
	}
	return data.Pick(p.X, at), w
}
