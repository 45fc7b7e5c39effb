package dedupe

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/inklinghq/inkling/internal/numeric/blocks"
)

// Constants of the model of Fellegi and Sunter.
const (
	randomPairs = 200_000 // from which u is estimated
	emPairs     = 400_000 // on which m is estimated, at most
	emSteps     = 40
	emTolerance = 1e-4
	crossweight = -3.0 // log-odds of values in each other's fields, before they are compared
	maxEvidence = 9.0
	minEvidence = -6.0
	mStrength   = 20.0 // pairs that the first guess of m counts as
	uStrength   = 50.0 // and that of u

	chanceStrength = 50.0 // records that the first guess of the chance of a value counts as
	firstChance    = 0.01

	givenStrength = 50.0 // pairs that u counts as, where u is estimated given another field
)

// firstM is the first guess of the shares of the levels among matches.
var firstM = [levels]float64{0.70, 0.16, 0.05, 0.03, 0.06}

// A mixture is the model of Fellegi and Sunter: matches and other pairs. Among matches the
// fields are independent. Among other pairs they are not: people of one household share
// surname, address and phone, an e-mail address repeats the name. There a field depends on
// the fields before it that agree, by the one that explains most.
type mixture struct {
	d     *distinct
	m, u  [][levels]float64   // by field
	given [][][levels]float64 // given[f][g] is u of field g where the earlier field f agrees
	prior float64             // log-odds of a match, of any two records

	dependent bool // given counts
}

// evidences writes the log-odds that the fields of a pair contribute.
func (x *mixture) evidences(p pair, c comparison, out []float64) {
	for g := range x.d.fields {
		l := c[g]
		if l == missing {
			out[g] = 0
			continue
		}
		chance := x.u[g][l]
		if l == equal { // the rarer the value, the less likely by chance
			chance = x.d.chance(x.d.shared(p, g, c[x.d.fields] > 0), g)
		}
		if l <= weak && x.dependent {
			for f := range g {
				if c[f] == equal || c[f] == near {
					chance = max(chance, x.given[f][g][l])
				}
			}
		}
		out[g] = min(max(math.Log(x.m[g][l]/chance), minEvidence), maxEvidence)
	}
}

// chance returns the probability that a record of somebody else has a value that count
// distinct records have: its frequency among the others, with a first guess that matters
// in small tables.
func (d *distinct) chance(count int32, f int) float64 {
	others := float64(max(count-1, 0))
	return min((others+chanceStrength*firstChance)/(float64(max(d.shown[f]-1, 0))+chanceStrength), 1)
}

// copyLogOdds returns the log-odds that two equal records describe the same entity, where
// one record in as many as there are does: high where less than one record like
// these is to be expected by chance.
func (d *distinct) copyLogOdds(u int32) float64 {
	s := -math.Log(float64(d.len()) + chanceStrength)
	for f, v := range d.valuesOf(u) {
		if v < 0 {
			continue
		}
		// No other distinct record has the value: the larger the table, the rarer it is.
		chance := 0.1 / (float64(d.shown[f]) + chanceStrength)
		if d.values[v].count > 1 {
			chance = d.chance(d.values[v].count, f)
		}
		s -= math.Log(chance)
	}
	return s
}

// total returns the log-odds of a match; e is room for the evidences.
func (x *mixture) total(p pair, c comparison, e []float64) float64 {
	x.evidences(p, c, e)
	s := x.prior + crossweight*float64(c[x.d.fields])
	for _, v := range e {
		s += v
	}
	return s
}

