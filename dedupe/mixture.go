package dedupe

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// Constants of the model of Fellegi and Sunter.
const (
	randomPairs = 200_000 // from which u is estimated
	emPairs     = 400_000 // on which the model is estimated, at most
	emSteps     = 30
	emTolerance = 1e-4
	crossweight = -3.0 // log-odds of values in each other's fields, before they are compared
	maxEvidence = 9.0
	minEvidence = -6.0
	mStrength   = 20.0 // pairs that the first guess of m counts as,
	mPart       = 1.0  // and the part of the matches,
	mPartFixed  = 1.0  // of fields that do not change
	uStrength   = 50.0 // and that of u

	chanceStrength = 50.0 // records that the first guess of the chance of a value counts as
	firstChance    = 0.01

	givenStrength = 20.0 // pairs that the shares of a field count as, where they are estimated given another field
	enoughRandom  = 30   // random pairs from which on they say how frequent two levels are together
	independSteps = 3    // first steps, without dependence
	strictSteps   = 6    // first steps, in which a match differs in no field that does not change
	mostSharing   = 3.0  // records that have the code of a record, by chance or as its copies, where codes name one thing
)

// firstM are the first guesses of the shares of the levels among matches, by kind: names and dates of birth
// stay, addresses and phones change, prices vary.
var firstM = [kindCount][levels]float64{
	text:    {0.62, 0.14, 0.14, 0.03, 0.02, 0.05},
	person:  {0.72, 0.11, 0.10, 0.02, 0.01, 0.04},
	email:   {0.75, 0.12, 0.02, 0.01, 0.02, 0.08},
	phone:   {0.78, 0.08, 0.03, 0.01, 0.01, 0.09},
	address: {0.66, 0.12, 0.08, 0.04, 0.02, 0.08},
	date:    {0.86, 0.07, 0.03, 0.01, 0.01, 0.02},
	code:    {0.85, 0.06, 0.02, 0.01, 0.01, 0.05},
	number:  {0.65, 0.10, 0.07, 0.04, 0.04, 0.10},
}

// firstU is the first guess of the shares among other pairs.
var firstU = [levels]float64{0.01, 0.01, 0.02, 0.02, 0.04, 0.9}

// changing are kinds of fields that change in the life of one entity.
var changing = [kindCount]bool{email: true, phone: true, address: true, number: true}

// A dependence is a distribution of comparisons in which each field depends on at most one of the fields before it. On which
// is decided by their levels: on the one that, at its level, moves this field farthest from
// what is usual. So an e-mail address that repeats the name, or a household with one surname, address
// and phone, does not count as often as it has fields.
type dependence struct {
	alone  [][levels]float64           // shares of the levels of a field
	given  [][levels][][levels]float64 // given[f][a][g]: those of field g where the earlier field f has level a
	parent []int                       // the field that each depends on, −1 where none
}

// A mixture is the model of Fellegi and Sunter: matches and other pairs, each with its dependence.
type mixture struct {
	d             *distinct
	matches, rest dependence
	u             [][levels]float64 // shares among random pairs, by field
	together      []float64         // pairs of levels of two fields among random pairs, see pairSums
	random        float64           // how many random pairs these are
	prior         float64           // log-odds of a match, of any two records
	naming        []bool            // see namingCodes
}

// evidences writes the log-odds that the fields of a pair contribute.
func (x *mixture) evidences(p pair, c comparison, out []float64) {
	for f := range x.d.fields {
		l := c[f]
		if l == missing {
			out[f] = 0
			continue
		}
		m := x.matches.shares(c, f)[l]
		u := x.rest.shares(c, f)[l]
		if l == equal { // the rarer the value, the less likely by chance; what another field explains is no chance
			chance := x.d.chance(x.d.shared(p, f, c[x.d.fields] > 0), f)
			u = min(chance+max(u-x.u[f][equal], 0), 1)
		}
		out[f] = min(max(math.Log(m/u), minEvidence), maxEvidence)
	}
}

// differs reports whether a pair differs in a field that does not change in the life of an entity: two people
// of a household, two sizes of a product. The first steps count such pairs as other pairs, so that
// these, which agree in so much else, are learned as others that depend, not as matches with errors. Numbers that
// name one thing, such as serial numbers, are given in series: a neighbour is not a typing error either.
func (x *mixture) differs(c comparison) bool {
	for f, k := range x.d.kinds {
		if c[f] == different && (k == person || k == date) || c[f] > equal && x.naming[f] {
			return true
		}
	}
	return false
}

// keepErrors gives the levels of typing errors the shares that they had at first, and the others what remains: in a field of
// codes from series, pairs with errors say how many neighbours there are, not how often matches are written wrong.
func keepErrors(shares, first *[levels]float64) {
	kept := 0.0
	for l := near; l < different; l++ {
		shares[l] = min(shares[l], first[l])
		kept += shares[l]
	}
	rest := shares[equal] + shares[different]
	for _, l := range []level{equal, different} {
		shares[l] *= (1 - kept) / rest
	}
}

