package score

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12 }

// Five points of two classes: three cells 2, 1, 2.
//
//	        cluster 0   1
//	class 0         2   1
//	class 1         0   2
//
// Of 10 pairs the truth joins 3+1, the prediction 1+3, both 1+1.
func TestMeasuresByHand(t *testing.T) {
	table := mustTable(t, []int{0, 0, 0, 1, 1}, []int{0, 0, 1, 1, 1})
	if got, want := table.Pairs(), (Pairs{Together: 2, Apart: 4, TruthOnly: 2, PredOnly: 2}); got != want {
		t.Errorf("pairs %+v, want %+v", got, want)
	}
	// Expected agreement by chance 4·4/10 = 1.6; ARI (2−1.6)/(4−1.6) = 1/6.
	h := -(0.6*math.Log(0.6) + 0.4*math.Log(0.4))
	mi := 0.4*math.Log(2*5/(3*2.0)) + 0.2*math.Log(1*5/(3*3.0)) + 0.4*math.Log(2*5/(2*3.0))
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"rand", table.Rand(), 0.6},
		{"ari", table.ARI(), 1.0 / 6},
		{"precision", table.Precision(), 0.5},
		{"recall", table.Recall(), 0.5},
		{"f", table.F(), 0.5},
		{"mi", table.MI(), mi},
		{"nmi", table.NMI(), mi / h},
		{"homogeneity", table.Homogeneity(), mi / h},
		{"completeness", table.Completeness(), mi / h},
		{"v", table.V(), mi / h},
		{"purity", table.Purity(), 0.8},
	} {
		if !near(c.got, c.want) {
			t.Errorf("%s = %v, want %v", c.name, c.got, c.want)
		}
	}
}

// What each measure is where its formula is 0/0.
func TestMeasuresAtTheEdges(t *testing.T) {
	all := Card{NMI: 1, ARI: 1, Rand: 1, Precision: 1, Recall: 1, F: 1, Homogeneity: 1, Completeness: 1, V: 1, Purity: 1}
	with := func(change func(*Card)) Card {
		c := all
		change(&c)
		return c
	}
	for _, c := range []struct {
		name        string
		truth, pred []int
		want        Card
	}{
		{"no points", nil, nil, all},
		{"one point", []int{3}, []int{-9}, with(func(c *Card) { c.N = 1 })},
		{"one class, one cluster", []int{1, 1, 1}, []int{0, 0, 0}, with(func(c *Card) { c.N = 3 })},
		{"all alone", []int{0, 1, 2}, []int{5, 4, 3}, with(func(c *Card) { c.N, c.MI = 3, math.Log(3) })},
		{"one class, several clusters", []int{0, 0}, []int{0, 1}, Card{N: 2, Precision: 1, Homogeneity: 1, Purity: 1}},
		{"several classes, one cluster", []int{0, 1}, []int{0, 0}, Card{N: 2, Recall: 1, Completeness: 1, Purity: 0.5}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := mustTable(t, c.truth, c.pred).Card()
			if !near(got.MI, c.want.MI) {
				t.Errorf("mi %v, want %v", got.MI, c.want.MI)
			}
			got.MI = c.want.MI
			if got != c.want {
				t.Errorf("\n got %+v\nwant %+v", got, c.want)
			}
		})
	}
}

func drawLabels(t *rapid.T) (truth, pred []int) {
	k := rapid.IntRange(1, 6).Draw(t, "k")
	truth = rapid.SliceOfN(rapid.IntRange(-1, k), 0, 25).Draw(t, "truth")
	pred = rapid.SliceOfN(rapid.IntRange(0, k), len(truth), len(truth)).Draw(t, "pred")
	return truth, pred
}

func TestPairsByBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		truth, pred := drawLabels(t)
		var want Pairs
		for i := range truth {
			for j := range i {
				switch a, b := truth[i] == truth[j], pred[i] == pred[j]; {
				case a && b:
					want.Together++
				case a:
					want.TruthOnly++
				case b:
					want.PredOnly++
				default:
					want.Apart++
				}
			}
		}
		table, _ := NewTable(truth, pred)
		if got := table.Pairs(); got != want {
			t.Fatalf("pairs %+v, want %+v", got, want)
		}
	})
}

type failer interface{ Errorf(string, ...any) }

func checkBounds(t failer, c Card) {
	for name, y := range map[string]float64{
		"nmi": c.NMI, "rand": c.Rand, "precision": c.Precision, "recall": c.Recall, "f": c.F,
		"homogeneity": c.Homogeneity, "completeness": c.Completeness, "v": c.V, "purity": c.Purity,
	} {
		if !(y >= 0 && y <= 1) {
			t.Errorf("%s = %v is not in [0, 1]", name, y)
		}
	}
	if !(c.ARI >= -0.5 && c.ARI <= 1) {
		t.Errorf("ari = %v is not in [-1/2, 1]", c.ARI)
	}
	if !(c.MI >= 0 && c.MI <= math.Log(float64(max(c.N, 1)))+1e-12) {
		t.Errorf("mi = %v of %d points", c.MI, c.N)
	}
	if h := 2 * c.Precision * c.Recall; h > 0 && !near(c.F, h/(c.Precision+c.Recall)) {
		t.Errorf("f = %v, p = %v, r = %v", c.F, c.Precision, c.Recall)
	}
	if h := 2 * c.Homogeneity * c.Completeness; h > 0 && !near(c.V, h/(c.Homogeneity+c.Completeness)) {
		t.Errorf("v = %v, h = %v, c = %v", c.V, c.Homogeneity, c.Completeness)
	}
}