// fitMixture estimates the model from the comparisons of the candidate pairs.
func fitMixture(ctx context.Context, d *distinct, pairs []pair, compared []level, workers int) (*mixture, error) {
	x := &mixture{d: d, m: make([][levels]float64, d.fields), u: make([][levels]float64, d.fields), given: make([][][levels]float64, d.fields)}
	for f := range x.m {
		x.m[f] = firstM
		x.given[f] = make([][levels]float64, d.fields)
	}
	if err := x.estimateU(ctx, workers); err != nil {
		return nil, err
	}
	n := float64(d.len())
	all := max(n*(n-1)/2, 1)
	expected := n / 4 // matches at first
	x.prior = math.Log(expected / max(all-expected, expected))
	step := max(1, (len(pairs)+emPairs-1)/emPairs)
	sample := (len(pairs) + step - 1) / step
	equalPairs := d.equalPairs()
	width, nf := d.width(), d.fields
	matched := 0                  // where the sums of matches begin: by field and level,
	apart := nf * levels          // of other pairs: by field that is equal, other field and level,
	total := apart + nf*nf*levels // and of all matches
	converged := 0
	for range 2 * emSteps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		sums := make([]float64, total+1)
		blocks.Sums(workers, sample, func(lo, hi int, sums []float64) {
			e := make([]float64, nf)
			for s := lo; s < hi; s++ {
				i := s * step
				c := comparison(compared[i*width : (i+1)*width])
				p := sigmoid(x.total(pairs[i], c, e))
				sums[total] += p
				for f := range nf {
					if c[f] == missing {
						continue
					}
					sums[matched+f*levels+int(c[f])] += p
					if c[f] != equal {
						continue
					}
					for g := f + 1; g < nf; g++ {
						if c[g] != missing {
							sums[apart+(f*nf+g)*levels+int(c[g])] += 1 - p
						}
					}
				}
			}
		}, sums)
		for i := range sums {
			sums[i] *= float64(step)
		}
		matches := sums[total] + 0.5
		prior := math.Log(matches / max(all-matches, matches))
		change := math.Abs(prior - x.prior)
		x.prior = prior
		for f := range nf {
			seen := mStrength
			for l := range levels {
				seen += sums[matched+f*levels+l]
			}
			for l := range levels {
				m := (sums[matched+f*levels+l] + mStrength*firstM[l]) / seen
				change = max(change, math.Abs(m-x.m[f][l]))
				x.m[f][l] = m
			}
			for g := f + 1; g < nf && converged == 0; g++ {
				// Pairs that agree in f, candidates or not, are counted exactly.
				both := float64(d.filled[g]) / float64(max(d.rows, 1))
				pairs := max(equalPairs[f]-sums[matched+f*levels], 0)*both*both + givenStrength
				for l := range levels {
					at := apart + (f*nf+g)*levels + l
					x.given[f][g][l] = min((sums[at]+givenStrength*x.u[g][l])/pairs, 1)
				}
			}
		}
		if change < emTolerance {
			if converged++; converged == 2 {
				break
			}
			x.dependent = true
		}
	}
	return x, nil
}

// equalPairs returns for each field the number of pairs of distinct records that have
// the same value.
func (d *distinct) equalPairs() []float64 {
	out := make([]float64, d.fields)
	for f := range d.fields {
		count := make([]int32, len(d.values))
		for u := range d.len() {
			if v := d.cells[u*d.fields+f]; v >= 0 {
				out[f] += float64(count[v])
				count[v]++
			}
		}
	}
	return out
}

// estimateU counts levels among random pairs.
func (x *mixture) estimateU(ctx context.Context, workers int) error {
	d := x.d
	n := d.len()
	width := d.width()
	count := make([]float64, d.fields*levels)
	tries := min(randomPairs, max(40*n, 20_000))
	if n < 2 {
		tries = 0
	} else if all := n * (n - 1) / 2; n < 2000 && all < tries {
		tries = 2 * all
	}
	blocks.Sums(workers, tries, func(lo, hi int, sums []float64) {
		if ctx.Err() != nil {
			return
		}
		rng := rand.New(rand.NewPCG(1, uint64(lo)))
		c := make(comparison, width)
		for i := lo; i < hi; i++ {
			a, b := rng.IntN(n), rng.IntN(n-1)
			if b >= a {
				b++
			}
			p := orderedPair(int32(a), int32(b))
			va, vb := d.valuesOf(p.A), d.valuesOf(p.B)
			for f := range d.fields {
				c[f] = d.compareValues(va[f], vb[f])
				if c[f] != missing {
					sums[f*levels+int(c[f])]++
				}
			}
		}
	}, count)
	first := [levels]float64{0.01, 0.01, 0.02, 0.06, 0.9} // as many pairs as uStrength
	for f := range d.fields {
		seen := uStrength
		for l := range levels {
			seen += count[f*levels+l]
		}
		for l := range levels {
			x.u[f][l] = (count[f*levels+l] + uStrength*first[l]) / seen
		}
	}
	return ctx.Err()
}

func sigmoid(z float64) float64 {
	if z >= 0 {
		return 1 / (1 + math.Exp(-z))
	}
	e := math.Exp(z)
	return e / (1 + e)
}

func logit(p float64) float64 { return math.Log(p / (1 - p)) }
