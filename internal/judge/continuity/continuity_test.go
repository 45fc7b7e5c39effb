package continuity

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

// energyOf is what MinimalChange minimises, without nearness, computed from the definition.
func energyOf(y, base []int, of []int, s *constraint.Set) (sum float64) {
	for i := range y {
		if y[i] != base[i] {
			sum += leave
		}
	}
	for _, l := range s.Labels {
		if y[l.I] != of[l.Class] {
			sum += violate * l.W
		}
	}
	for _, p := range s.Must {
		if y[p.I] != y[p.J] {
			sum += violate * p.W
		}
	}
	for _, p := range s.Cannot {
		if y[p.I] == y[p.J] {
			sum += violate * p.W
		}
	}
	return sum
}

// randomAnswers are about n rows.
func randomAnswers(rng *rand.Rand, n, k int) *constraint.Set {
	s := &constraint.Set{}
	for range 1 + rng.IntN(7) {
		i, j := rng.IntN(n), rng.IntN(n)
		switch {
		case rng.IntN(4) == 0:
			s.Labels = append(s.Labels, constraint.Label{I: i, Class: rng.IntN(k), W: 1})
		case i == j:
		case rng.IntN(2) == 0:
			s.Must = append(s.Must, constraint.Pair{I: i, J: j, W: 1})
		default:
			s.Cannot = append(s.Cannot, constraint.Pair{I: i, J: j, W: 1})
		}
	}
	return s
}

func TestMinimalChangeBrute(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		n, k := 2+rng.IntN(5), 2+rng.IntN(2)
		base := make([]int, n)
		for i := range base {
			base[i] = rng.IntN(k)
		}
		s := randomAnswers(rng, n, k)
		got, err := MinimalChange(context.Background(), base, k, nil, s)
		if err != nil {
			t.Fatal(err)
		}
		of := clustersOfClasses(base, k, s)
		best := math.Inf(1)
		y := make([]int, n)
		for code := range int(math.Pow(float64(k), float64(n))) {
			for i, c := 0, code; i < n; i, c = i+1, c/k {
				y[i] = c % k
			}
			best = min(best, energyOf(y, base, of, s))
		}
		if e := energyOf(got.Labels, base, of, s); math.Abs(e-best) > 1e-9 {
			t.Fatalf("base %v, answers %+v: change %v costs %v, the cheapest %v", base, s, got.Labels, e, best)
		}
		for i := range base {
			if got.Labels[i] != base[i] && !slices.Contains(got.Asked, i) {
				t.Fatalf("row %d moved, nobody asked about it", i)
			}
		}
	}
}