// namingCodes returns the fields of codes that hardly two entities share.
func (x *mixture) namingCodes() []bool {
	out := make([]bool, x.d.fields)
	for f, k := range x.d.kinds {
		out[f] = k == code && x.u[f][equal]*float64(x.d.len()) < mostSharing
	}
	return out
}

// shares returns the shares of the levels of field g, given its parent.
func (t *dependence) shares(c comparison, g int) *[levels]float64 {
	if f := t.parent[g]; f >= 0 && c[f] != missing {
		return &t.given[f][c[f]][g]
	}
	return &t.alone[g]
}

// chowLiu returns the parents of the fields in the tree with the largest sum of mutual
// information, by Prim's algorithm from field 0.
func chowLiu(s pairSums) []int {
	nf := s.nf
	parent, best := make([]int, nf), make([]float64, nf)
	in := make([]bool, nf)
	for f := range parent {
		parent[f], best[f] = -1, -1
	}
	for range nf {
		next := -1
		for f := range nf {
			if !in[f] && (next < 0 || best[f] > best[next]) {
				next = f
			}
		}
		in[next] = true
		for f := range nf {
			if in[f] {
				continue
			}
			if v := s.information(next, f); v > best[f] {
				best[f], parent[f] = v, next
			}
		}
	}
	return parent
}

// information returns the mutual information of two fields, in nats.
func (s pairSums) information(f, g int) (sum float64) {
	var a, b [levels]float64
	total := 1e-300
	for i := range levels {
		for j := range levels {
			w := *s.at(f, g, i, j)
			a[i] += w
			b[j] += w
			total += w
		}
	}
	for i := range levels {
		for j := range levels {
			if w := *s.at(f, g, i, j); w > 0 {
				sum += w / total * math.Log(w*total/(a[i]*b[j]))
			}
		}
	}
	return sum
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

// A pairSums is a table of weights by two fields f < g and their levels: at (f·nf + g)·levels².
// On the diagonal f = g it has the weights of the levels of one field.
type pairSums struct {
	nf  int
	sum []float64
}

func newPairSums(nf int, sum []float64) pairSums { return pairSums{nf, sum} }

func pairSumsLen(nf int) int { return nf * nf * levels * levels }

func (s pairSums) at(f, g int, a, b int) *float64 {
	if f > g {
		f, g, a, b = g, f, b, a
	}
	return &s.sum[((f*s.nf+g)*levels+a)*levels+b]
}

// add adds a comparison of weight w.
func (s pairSums) add(c comparison, w float64) {
	for f := range s.nf {
		a := c[f]
		if a == missing {
			continue
		}
		s.sum[((f*s.nf+f)*levels+int(a))*levels+int(a)] += w
		for g := f + 1; g < s.nf; g++ {
			if b := c[g]; b != missing {
				s.sum[((f*s.nf+g)*levels+int(a))*levels+int(b)] += w
			}
		}
	}
}

// fitMixture estimates the model from the comparisons of the candidate pairs, by
// expectation-maximisation.
func fitMixture(ctx context.Context, d *distinct, pairs []pair, compared []level, workers int) (*mixture, error) {
	nf := d.fields
	x := &mixture{d: d, u: make([][levels]float64, nf), together: make([]float64, pairSumsLen(nf))}
	if err := x.estimateU(ctx, workers); err != nil {
		return nil, err
	}
	x.naming = x.namingCodes()
	first := make([][levels]float64, nf)
	for f := range first {
		first[f] = firstM[d.kinds[f]]
	}
	x.matches, x.rest = independent(first), independent(x.u)
	n := float64(d.len())
	all := max(n*(n-1)/2, 1)
	expected := n / 4 // matches at first
	x.prior = math.Log(expected / max(all-expected, expected))
	step := max(1, (len(pairs)+emPairs-1)/emPairs)
	sample := (len(pairs) + step - 1) / step
	width, size := d.width(), pairSumsLen(nf)
	for round := range emSteps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		sums := make([]float64, 2*size+1) // of matches, of other candidates, and all matches
		blocks.Sums(workers, sample, func(lo, hi int, sums []float64) {
			e := make([]float64, nf)
			matches, rest := newPairSums(nf, sums[:size]), newPairSums(nf, sums[size:2*size])
			for s := lo; s < hi; s++ {
				i := s * step
				c := comparison(compared[i*width : (i+1)*width])
				p := sigmoid(x.total(pairs[i], c, e))
				if round < strictSteps && x.differs(c) {
					p = 0
				}
				sums[2*size] += p
				matches.add(c, p)
				rest.add(c, (1-p)*(1-p)*(1-p))
			}
		}, sums)
		for i := range sums {
			sums[i] *= float64(step)
		}
		matches := sums[2*size] + 0.5
		prior := math.Log(matches / max(all-matches, matches))
		change := math.Abs(prior - x.prior)
		x.prior = prior
		change = max(change, x.update(newPairSums(nf, sums[:size]), newPairSums(nf, sums[size:2*size]), all, round))
		if change < emTolerance && round > strictSteps {
			break
		}
	}
	return x, nil
}

