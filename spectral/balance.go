package spectral

import (
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/eigen"
)

// balance is the work of FastGE between the graph and the clusters.
type balance struct {
	a *FastGE
	*run
	g      *data.Graph // G, in one piece
	pencil *pencil     // of G and L_C
	asked  *demand     // what is known, to see how much of it is honoured
	start  [][]float64 // where iterations begin
	joined int
	best   *weighing
	tried  int
}

// A weighing is what comes of one c.
type weighing struct {
	*attempt
	c, phi float64
}

// prepare makes G and H. Where nothing is known of the nodes there is no pencil.
func (b *balance) prepare(ctx context.Context) error {
	b.listen()
	if len(b.field.at) <= b.p.K || b.p.Constraints.Empty() {
		return nil
	}
	l := newLinks(b.field, b.p.Constraints, b.a.LinkWeight)
	whole := *b.field
	var err error
	if whole.g, err = data.NewGraph(len(whole.at), append(listed(b.field.g), l.must(b.p.Constraints)...)); err != nil {
		return err
	}
	if b.g, b.joined, err = whole.connected(); err != nil {
		return err
	}
	lap, err := eigen.NewLaplacian(b.g, eigen.Normalised)
	if err != nil {
		return err
	}
	lap.Workers = b.e.Workers
	if b.asked, err = newDemand(b.field, b.p.Constraints, nil, b.p.K, lap.Degree); err != nil || len(b.asked.where) == 0 {
		return err
	}
	h, err := l.cannot(b.p.Constraints, lap.Degree)
	if err != nil {
		return err
	}
	b.pencil = newPencil(lap, h)
	if lap.Dim() <= denseNodes {
		return nil
	}
	top, err := newSpectrum(ctx, h, b.seed, b.e.Workers)
	if err != nil {
		return err
	}
	low, err := eigen.Smallest(ctx, lap, eigen.Options{K: b.p.K + 4, Tol: 1e-3, Rel: 0.1, Seed: b.seed, Workers: b.e.Workers})
	if err != nil {
		return err
	}
	b.start = append(low.Vectors[1:], top.vectors...)
	return nil
}

// solve finds the vectors, for the c that is given or for several.
func (b *balance) solve(ctx context.Context) error {
	c, _ := b.a.demand()
	list := []float64{c}
	if math.IsNaN(c) {
		list = []float64{1 / float64(b.pencil.l.Dim())}
		for _, c := range []float64{1e-3, 1e-2, 0.1, 1, 10} {
			if c > list[0] {
				list = append(list, c)
			}
		}
	}
	idle := 0
	for _, c := range list {
		t, err := b.weigh(ctx, c, 1e-3, 60)
		if err != nil {
			return err
		}
		if b.offer(t) {
			idle = 0
		} else if idle++; idle > patience && !b.best.localised {
			break
		}
	}
	if b.best == nil || b.pencil.l.Dim() <= denseNodes {
		return nil
	}
	t, err := b.weigh(ctx, b.best.c, 1e-5, 100)
	if err == nil && t.of != nil && t.localised == b.best.localised {
		b.best = t
	}
	return err
}

// weigh solves for one c and makes clusters of the vectors, if there are enough.
func (b *balance) weigh(ctx context.Context, c, tol float64, steps int) (*weighing, error) {
	s, need := b.pencil.at(-c), b.p.K-1
	t := &weighing{attempt: &attempt{schur: s, on: s.q.where}, c: c}
	b.tried++
	var err error
	if s.Dim() <= denseNodes {
		t.settled = true
		t.found, err = s.dense(ctx, need)
	} else {
		t.found, t.settled, err = s.lowest(ctx, b.start, need, steps, tol)
	}
	if err != nil || len(t.found) < need {
		return t, err
	}
	t.arrange(ByLambda, 0)
	t.used = need
	for _, y := range t.found[:need] {
		t.localised = t.localised || t.local(y.v)
	}
	if t.of, err = b.clusters(ctx, t); err != nil {
		return nil, err
	}
	t.honoured, t.cut = b.worth(t.of)
	return t, nil
}

// clusters makes clusters of the vectors: two where φ is lowest, more by
// k-means on rows, as they are or of unit length.
func (b *balance) clusters(ctx context.Context, t *weighing) (best []int, err error) {
	u := make([][]float64, t.used)
	for f, y := range t.found[:t.used] {
		u[f] = make([]float64, len(y.v))
		for i, x := range y.v {
			u[f][i] = x * t.q.half[i]
		}
	}
	if b.p.K == 2 {
		best, t.phi = t.sweep(b.g, t.c, u[0])
		return best, nil
	}
	plain, unit := newPoints(u), newPoints(u)
	unit.unit()
	for _, space := range []*points{plain, unit} {
		of, err := space.cluster(ctx, b.p.K, space.starts(b.p.K), b.e, nil)
		if err != nil {
			return nil, err
		}
		if best == nil || b.better(of, best) {
			best = of
		}
	}
	return best, nil
}

// worth returns how much of what is known a clustering honours, and its cut.
func (b *balance) worth(of []int) (honoured, cut float64) {
	labels := make([]int, b.p.Len())
	for at, i := range b.field.at {
		labels[i] = of[at]
	}
	cut, empty := ncut(b.field, labels, b.p.K)
	return b.asked.satisfied(of, b.p.K), cut + float64(empty)
}

func (b *balance) better(x, y []int) bool {
	h1, c1 := b.worth(x)
	h2, c2 := b.worth(y)
	return h1 > h2 || h1 == h2 && c1 < c2
}

// offer keeps t if it is better than the best so far, and says so.
func (b *balance) offer(t *weighing) bool {
	switch {
	case t.of == nil:
		return false
	case b.best != nil && t.localised != b.best.localised:
		if t.localised {
			return false
		}
	case b.best != nil:
		x, y := math.Round(100*t.honoured), math.Round(100*b.best.honoured)
		if x < y || x == y && t.cut >= b.best.cut {
			return false
		}
	}
	b.best = t
	return true
}

// finish takes the clusters of the best c.
func (b *balance) finish(ctx context.Context) (int, error) {
	if moved, done := b.eachAlone(); done {
		return moved, nil
	}
	told := &GeneralizedCut{Satisfied: 1, LeftOut: b.p.Len() - len(b.field.at)}
	b.told = told
	if b.best == nil {
		if b.pencil != nil { // too few vectors stand out of the rounding
			if err := b.embed(ctx, eigen.Normalised); err != nil {
				return 0, err
			}
		}
		return b.byRows(ctx)
	}
	t := b.best
	*told = GeneralizedCut{Demand: t.c, Satisfied: t.honoured, Phi: t.phi, Localised: t.localised, Loose: !t.settled,
		Tried: b.tried, Steps: b.pencil.steps, Joined: b.joined, LeftOut: told.LeftOut}
	for _, y := range t.found[:t.used] {
		told.Lambda = append(told.Lambda, y.lambda)
	}
	return b.settle(slices.Clone(t.of)), nil
}