// same compares cards, up to rounding in the sums of logarithms.
func same(a, b Card) bool {
	close := near(a.MI, b.MI) && near(a.NMI, b.NMI) && near(a.V, b.V) &&
		near(a.Homogeneity, b.Homogeneity) && near(a.Completeness, b.Completeness)
	a.MI, a.NMI, a.V, a.Homogeneity, a.Completeness = b.MI, b.NMI, b.V, b.Homogeneity, b.Completeness
	return close && a == b
}

func TestScoreProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		truth, pred := drawLabels(t)
		table, _ := NewTable(truth, pred)
		card := table.Card()
		checkBounds(t, card)

		// Renaming the groups changes no score.
		rename := rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6, 7}).Draw(t, "rename")
		renamed := make([]int, len(pred))
		for i, c := range pred {
			renamed[i] = rename[c] * 1_000_003
		}
		again, _ := NewTable(truth, renamed)
		if !same(card, again.Card()) {
			t.Fatalf("renamed: %+v, was %+v", again.Card(), card)
		}

		// The order of the points changes no bit.
		order := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)).Perm(len(truth))
		a, b := make([]int, len(truth)), make([]int, len(truth))
		for i, p := range order {
			a[i], b[i] = truth[p], pred[p]
		}
		again, _ = NewTable(a, b)
		if again.Card() != card {
			t.Fatalf("reordered: %+v, was %+v", again.Card(), card)
		}

		// Swapping the two swaps what depends on the side, and nothing else.
		swapped, _ := NewTable(pred, truth)
		s := swapped.Card()
		s.Precision, s.Recall = s.Recall, s.Precision
		s.Homogeneity, s.Completeness = s.Completeness, s.Homogeneity
		s.Purity = card.Purity
		if !same(card, s) {
			t.Fatalf("swapped: %+v, was %+v", s, card)
		}

		// A labelling agrees with itself.
		self, _ := NewTable(pred, pred)
		if c := self.Card(); c.ARI != 1 || c.NMI != 1 || c.F != 1 || c.Purity != 1 {
			t.Fatalf("with itself: %+v", c)
		}
	})
}

// A thousand million points: the pairs fill 59 bits, their products 118.
func TestARIOfManyPoints(t *testing.T) {
	for _, cells := range [][4]int{
		{250_000_000, 250_000_000, 250_000_000, 250_000_000},
		{250_000_001, 249_999_999, 249_999_999, 250_000_001},
		{400_000_000, 100_000_000, 1, 499_999_999},
		{999_999_997, 1, 1, 1},
	} {
		table := &Table{
			n:        cells[0] + cells[1] + cells[2] + cells[3],
			classes:  group{sizes: []int{cells[0] + cells[1], cells[2] + cells[3]}},
			clusters: group{sizes: []int{cells[0] + cells[2], cells[1] + cells[3]}},
			cells:    []cell{{0, 0, cells[0]}, {0, 1, cells[1]}, {1, 0, cells[2]}, {1, 1, cells[3]}},
		}
		want := exactARI(cells)
		if got := table.ARI(); math.Abs(got-want) > 1e-15*max(math.Abs(want), 1e-30) {
			t.Errorf("%v: ari %v, want %v", cells, got, want)
		}
		checkBounds(t, table.Card())
	}
}

// exactARI is (S − AB/N) / ((A+B)/2 − AB/N) in rational numbers, with S, A, B
// and N the pairs together in both, in the truth, in the prediction, in all.
func exactARI(c [4]int) float64 {
	pairs := func(sizes ...int) *big.Rat {
		s := new(big.Int)
		for _, n := range sizes {
			m := big.NewInt(int64(n))
			s.Add(s, m.Mul(m, big.NewInt(int64(n-1))))
		}
		return new(big.Rat).SetFrac(s, big.NewInt(2))
	}
	s := pairs(c[0], c[1], c[2], c[3])
	a, b := pairs(c[0]+c[1], c[2]+c[3]), pairs(c[0]+c[2], c[1]+c[3])
	chance := new(big.Rat).Mul(a, b)
	chance.Quo(chance, pairs(c[0]+c[1]+c[2]+c[3]))
	top := new(big.Rat).Sub(s, chance)
	half := new(big.Rat).Mul(new(big.Rat).Add(a, b), big.NewRat(1, 2))
	f, _ := top.Quo(top, half.Sub(half, chance)).Float64()
	return f
}