// update estimates the distributions again and returns the largest change of a share.
func (x *mixture) update(matches, candidates pairSums, all float64, round int) (change float64) {
	nf := x.d.fields
	marginal := make([][levels]float64, nf)
	for f := range nf {
		seen := 0.0
		for l := range levels {
			seen += *matches.at(f, f, l, l)
		}
		strength := mStrength + mPart*seen
		if !changing[x.d.kinds[f]] {
			strength = mStrength + mPartFixed*seen
		}
		seen += strength
		for l := range levels {
			marginal[f][l] = (*matches.at(f, f, l, l) + strength*firstM[x.d.kinds[f]][l]) / seen
		}
		if x.naming[f] {
			keepErrors(&marginal[f], &firstM[code])
		}
	}
	rest := x.otherPairs(matches, candidates, all)
	if round < independSteps {
		x.matches.move(independent(marginal))
		return 1
	}
	made := dependent(matches, marginal)
	for f := range nf {
		if x.naming[f] { // a slip of the pen does not depend on other fields
			made.parent[f] = -1
		}
	}
	change = x.matches.move(made)
	return max(change, x.rest.move(dependent(rest, x.u)))
}

// otherPairs returns how many of all pairs that do not match have two levels together, and sets the
// shares of the levels of one field among them. Frequent levels are counted among random pairs. Rare
// ones are nearly all candidates and are counted there; two agreements are at least as many as there would be
// by chance.
func (x *mixture) otherPairs(matches, candidates pairSums, all float64) pairSums {
	nf := x.d.fields
	random := newPairSums(nf, x.together)
	out := newPairSums(nf, make([]float64, pairSumsLen(nf)))
	scale := all / max(x.random, 1)
	count := func(f, g, a, b int) float64 {
		c := *candidates.at(f, g, a, b)
		if r := *random.at(f, g, a, b); r >= enoughRandom {
			c = max(c, r*scale-*matches.at(f, g, a, b))
		}
		return c
	}
	for f := range nf {
		total := uStrength
		for a := range levels {
			total += count(f, f, a, a)
		}
		for a := range levels {
			x.u[f][a] = (count(f, f, a, a) + uStrength*firstU[a]) / total
		}
	}
	for f := range nf {
		for g := f + 1; g < nf; g++ {
			filled := 0.0
			for a := range levels {
				for b := range levels {
					filled += *random.at(f, g, a, b) * scale
				}
			}
			for a := range levels {
				for b := range levels {
					c := count(f, g, a, b)
					if level(a) < different && level(b) < different {
						c = max(c, filled*x.u[f][a]*x.u[g][b])
					}
					*out.at(f, g, a, b) = c
				}
			}
		}
	}
	return out
}

// independent returns a distribution of independent fields.
func independent(marginal [][levels]float64) dependence {
	nf := len(marginal)
	t := dependence{alone: marginal, given: make([][levels][][levels]float64, nf), parent: make([]int, nf)}
	for f := range nf {
		t.parent[f] = -1
		for a := range levels {
			t.given[f][a] = marginal
		}
	}
	return t
}

// dependent returns a distribution with the shares of a field given the level of another, near those of the field
// alone where few pairs have that level.
func dependent(s pairSums, marginal [][levels]float64) dependence {
	nf := len(marginal)
	t := dependence{alone: marginal, given: make([][levels][][levels]float64, nf), parent: chowLiu(s)}
	for f := range nf {
		for a := range levels {
			t.given[f][a] = make([][levels]float64, nf)
			for g := range nf {
				if g == f {
					continue
				}
				seen := givenStrength
				for b := range levels {
					seen += *s.at(f, g, a, b)
				}
				for b := range levels {
					t.given[f][a][g][b] = (*s.at(f, g, a, b) + givenStrength*marginal[g][b]) / seen
				}
			}
		}
	}
	return t
}

// move makes t equal to next and returns the largest change of a share.
func (t *dependence) move(next dependence) (change float64) {
	for f := range next.alone {
		for b := range levels {
			change = max(change, math.Abs(t.alone[f][b]-next.alone[f][b]))
			for a := range levels {
				for g := f + 1; g < len(next.alone); g++ {
					change = max(change, math.Abs(t.given[f][a][g][b]-next.given[f][a][g][b]))
				}
			}
		}
	}
	*t = next
	return change
}

// estimateU counts levels among random pairs.
func (x *mixture) estimateU(ctx context.Context, workers int) error {
	d := x.d
	n := d.len()
	width := d.width()
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
		table := newPairSums(d.fields, sums)
		for i := lo; i < hi; i++ {
			a, b := rng.IntN(n), rng.IntN(n-1)
			if b >= a {
				b++
			}
			p := orderedPair(int32(a), int32(b))
			va, vb := d.valuesOf(p.A), d.valuesOf(p.B)
			for f := range d.fields {
				c[f] = d.compareValues(va[f], vb[f])
			}
			table.add(c, 1)
		}
	}, x.together)
	x.random = float64(tries)
	table := newPairSums(d.fields, x.together)
	for f := range d.fields {
		seen := uStrength
		for l := range levels {
			seen += *table.at(f, f, l, l)
		}
		for l := range levels {
			x.u[f][l] = (*table.at(f, f, l, l) + uStrength*firstU[l]) / seen
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
