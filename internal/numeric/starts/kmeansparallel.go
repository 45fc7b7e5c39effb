package starts

import (
	"context"
	"math/rand/v2"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
)

// samplingRounds is the number of rounds of k-means||; each draws about k rows.
const samplingRounds = 5

// KMeansParallel chooses centres by k-means|| (Bahmani and others 2012): a few
// rounds each draw about k rows at once, with probability proportional to
// weight times squared distance to those before; the rows drawn, weighted by the
// rows nearest to them, are then clustered themselves. That takes a few passes over
// the data, where k-means++ takes k. When ctx ends it uses the rows drawn so far.
func KMeansParallel(ctx context.Context, p *cluster.Problem, e *cluster.Env) *lloyd.Centres {
	d := p.X.Dim()
	pass := newPotentialPass(p)
	drawn := data.Copy(p.X, DrawCumulative(runningWeights(p.Weight, p.X.Len()), e.Rand.Float64()))
	for done, round := 0, 0; round < samplingRounds; round++ {
		if err := pass.addCentres(ctx, e, p.X, drawn[done:]); err != nil {
			break
		}
		done = len(drawn)
		if pass.total() == 0 {
			break // every row lies on one of them
		}
		more := &samplingPass{Dist: pass.Dist, Weight: p.Weight, Factor: float64(p.K) / pass.total(), Seed: e.Rand.Uint64()}
		if err := cluster.Sweep(ctx, e, p.X, more); err != nil {
			break
		}
		for _, i := range more.rows {
			drawn = append(drawn, data.Copy(p.X, i)...)
		}
		if len(drawn) == done {
			break
		}
	}
	if len(drawn) <= p.K*d {
		return KMeansPlusPlus(ctx, p, e, drawn)
	}
	return reclusterDrawn(ctx, p, e, drawn)
}

// reclusterDrawn clusters the rows drawn, weighted by the rows nearest to each.
func reclusterDrawn(ctx context.Context, p *cluster.Problem, e *cluster.Env, drawn []float64) *lloyd.Centres {
	c := lloyd.NewCentres(len(drawn)/p.X.Dim(), p.X.Dim(), drawn)
	fallback := lloyd.NewCentres(p.K, c.D, drawn[:p.K*c.D]) // in case ctx ends
	mass := make([]float64, c.K)
	if x, ok := p.X.(lloyd.SearchedRows); ok {
		found, err := x.Assign(ctx, c, nil)
		if err != nil {
			return fallback
		}
		for i, h := range found.Labels {
			mass[h] += p.W(i)
		}
	} else {
		labels, err := cluster.Predict(ctx, c, p.X, e.Workers)
		if err != nil {
			return fallback
		}
		for i, h := range labels {
			mass[h] += p.W(i)
		}
	}
	small := lloyd.Space{Problem: &cluster.Problem{X: &data.Dense{Cols: c.D, V: drawn}, Weight: mass, K: p.K}}
	if r := fitSmall(ctx, small, e, nil); r != nil {
		return r
	}
	return fallback
}

// samplingPass is the pass that draws each row on its own with probability
// Factor · weight · distance. Each block has its own random stream, so
// that the draw does not depend on the number of workers.
type samplingPass struct {
	Dist, Weight []float64
	Factor       float64
	Seed         uint64
	rows         []int
}

func (p *samplingPass) Block(_ data.Rows, lo, hi int) (rows []int) {
	r := rand.New(rand.NewPCG(p.Seed, uint64(lo)))
	for i := lo; i < hi; i++ {
		if r.Float64() < p.Factor*lloyd.WeightAt(p.Weight, i)*p.Dist[i] {
			rows = append(rows, i)
		}
	}
	return rows
}

func (p *samplingPass) Merge(_, _ int, rows []int) { p.rows = append(p.rows, rows...) }
