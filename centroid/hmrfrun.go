package centroid

import (
	"context"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/blocks"
)

// hmrfRun is one run of HMRF. The search knows for each point the nearest
// centre; points of which nothing is known take it, the others weigh it against
// what their pairs cost.
type hmrfRun struct {
	a      *HMRF
	e      *cluster.Env
	p      space
	f      *field
	known  []bool // of which points something is known
	price  float64
	search *lloyd // its labels are the nearest centres, its sums are ours

	labels  []int32   // -1: none yet
	told    []int     // the labels as Labels returns them
	own     []float64 // the distortion of each point where it is
	bad     []int32   // violated ties of each point, those with crowds left out
	crowds  *crowds
	pen     []float64 // what the point under consideration pays, by cluster
	buf     []float64
	terms   cluster.Terms
	settled bool
}

func startHMRF(ctx context.Context, a *HMRF, p *cluster.Problem, e *cluster.Env, first *Centres) (cluster.Run, error) {
	n := p.Len()
	r := &hmrfRun{a: a, e: e, p: newSpace(p, Euclidean), f: newField(p, a.Closure), known: make([]bool, n),
		labels: slices.Repeat([]int32{-1}, n), told: make([]int, n), own: make([]float64, n), bad: make([]int32, n),
		pen: make([]float64, p.K), buf: make([]float64, p.X.Dim())}
	for _, i := range r.f.points {
		r.known[i] = true
	}
	r.crowds = newCrowds(r.f, p.K)
	if r.price, _ = a.weight(); r.price < 0 {
		r.price = autoWeight(p, e)
	}
	if err := r.startSearch(ctx, first); err != nil {
		return nil, err
	}
	_, err := r.infer(context.WithoutCancel(ctx))
	r.settled = false
	return r, err
}

// startSearch has every point find its nearest centre.
func (r *hmrfRun) startSearch(ctx context.Context, first *Centres) error {
	s, err := startLloyd(ctx, r.p, r.e, first, nil)
	if err != nil {
		return err
	}
	r.search = s.(*lloyd)
	return nil
}

func (r *hmrfRun) Stages() []cluster.Stage {
	if r.settled {
		return nil
	}
	return []cluster.Stage{{Name: "means", Do: r.means}, {Name: "assign", Do: r.assign}}
}

func (r *hmrfRun) Labels() []int {
	for i, h := range r.labels {
		r.told[i] = int(h)
	}
	return r.told
}

// Model returns the centres themselves: they are replaced, never changed.
func (r *hmrfRun) Model() cluster.Model { return r.search.centres }

// assign searches the nearest centres and weighs them against the pairs.
func (r *hmrfRun) assign(ctx context.Context) (moved int, err error) {
	if _, err := r.search.assign(ctx); err != nil {
		return 0, err
	}
	return r.infer(ctx)
}

// infer labels all points: those of which nothing is known with their nearest
// centres, the others as the inference says.
func (r *hmrfRun) infer(ctx context.Context) (moved int, err error) {
	near := r.search.labels
	var open []int32
	for i, h := range near {
		switch {
		case !r.known[i]:
			if r.labels[i] != h {
				r.labels[i] = h
				moved++
			}
		case r.labels[i] != h || r.bad[i] > 0:
			open = append(open, int32(i))
		}
	}
	m, err := r.icm(ctx, open)
	if err != nil {
		return 0, err
	}
	moved += m
	r.settle()
	r.settled = moved == 0
	return moved, nil
}

