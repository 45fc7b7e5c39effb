package dedupe

import (
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/constraint"
)

// Constants of learning from links.
const (
	leastLinks      = 20  // from which on a model is learned
	factorDeviation = 0.5 // of the factors of the evidence around 1, before the links are seen
	offsetDeviation = 3.0 // of the offset, in log-odds
	newtonSteps     = 50

	matchesDeviation = 0.15   // of the logarithm of the number of matches around that without links
	anchorRange      = 6.0    // log-odds up to which a pair is an anchor
	anchorWeight     = 12.0   // links that all anchors count as
	anchorPairs      = 20_000 // on which matches are counted
	leastThreshold   = 0.35   // of those that are learned
	mostThreshold    = 0.65
	maxLinksLearned  = 20_000
)

// A linkModel rescales the evidence of the fields: agreement and disagreement of each field
// have a factor of their own, so that links can teach that an equal address is worth
// less, and a different first name more, than the fields' frequencies say.
type linkModel struct {
	x       *mixture
	factors []float64 // the offset, then by field those of agreement and disagreement, then that of crosswise values
}

// inputs writes what the factors multiply: 1, the positive and the negative evidence of each
// field, and the evidence of crosswise values.
func (x *mixture) inputs(p pair, c comparison, out []float64) {
	out[0] = 1
	e := make([]float64, x.d.fields)
	x.evidences(p, c, e)
	for f, v := range e {
		out[1+2*f], out[2+2*f] = max(v, 0), min(v, 0)
	}
	out[1+2*x.d.fields] = crossweight * float64(c[x.d.fields])
}

func (m *linkModel) total(p pair, c comparison, in []float64) float64 {
	m.x.inputs(p, c, in)
	return dot(m.factors, in)
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
func linkExamples(x *mixture, known *constraint.Set) (out []linkExample) {
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
			in := make([]float64, 2+2*x.d.fields)
			x.inputs(p, c, in)
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
func anchorExamples(x *mixture, sample [][]float64) (out []linkExample) {
	first := x.firstFactors()
	for _, in := range sample {
		if z := dot(first, in); math.Abs(z) < anchorRange {
			out = append(out, linkExample{in, sigmoid(z), 0})
		}
	}
	if most := 2000; len(out) > most {
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

// firstFactors are those of the model without links.
func (x *mixture) firstFactors() []float64 {
	w := make([]float64, 2+2*x.d.fields)
	for i := range w {
		w[i] = 1
	}
	w[0] = x.prior
	return w
}

// learnFactors fits the factors by Newton's method: logistic regression with a normal
// prior around the model without links. It is a convex problem.
func learnFactors(x *mixture, links, anchors []linkExample) []float64 {
	examples := slices.Concat(links, anchors)
	size := 2 + 2*x.d.fields
	first, precision := make([]float64, size), make([]float64, size)
	for i := range first {
		first[i], precision[i] = 1, 1/(factorDeviation*factorDeviation)
	}
	first[0], precision[0] = x.prior, 1/(offsetDeviation*offsetDeviation)
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
			if l := loss(trial); l < current-1e-10 {
				w, current, improved = trial, l, true
				break
			}
			scale /= 2
		}
		if !improved {
			break
		}
	}
	for i := 1; i < size; i++ { // evidence never counts the other way round
		w[i] = max(w[i], 0)
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
func anchorOffset(x *mixture, w []float64, examples []linkExample, sample [][]float64) {
	before, after := make([]float64, len(sample)), make([]float64, len(sample))
	first := x.firstFactors()
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

// learnThreshold returns the threshold that decides most links as they are, judged by
// models that have not seen them, the one nearest to the default where several do.
func learnThreshold(x *mixture, examples []linkExample, sample [][]float64) float64 {
	const folds = 5
	type judged struct{ z, match float64 }
	anchors := anchorExamples(x, sample)
	list := make([]judged, 0, len(examples))
	for fold := range folds {
		var seen []linkExample
		for i, e := range examples {
			if i%folds != fold {
				seen = append(seen, e)
			}
		}
		w := learnFactors(x, seen, anchors)
		anchorOffset(x, w, seen, sample)
		for i, e := range examples {
			if i%folds == fold {
				list = append(list, judged{dot(w, e.in), e.match})
			}
		}
	}
	best, at := math.Inf(-1), DefaultThreshold
	for t := leastThreshold; t < mostThreshold+0.01; t += 0.05 {
		z, right := logit(t), 0.0
		for _, j := range list {
			if (j.z > z) == (j.match > 0.5) {
				right++
			}
		}
		// One link more must be right for every step of 0.15 away from the default.
		if s := right - math.Abs(t-DefaultThreshold)/0.15; s > best+1e-9 {
			best, at = s, t
		}
	}
	return math.Round(at*100) / 100
}