func TestMinimalChangeObeysOneAnswer(t *testing.T) {
	base := []int{0, 0, 0, 1, 1, 1}
	costs := []float64{0, 9, 0, 9, 0, 3, 4, 0, 9, 0, 9, 0}
	c, err := MinimalChange(context.Background(), base, 2, costs, &constraint.Set{Must: []constraint.Pair{{I: 0, J: 3, W: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{0, 0, 0, 0, 1, 1}; !slices.Equal(c.Labels, want) { // row 3 is nearer to the other cluster
		t.Errorf("must-link: %v, want %v", c.Labels, want)
	}
	c, err = MinimalChange(context.Background(), base, 2, costs, &constraint.Set{Cannot: []constraint.Pair{{I: 1, J: 2, W: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{0, 0, 1, 1, 1, 1}; !slices.Equal(c.Labels, want) || c.Doubted != 0 {
		t.Errorf("cannot-link: %v (%d doubted), want %v", c.Labels, c.Doubted, want)
	}
}

// twoBlobs are n rows around 0 and around 10, in turn.
func twoBlobs(n int) (*data.Dense, []int) {
	rng := rand.New(rand.NewPCG(2, 2))
	x, truth := &data.Dense{Cols: 2}, make([]int, n)
	for i := range n {
		truth[i] = i % 2
		x.V = append(x.V, 10*float64(truth[i])+rng.NormFloat64(), rng.NormFloat64())
	}
	return x, truth
}

// answersBy are m answers about rows at random.
func answersBy(truth []int, m int, rng *rand.Rand) *constraint.Set {
	s := &constraint.Set{}
	for len(s.Must)+len(s.Cannot) < m {
		i, j := rng.IntN(len(truth)), rng.IntN(len(truth))
		if i == j {
			continue
		}
		if p := (constraint.Pair{I: i, J: j, W: 1}); truth[i] == truth[j] {
			s.Must = append(s.Must, p)
		} else {
			s.Cannot = append(s.Cannot, p)
		}
	}
	return s
}

func TestCorrectAnswersChangeNothingThatIsRight(t *testing.T) {
	x, truth := twoBlobs(120)
	for m := range 40 {
		d, err := Decide(context.Background(), &Task{Problem: &cluster.Problem{X: x, K: 2, Constraints: answersBy(truth, m, rand.New(rand.NewPCG(3, uint64(m))))},
			Base: truth, Seed: 1, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if d.Spread || !slices.Equal(d.Labels, truth) {
			t.Fatalf("%d answers: spread %v, %d rows left", m, d.Spread, len(d.Left))
		}
	}
}

func TestAnswersThatRefuteTheClustersSpread(t *testing.T) {
	x, truth := twoBlobs(120)
	base := make([]int, len(truth)) // cuts across both blobs
	for i := range base {
		base[i] = i / 2 % 2
	}
	task := &Task{Problem: &cluster.Problem{X: x, K: 2, Constraints: answersBy(truth, 40, rand.New(rand.NewPCG(4, 0)))}, Base: base, Seed: 1, Workers: 1}
	d, err := Decide(context.Background(), task)
	if err != nil {
		t.Fatal(err)
	}
	if !d.Spread || d.Doubted != 0 {
		t.Fatalf("spread %v, %d doubted, leaving %.2f, held out %.2f", d.Spread, d.Doubted, d.Leaving, d.HeldOut)
	}
	wrong := 0
	for i := range truth {
		if (d.Labels[i] == d.Labels[0]) != (truth[i] == truth[0]) {
			wrong++
		}
	}
	if wrong > 0 {
		t.Errorf("%d rows are in the wrong cluster", wrong)
	}
	// A few answers do not suffice.
	task.Problem.Constraints = answersBy(truth, 3, rand.New(rand.NewPCG(4, 0)))
	if d, err = Decide(context.Background(), task); err != nil || d.Spread {
		t.Errorf("spread after 3 answers (%v)", err)
	}
}

// Answers that have nothing to do with the rows refute any clusters, but there is nothing to spread.
func TestAnswersWithoutSenseDoNotSpread(t *testing.T) {
	vague := 0
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(6, seed))
		x, base := twoBlobs(120)
		truth := make([]int, len(base))
		for i := range truth {
			truth[i] = rng.IntN(2)
		}
		answers := &constraint.Set{}
		for i, row := range rng.Perm(len(truth))[:40] { // each row is in one answer more, so that none contradicts another
			if p := (constraint.Pair{I: row, J: 0, W: 1}); row != 0 && i > 0 {
				if truth[row] == truth[0] {
					answers.Must = append(answers.Must, p)
				} else {
					answers.Cannot = append(answers.Cannot, p)
				}
			}
		}
		d, err := Decide(context.Background(), &Task{Problem: &cluster.Problem{X: x, K: 2, Constraints: answers}, Base: base, Seed: 1, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if d.Spread {
			t.Errorf("seed %d: spread, %d of %d left, leaving %.2f, held out %.2f", seed, len(d.Left), len(d.Asked), d.Leaving, d.HeldOut)
		}
		if d.Vague {
			vague++
		}
	}
	if vague == 0 {
		t.Error("nothing else speaks for spreading here, so the test says nothing")
	}
}

func TestWrongAnswerIsDoubted(t *testing.T) {
	x, truth := twoBlobs(120)
	s := answersBy(truth, 40, rand.New(rand.NewPCG(5, 0)))
	s.Must = append(s.Must, constraint.Pair{I: 100, J: 101, W: 1}) // of different blobs
	d, err := Decide(context.Background(), &Task{Problem: &cluster.Problem{X: x, K: 2, Constraints: s}, Base: truth, Seed: 1, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if d.Spread || len(d.Left) > 0 || d.Doubted != 1 {
		t.Errorf("spread %v, %d rows left, %d doubted; want the wrong answer doubted", d.Spread, len(d.Left), d.Doubted)
	}
}

func TestNeverLeavesAClusterAlmostEmpty(t *testing.T) {
	if !tooSmall([]int{0, 0, 0, 0, 0, 0, 0, 1}, []int{0, 0, 0, 0, 1, 1, 1, 1}, 2) {
		t.Error("1 of 8 rows is below a third of the mean and half of the smallest")
	}
	if tooSmall([]int{0, 0, 0, 0, 0, 0, 1, 1}, []int{0, 0, 0, 0, 1, 1, 1, 1}, 2) {
		t.Error("2 of 8 rows are enough")
	}
}

func TestMatching(t *testing.T) {
	got := Matching([]int{0, 0, 0, 1, 1, 2}, 3, []int{1, 1, 1, 0, 0, 0}, 2)
	if want := []int{1, 0, -1}; !slices.Equal(got, want) {
		t.Errorf("Matching = %v, want %v", got, want)
	}
	if got := Matching([]int{-1, 0}, 1, []int{0, -1}, 1); got[0] != -1 {
		t.Errorf("rows without a cluster count: %v", got)
	}
}