// settle brings sums, distortions and terms into line with the labels.
func (r *hmrfRun) settle() {
	s := r.search
	for i, h := range r.labels {
		if g := s.labels[i]; g == h {
			r.own[i] = s.dist[i]
		} else {
			v, w := r.p.X.Row(i, r.buf), r.p.W(i)
			r.own[i] = s.centres.dist2(v, int(h))
			s.sums.add(int(g), v, -w, -1)
			s.sums.add(int(h), v, w, 1)
		}
	}
	for h, n := range s.sums.Count {
		if n == 0 {
			s.sums.Mass[h] = 0
		}
	}
	cost := 0.0
	for lo := 0; lo < len(r.own); lo += blocks.Len {
		part := 0.0
		for i := lo; i < min(lo+blocks.Len, len(r.own)); i++ {
			part += float64(r.p.W(i) * r.own[i])
		}
		cost += part
	}
	r.terms = append(cluster.Terms{{Name: "distortion", Value: r.p.price(cost)}}, r.violations(func(i int32) bool { return r.bad[i] > 0 })...)
}

func (r *hmrfRun) Tracked() cluster.Terms { return r.terms }

// Objective adds up everything from labels and centres alone.
func (r *hmrfRun) Objective(ctx context.Context) (cluster.Terms, error) {
	pass := &distortion{Centres: r.search.centres, Labels: r.labels, Weight: r.p.Weight}
	if err := cluster.Sweep(ctx, r.e, r.p.X, pass); err != nil {
		return nil, err
	}
	r.crowds.read(r.labels)
	all := r.violations(func(int32) bool { return true })
	return append(cluster.Terms{{Name: "distortion", Value: r.p.price(pass.sum)}}, all...), nil
}

// violations prices what the labels violate, looking at the points that look
// allows; every point with a violated tie must be among them.
func (r *hmrfRun) violations(look func(i int32) bool) cluster.Terms {
	var must, cannot, labels float64
	for _, i := range r.f.points {
		for _, l := range r.f.told(int(i)) {
			if int(r.labels[i]) != l.Class {
				labels += float64(l.W * r.price)
			}
		}
		if !look(i) {
			continue
		}
		g := r.labels[i]
		r.f.each(int(i), func(j int32, together bool, w float64) {
			if j < i {
				return
			}
			switch h := r.labels[j]; {
			case together && g != h:
				must += float64(w * r.price)
			case !together && g == h:
				cannot += float64(w * r.price)
			}
		})
	}
	if r.f.crowd != nil {
		m, c := r.crowds.violated(r.labels)
		must += m * r.f.unit * r.price
		cannot += c * r.f.unit * r.price
	}
	return cluster.Terms{{Name: "must-links", Value: must}, {Name: "cannot-links", Value: cannot}, {Name: "labels", Value: labels}}
}

// means refills empty clusters and moves each centre to the mean of its points.
func (r *hmrfRun) means(ctx context.Context) (moved int, err error) {
	moved = r.refill()
	s := r.search
	next := &Centres{K: s.centres.K, D: s.centres.D, C: slices.Clone(s.sums.Sum), norm: make([]float64, s.centres.K)}
	err = blocks.Tasks(ctx, r.e.Workers, next.K, func(h int) {
		s.mean(h, next.At(h))
		next.norm[h] = data.Norm2(next.At(h))
	})
	if err == nil {
		s.centres = next
	}
	return moved, err
}

// refill gives each empty cluster the point by which J falls most, never the
// last of its cluster.
func (r *hmrfRun) refill() (moved int) {
	s := r.search
	for h := range s.sums.Mass {
		if s.sums.Count[h] > 0 {
			continue
		}
		best, most := -1, 0.0
		for i, d := range r.own {
			g := r.labels[i]
			if s.sums.Count[g] < 2 {
				continue
			}
			gain := d * r.p.W(i)
			if r.known[i] {
				pen := r.penalties(i)
				gain += pen[g] - pen[h]
			}
			if gain > most {
				best, most = i, gain
			}
		}
		if best < 0 {
			return moved
		}
		v, w := r.p.X.Row(best, r.buf), r.p.W(best)
		s.sums.add(int(r.labels[best]), v, -w, -1)
		s.sums.add(h, v, w, 1)
		r.move(best, int32(h), nil)
		r.own[best] = 0
		moved++
	}
	return moved
}
