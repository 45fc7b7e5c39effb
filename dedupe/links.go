package dedupe

import (
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/constraint"
)

// Constants of learning from links.
const (
	leastLinks          = 20   // from which on a model is learned
	fieldDeviation      = 0.3  // of the weights of fields around 0, before the links are seen
	leastDeviation      = 0.1  // of the other weights around those without links,
	partDeviation       = 0.3  // and the part of them
	leastGainPerLink    = 0.01 // in nats, from which on what links teach is used,
	leastGainDeviations = 2.0  // and in standard deviations of the mean
	offsetPrecision     = 0.1
	newtonSteps         = 50

	matchesDeviation = 0.05   // of the logarithm of the number of matches around that without links
	anchorRange      = 6.0    // log-odds up to which a pair is an anchor
	anchorWeight     = 12.0   // links that all anchors count as
	anchorPairs      = 20_000 // on which matches are counted
	maxLinksLearned  = 20_000
)

// A linkModel gives the log-odds of a pair: weights of the inputs of the second stage, and of the agreement and disagreement of
// each field, which are 0 before there are links. So links can teach that an equal address is worth
// less, and a different first name more, than the fields' frequencies say.
type linkModel struct {
	x       *mixture
	best    []float64 // see bests
	weights []float64
}

func newLinkModel(x *mixture) *linkModel {
	m := &linkModel{x: x, weights: make([]float64, secondInputs+2*x.d.fields)}
	copy(m.weights, secondWeights[:])
	return m
}

// inputs writes what the weights multiply.
func (m *linkModel) inputs(p pair, c comparison, e, out []float64) {
	m.x.secondInputs(p, c, e, m.best, out[:secondInputs])
	for f, v := range e {
		out[secondInputs+2*f], out[secondInputs+2*f+1] = max(v, 0), min(v, 0)
	}
}

func dot(a, b []float64) (s float64) {
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}

// linkExample is a link as the regression sees it.
type linkExample struct {
	in     []float64
	match  float64 // 1 or 0; of an anchor the probability without links
	weight float64
}

// linkExamples returns the links between different records as examples, at most
// maxLinksLearned, evenly spaced.
func linkExamples(m *linkModel, known *constraint.Set) (out []linkExample) {
	x := m.x
	if known == nil {
		return nil
	}
	c := make(comparison, x.d.width())
	add := func(list []constraint.Pair, match float64) {
		step := max(1, (len(list)+maxLinksLearned-1)/maxLinksLearned)
		for i := 0; i < len(list); i += step {
			a, b := x.d.of[list[i].I], x.d.of[list[i].J]
			if list[i].I == list[i].J {
				continue
			}
			p := orderedPair(a, b)
			x.d.compare(p, c)
			in := make([]float64, len(m.weights))
			m.inputs(p, c, make([]float64, x.d.fields), in)
			out = append(out, linkExample{in, match, 1})
		}
	}
	add(known.Must, 1)
	add(known.Cannot, 0)
	return out
}

// anchorExamples returns candidate pairs that the model without links is not sure about, with
// its probabilities as answers: a prior that says how the many pairs look that nobody
// was asked about.
func anchorExamples(first []float64, sample [][]float64) (out []linkExample) {
	for _, in := range sample {
		if z := dot(first, in); math.Abs(z) < anchorRange {
			out = append(out, linkExample{in, sigmoid(z), 0})
		}
	}
	if most := 500; len(out) > most {
		step := float64(len(out)) / float64(most)
		for i := range most {
			out[i] = out[int(float64(i)*step)]
		}
		out = out[:most]
	}
	for i := range out {
		out[i].weight = anchorWeight / float64(len(out))
	}
	return out
}

// learnWeights fits the weights by Newton's method: logistic regression with a normal
// prior around the model without links. It is a convex problem.
func learnWeights(first []float64, links, anchors []linkExample) []float64 {
	precision := make([]float64, len(first))
	for i := range first {
		deviation := fieldDeviation
		if i < secondInputs {
			deviation = leastDeviation + partDeviation*math.Abs(first[i])
		}
		precision[i] = 1 / (deviation * deviation)
	}
	return fitLogistic(first, precision, slices.Concat(links, anchors))
}

