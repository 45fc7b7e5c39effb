package suspect

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/inklinghq/inkling/internal/numeric/posterior"
)

// metricFeatures is the number of columns up to which each is a feature of the
// learned distance.
const metricFeatures = 50

// folds is the number of parts of a cross-validation.
const folds = 5

// metricScores returns for each pair the log-odds that it belongs together, by a
// learned distance that was fitted to the pairs of other folds. When ctx ends they are not
// to be used.
func (j *judge) metricScores(ctx context.Context, g *posterior.Gram, links []link, at map[int]int) []float64 {
	features := j.pairFeatures(g, links, at)
	scores := make([]float64, len(links))
	foldOf := splitLinks(links, j.o.Seed)
	for f := range folds {
		var others []int
		for i := range links {
			if foldOf[i] != f {
				others = append(others, i)
			}
		}
		var x [][]float64
		var y []bool
		var w []float64
		for _, at := range someOf(len(others)) {
			i := others[at]
			x, y, w = append(x, features[i]), append(y, links[i].together), append(w, min(links[i].W, 1))
		}
		m := fitDistance(ctx, x, y, w)
		for i := range links {
			if foldOf[i] == f {
				scores[i] = m.logOdds(features[i])
			}
		}
	}
	return scores
}

// splitLinks returns the fold of each link: links of the same two points are in one
// fold.
func splitLinks(links []link, seed uint64) []int {
	rng := rand.New(rand.NewPCG(seed, 13))
	fold, of, next := make([]int, len(links)), map[[2]int]int{}, [2]int{}
	for _, i := range rng.Perm(len(links)) {
		key := [2]int{min(links[i].I, links[i].J), max(links[i].I, links[i].J)}
		kind := 0
		if links[i].together {
			kind = 1
		}
		f, ok := of[key]
		if !ok {
			f = next[kind] % folds
			next[kind]++
			of[key] = f
		}
		fold[i] = f
	}
	return fold
}

// pairFeatures returns for each pair how different its rows are: by the kernel, by
// distance and, where there are few columns, in each of them. Features are scaled to a
// mean of 1.
func (j *judge) pairFeatures(g *posterior.Gram, links []link, at map[int]int) [][]float64 {
	x := j.p.X
	wide := 1
	if x != nil {
		wide = 2
		if x.Dim() <= metricFeatures {
			wide += x.Dim()
		}
	}
	out := make([][]float64, len(links))
	mean := make([]float64, wide)
	var a, b []float64
	if x != nil {
		a, b = make([]float64, x.Dim()), make([]float64, x.Dim())
	}
	for i, l := range links {
		row := make([]float64, wide)
		row[0] = 1 - g.At(at[l.I], at[l.J])
		if x != nil {
			x.Row(l.I, a).Write(a)
			x.Row(l.J, b).Write(b)
			sum := 0.0
			for f := range a {
				d := math.Abs(a[f] - b[f])
				if sum += d * d; wide > 2 {
					row[2+f] = d
				}
			}
			row[1] = math.Sqrt(sum)
		}
		for f, y := range row {
			mean[f] += y / float64(len(links))
		}
		out[i] = row
	}
	for _, row := range out {
		for f := range row {
			if mean[f] > 0 {
				row[f] /= mean[f]
			}
		}
	}
	return out
}

// A distanceModel says that a pair belongs together with log-odds
// offset − Σ_f weight_f · difference_f, no weight below 0.
type distanceModel struct {
	offset float64
	weight []float64
}

func (m *distanceModel) logOdds(x []float64) float64 {
	s := m.offset
	for f, w := range m.weight {
		s -= float64(w * x[f])
	}
	return s
}

// fitDistance fits a distanceModel to pairs that may be wrong: the expectation of
// each being right, given a tenth wrong, and the model are computed in turn. The
// weights have a normal prior. When ctx ends the model is not done.
func fitDistance(ctx context.Context, x [][]float64, together []bool, weight []float64) *distanceModel {
	m := &distanceModel{}
	if len(x) == 0 {
		return m
	}
	d := len(x[0])
	m.weight = make([]float64, d)
	for f := range m.weight {
		m.weight[f] = 1 / float64(d)
	}
	s := newDistanceDescent(x, weight)
	for i, row := range x {
		s.score[i] = m.logOdds(row)
	}
	for round := range 15 {
		for i := range x {
			noise, q := posterior.PriorWrong, posterior.Logistic(s.score[i])
			if round == 0 {
				q = 0.5 // nothing is known yet
			}
			if together[i] {
				s.target[i] = (1 - noise) * q / ((1-noise)*q + noise*(1-q))
			} else {
				s.target[i] = noise * q / (noise*q + (1-noise)*(1-q))
			}
		}
		longest := 0.0
		for sweep := range 10 {
			if ctx.Err() != nil {
				return m
			}
			by := s.sweep(m)
			if sweep == 0 {
				longest = by
			}
			if by < settled {
				break
			}
		}
		if round > 0 && longest < settled {
			break // the expectations have settled too
		}
	}
	return m
}

// settled is the largest change of a weight at which a descent is over.
const settled = 1e-3

// A distanceDescent is a descent along the coordinates of a distanceModel.
type distanceDescent struct {
	column        [][]float64 // the differences of all pairs, by feature
	weight        []float64   // of the pairs
	score, target []float64   // their log-odds, and the probabilities to approach
	left, curve   []float64   // the gradient and the curvature of each pair at the quadratic approximation
}

func newDistanceDescent(x [][]float64, weight []float64) *distanceDescent {
	n, d := len(x), len(x[0])
	s := &distanceDescent{weight: weight, column: make([][]float64, d),
		score: make([]float64, n), target: make([]float64, n), left: make([]float64, n), curve: make([]float64, n)}
	for f := range s.column {
		s.column[f] = make([]float64, n)
		for i, row := range x {
			s.column[f][i] = row[f]
		}
	}
	return s
}

// sweep makes one Newton step along each coordinate of the quadratic approximation at the
// present scores, keeps these up to date, and returns the length of the longest step.
func (s *distanceDescent) sweep(m *distanceModel) (longest float64) {
	g, h := 0.0, 0.0
	for i, y := range s.score {
		q := posterior.Logistic(y)
		s.left[i], s.curve[i] = s.weight[i]*(s.target[i]-q), s.weight[i]*max(q*(1-q), 1e-4)
		g += s.left[i]
		h += s.curve[i]
	}
	if by := max(-2, min(2, (g-0.01*m.offset)/(h+0.01))); by != 0 {
		longest = math.Abs(by)
		m.offset += by
		for i := range s.score {
			s.score[i] += by
			s.left[i] -= s.curve[i] * by
		}
	}
	const ridge = 0.5 // the precision of the prior
	for f, column := range s.column {
		g, h := 0.0, 0.0
		for i, v := range column {
			g -= s.left[i] * v
			h += s.curve[i] * v * v
		}
		by := max(0, m.weight[f]+max(-2, min(2, (g-ridge*m.weight[f])/(h+ridge)))) - m.weight[f]
		if by == 0 {
			continue
		}
		longest = max(longest, math.Abs(by))
		m.weight[f] += by
		for i, v := range column {
			s.score[i] -= by * v
			s.left[i] += s.curve[i] * by * v
		}
	}
	return longest
}
