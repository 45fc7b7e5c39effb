package score

import (
	"math"
	"math/bits"
)

// Pairs counts the pairs of points by whether truth and prediction put them
// together. The counts are exact for up to six billion points.
type Pairs struct {
	Together  uint64 // by both
	Apart     uint64 // by both
	TruthOnly uint64 // together in the truth, apart in the prediction: missed
	PredOnly  uint64 // together in the prediction, apart in the truth: wrong
}

// Pairs returns the counts of pairs. There are n(n−1)/2 pairs in all, so none
// where n is 0 or 1.
func (t *Table) Pairs() Pairs {
	var p Pairs
	for _, c := range t.cells {
		p.Together += choose2(c.n)
	}
	p.TruthOnly = sumChoose2(t.classes.sizes) - p.Together
	p.PredOnly = sumChoose2(t.clusters.sizes) - p.Together
	p.Apart = choose2(t.n) - p.Together - p.TruthOnly - p.PredOnly
	return p
}

func choose2(n int) uint64 {
	m := uint64(n)
	if m%2 == 0 {
		return m / 2 * (m - 1) // 0 for 0, whatever 0−1 wraps to
	}
	return m * ((m - 1) / 2)
}

func sumChoose2(sizes []int) (s uint64) {
	for _, n := range sizes {
		s += choose2(n)
	}
	return s
}

// Rand returns the share of pairs on which truth and prediction agree, from 0
// to 1. It is symmetric. Without pairs (n below 2) it is 1.
func (t *Table) Rand() float64 { return t.Pairs().rand() }

func (p Pairs) rand() float64 {
	agree, disagree := p.Together+p.Apart, p.TruthOnly+p.PredOnly
	return share(agree, agree+disagree)
}

// ARI returns the adjusted Rand index (Hubert and Arabie 1985): 1 where the
// two agree on every pair, 0 on average where the prediction is a random
// labelling with clusters of the same sizes, and never below −1/2. It is
// symmetric. Without pairs (n below 2) it is 1; one group against several is 0.
func (t *Table) ARI() float64 { return t.Pairs().ari() }

func (p Pairs) ari() float64 {
	if p.TruthOnly == 0 && p.PredOnly == 0 {
		return 1
	}
	// 2(TP·TN − FN·FP) / ((TP+FN)(FN+TN) + (TP+FP)(FP+TN)). Near 0 the first
	// difference cancels, hence 128 bits: pairs alone fill 60 for n = 10⁹.
	gain, loss := mul(p.Together, p.Apart), mul(p.TruthOnly, p.PredOnly)
	sign := 2.0
	if gain.less(loss) {
		gain, loss, sign = loss, gain, -2
	}
	num := gain.minus(loss).float()
	den := mul(p.Together+p.TruthOnly, p.TruthOnly+p.Apart).float() +
		mul(p.Together+p.PredOnly, p.PredOnly+p.Apart).float()
	return min(sign*num/den, 1)
}

// Precision returns the share of the pairs together in the prediction that
// are together in the truth, from 0 to 1. A prediction that puts no two points
// together claims nothing wrong: 1.
func (t *Table) Precision() float64 { return t.Pairs().precision() }

func (p Pairs) precision() float64 {
	return share(p.Together, p.Together+p.PredOnly)
}

// Recall returns the share of the pairs together in the truth that are
// together in the prediction, from 0 to 1. Where the truth has no such pair
// there is nothing to miss: 1.
func (t *Table) Recall() float64 { return t.Pairs().recall() }

func (p Pairs) recall() float64 {
	return share(p.Together, p.Together+p.TruthOnly)
}

// F returns the harmonic mean of Precision and Recall, from 0 to 1; it is 0
// where one of them is. It is symmetric. Where neither labelling puts two
// points together (so also for n below 2) it is 1.
func (t *Table) F() float64 { return t.Pairs().f() }

func (p Pairs) f() float64 {
	wrong := float64(p.TruthOnly) + float64(p.PredOnly)
	if wrong == 0 {
		return 1
	}
	both := 2 * float64(p.Together)
	return both / (both + wrong)
}

// share returns part/whole; all of nothing is 1.
func share(part, whole uint64) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

// ARI returns the adjusted Rand index of two labellings of the same points;
// see [Table.ARI].
func ARI(truth, pred []int) (float64, error) {
	t, err := NewTable(truth, pred)
	if err != nil {
		return 0, err
	}
	return t.ARI(), nil
}

// u128 is an unsigned integer of 128 bits.
type u128 struct{ hi, lo uint64 }

func mul(a, b uint64) u128 {
	hi, lo := bits.Mul64(a, b)
	return u128{hi, lo}
}

func (a u128) less(b u128) bool {
	return a.hi < b.hi || a.hi == b.hi && a.lo < b.lo
}

func (a u128) minus(b u128) u128 {
	lo, borrow := bits.Sub64(a.lo, b.lo, 0)
	hi, _ := bits.Sub64(a.hi, b.hi, borrow)
	return u128{hi, lo}
}

func (a u128) float() float64 {
	return math.Ldexp(float64(a.hi), 64) + float64(a.lo)
}