// fitLogistic minimises the log-loss of the examples plus half the squared distance of the weights from the first ones, each by
// its precision.
func fitLogistic(first, precision []float64, examples []linkExample) []float64 {
	size := len(first)
	w := slices.Clone(first)
	loss := func(w []float64) float64 {
		s := 0.0
		for i := range w {
			s += precision[i] * (w[i] - first[i]) * (w[i] - first[i]) / 2
		}
		for _, e := range examples {
			z := dot(w, e.in)
			s += e.weight * (softplus(z) - e.match*z)
		}
		return s
	}
	current := loss(w)
	for range newtonSteps {
		gradient, hessian := make([]float64, size), make([][]float64, size)
		for i := range hessian {
			hessian[i] = make([]float64, size)
			hessian[i][i] = precision[i]
			gradient[i] = precision[i] * (w[i] - first[i])
		}
		for _, e := range examples {
			p := sigmoid(dot(w, e.in))
			for i, a := range e.in {
				gradient[i] += e.weight * (p - e.match) * a
				for j := range i + 1 {
					hessian[i][j] += e.weight * p * (1 - p) * a * e.in[j]
				}
			}
		}
		step := solveCholesky(hessian, gradient)
		scale, improved := 1.0, false
		for range 30 {
			trial := slices.Clone(w)
			for i := range trial {
				trial[i] -= scale * step[i]
			}
			if l := loss(trial); l < current-1e-7*math.Abs(current) {
				w, current, improved = trial, l, true
				break
			}
			scale /= 2
		}
		if !improved {
			break
		}
	}
	return w
}

func softplus(z float64) float64 {
	if z > 0 {
		return z + math.Log1p(math.Exp(-z))
	}
	return math.Log1p(math.Exp(z))
}

// solveCholesky solves a x = b for a symmetric positive definite a, whose lower half is
// given and overwritten.
func solveCholesky(a [][]float64, b []float64) []float64 {
	n := len(b)
	for i := range n {
		for j := range i + 1 {
			s := a[i][j]
			for k := range j {
				s -= a[i][k] * a[j][k]
			}
			if i == j {
				a[i][i] = math.Sqrt(max(s, 1e-12))
			} else {
				a[i][j] = s / a[j][j]
			}
		}
	}
	x := slices.Clone(b)
	for i := range n {
		for k := range i {
			x[i] -= a[i][k] * x[k]
		}
		x[i] /= a[i][i]
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			x[i] -= a[k][i] * x[k]
		}
		x[i] /= a[i][i]
	}
	return x
}

// anchorOffset moves the offset so that the number of matches that the model expects among
// sample pairs stays near that of the model without links. People answer more questions
// about matches than there are, and about easy pairs: from links alone the share of
// matches cannot be known.
func anchorOffset(first, w []float64, examples []linkExample, sample [][]float64) {
	before, after := make([]float64, len(sample)), make([]float64, len(sample))
	expected := 0.5
	for i, in := range sample {
		before[i], after[i] = dot(first, in), dot(w, in)
		expected += sigmoid(before[i])
	}
	cost := func(shift float64) float64 {
		s, matches := 0.0, 0.5
		for _, e := range examples {
			z := dot(w, e.in) + shift
			s += softplus(z) - e.match*z
		}
		for _, z := range after {
			matches += sigmoid(z + shift)
		}
		off := math.Log(matches / expected)
		return s + off*off/(2*matchesDeviation*matchesDeviation)
	}
	lo, hi := -12.0, 12.0
	for range 60 { // ternary search
		a, b := lo+(hi-lo)/3, hi-(hi-lo)/3
		if cost(a) <= cost(b) {
			hi = b
		} else {
			lo = a
		}
	}
	w[0] += (lo + hi) / 2
}

// linksHelp reports whether weights that are learned from links judge links that they have not seen better than the weights without
// links, in five folds, by the logarithm of the probability of the answers. People choose what they answer, so the share of matches among
// links says nothing: each fold is judged with the offset that suits its links best, for both. The gain must be one that chance hardly gives.
func linksHelp(first []float64, examples []linkExample, sample [][]float64) bool {
	const folds = 5
	anchors := anchorExamples(first, sample)
	var gains []float64
	for fold := range folds {
		var seen, unseen []linkExample
		for i, e := range examples {
			if i%folds == fold {
				unseen = append(unseen, e)
			} else {
				seen = append(seen, e)
			}
		}
		w := learnWeights(first, seen, anchors)
		before, after := offsetLosses(first, seen, unseen), offsetLosses(w, seen, unseen)
		for i := range before {
			gains = append(gains, before[i]-after[i])
		}
	}
	n := float64(len(gains))
	mean, square := 0.0, 0.0
	for _, g := range gains {
		mean, square = mean+g/n, square+g*g/n
	}
	deviation := math.Sqrt(max(square-mean*mean, 0) / n)
	return mean > leastGainPerLink && mean > leastGainDeviations*deviation
}

// offsetLosses returns the log-losses of unseen links with the offset that suits the seen ones.
func offsetLosses(w []float64, seen, unseen []linkExample) []float64 {
	shift := 0.0
	for range newtonSteps {
		gradient, curve := -offsetPrecision*shift, offsetPrecision
		for _, e := range seen {
			p := sigmoid(dot(w, e.in) + shift)
			gradient += e.match - p
			curve += p * (1 - p)
		}
		shift += min(max(gradient/curve, -1), 1)
	}
	out := make([]float64, len(unseen))
	for i, e := range unseen {
		z := dot(w, e.in) + shift
		out[i] = softplus(z) - e.match*z
	}
	return out
}
