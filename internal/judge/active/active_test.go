package active

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/example"
)

// blobs are points around k centres, with the truth.
func blobs(t *testing.T, n, k int, seed uint64) (*cluster.Problem, []int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 0))
	x := &data.Dense{Cols: 2}
	truth := make([]int, n)
	for i := range n {
		truth[i] = i % k
		x.V = append(x.V, 4*float64(truth[i])+r.NormFloat64(), 3*float64(truth[i]%2)+r.NormFloat64())
	}
	return &cluster.Problem{X: x, K: k}, truth
}

func newPool(t *testing.T, p *cluster.Problem) *Pool {
	t.Helper()
	pool, err := NewPool(context.Background(), p, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	return pool
}

// interview answers by the truth, up to a number of questions, and returns the pairs.
func interview(t *testing.T, a *Asker, truth []int, budget int) (asked [][2]int32) {
	t.Helper()
	for range budget {
		q, ok, err := a.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
		if q.A == q.B || q.Why == "" {
			t.Fatalf("%+v", q)
		}
		if a.Answers().Relation(q.A, q.B) != Unknown || a.Answers().Asked(q.A, q.B) {
			t.Fatalf("%d and %d: the answer is known", q.A, q.B)
		}
		asked = append(asked, pairOf(q.A, q.B))
		say := Different
		if truth[q.A] == truth[q.B] {
			say = Same
		}
		if !a.Record(q.A, q.B, say) {
			t.Fatal("a true answer contradicts others")
		}
	}
	return asked
}

func eachStrategy(t *testing.T, do func(t *testing.T, s Strategy)) {
	for _, name := range Strategy("").Values() {
		t.Run(name, func(t *testing.T) { do(t, Strategy(name)) })
	}
}

// Every strategy ends when all is known, having asked no pair twice and nothing that
// followed from other answers.
func TestStrategiesEndWhenAllIsKnown(t *testing.T) {
	eachStrategy(t, func(t *testing.T, s Strategy) {
		for _, k := range []int{0, 3} { // not known, and known
			p, truth := blobs(t, 24, 3, 5)
			a, err := New(newPool(t, p), s, k, 1)
			if err != nil {
				t.Fatal(err)
			}
			asked := interview(t, a, truth, 10_000)
			seen := map[[2]int32]bool{}
			for _, q := range asked {
				if seen[q] {
					t.Fatalf("%v asked twice", q)
				}
				seen[q] = true
			}
			for i := range truth {
				for j := range i {
					want := Apart
					if truth[i] == truth[j] {
						want = Together
					}
					if got := a.Answers().Relation(i, j); got != want {
						t.Fatalf("after %d questions %d and %d are %v, in truth %v", len(asked), i, j, got, want)
					}
				}
			}
			if least := len(truth) - 3 + 3; len(asked) < least {
				t.Errorf("%d questions cannot be enough", len(asked))
			}
		}
	})
}

func TestTheSameSeedAsksTheSameQuestions(t *testing.T) {
	eachStrategy(t, func(t *testing.T, s Strategy) {
		p, truth := blobs(t, 90, 3, 7)
		var runs [][][2]int32
		for range 2 {
			a, err := New(newPool(t, p), s, 3, 4)
			if err != nil {
				t.Fatal(err)
			}
			runs = append(runs, interview(t, a, truth, 40))
			a.Close()
		}
		if !slices.Equal(runs[0], runs[1]) {
			t.Error("other questions")
		}
	})
}

// Answers that came from elsewhere are taken into account, and an interview that is
// told all answers again goes on with the same question.
func TestAnInterviewGoesOnWhereItWas(t *testing.T) {
	eachStrategy(t, func(t *testing.T, s Strategy) {
		p, truth := blobs(t, 60, 3, 9)
		pool := newPool(t, p)
		a, _ := New(pool, s, 3, 4)
		asked := interview(t, a, truth, 15)
		want, ok, err := a.Next(context.Background())
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		b, _ := New(pool, s, 3, 4)
		for _, q := range asked {
			say := Different
			if truth[q[0]] == truth[q[1]] {
				say = Same
			}
			b.Record(int(q[0]), int(q[1]), say)
		}
		got, _, _ := b.Next(context.Background())
		if got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	})
}

func TestUnsureAndSkippedPairsAreNotAskedAgain(t *testing.T) {
	eachStrategy(t, func(t *testing.T, s Strategy) {
		p, _ := blobs(t, 12, 2, 3)
		a, _ := New(newPool(t, p), s, 2, 1)
		n := 0
		for ; ; n++ {
			q, ok, err := a.Next(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				break
			}
			if a.Answers().Asked(q.A, q.B) {
				t.Fatal("asked again")
			}
			a.Record(q.A, q.B, []Answer{Unsure, Skip}[n%2])
		}
		if n == 0 || n > 66 {
			t.Errorf("%d questions about 66 pairs", n)
		}
	})
}

// influence is the sum over all points of the covariance that is left when values are
// observed one after the other.
func TestInfluenceEqualsConditioningOneByOne(t *testing.T) {
	const noise = 0.5 // of an observation in package posterior
	p, _ := blobs(t, 40, 3, 6)
	pool := newPool(t, p)
	b := newNeighbourhoods(&asking{pool: pool, k: 3})
	m := pool.Len()
	left := slices.Clone(pool.gram.V)
	for _, c := range []int{7, 20, 8, 33, 0} {
		b.of[c] = c % 3
		column := make([]float64, m)
		for a := range m {
			column[a] = left[a*m+c]
		}
		for a := range m {
			for d := range m {
				left[a*m+d] -= column[a] * column[d] / (column[c] + noise)
			}
		}
		for a, got := range b.influence(pool.total()) {
			want := 0.0
			for _, y := range left[a*m : (a+1)*m] {
				want += y
			}
			if math.Abs(got-want) > 1e-6*float64(m) {
				t.Fatalf("with %d the influence of point %d is %v, want %v", c, a, got, want)
			}
		}
	}
}

func TestTextsAndGraphs(t *testing.T) {
	g, truth, err := example.PlantedPartition(60, 3, 8, 1, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	a, err := New(newPool(t, &cluster.Problem{Graph: g, K: 3}), Auto, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(interview(t, a, truth, 20)); n != 20 {
		t.Errorf("%d questions", n)
	}
	x := &data.Sparse{Cols: 4, Start: []int{0, 1, 2, 3, 4}, Idx: []int32{0, 0, 1, 1}, Val: []float64{1, 1, 1, 1}}
	a, err = New(newPool(t, &cluster.Problem{X: x, K: 2}), Auto, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	interview(t, a, []int{0, 0, 1, 1}, 10)
}

func TestManyPointsAreSampled(t *testing.T) {
	p, truth := blobs(t, 4000, 4, 2)
	pool := newPool(t, p)
	if pool.Len() != sampledPool || !slices.IsSorted(pool.Points) {
		t.Fatal(pool.Len())
	}
	a, _ := New(pool, Auto, 4, 1)
	interview(t, a, truth, 10)
	if _, err := New(pool, "oracle", 4, 1); err == nil {
		t.Error("a strategy that is not there")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := a.Next(ctx); err == nil {
		t.Error("the context has ended")
	}
	if _, err := NewPool(ctx, p, 1, 1); err == nil {
		t.Error("the context has ended")
	}
}

// What follows from answers is what a closure by brute force finds.
func TestRelationsAreThoseOfAClosureByHand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 9).Draw(t, "points")
		truth := rapid.SliceOfN(rapid.IntRange(0, 3), n, n).Draw(t, "truth")
		a := NewAnswers(n)
		same, differ := make([][]bool, n), make([][]bool, n)
		for i := range n {
			same[i], differ[i] = make([]bool, n), make([]bool, n)
			same[i][i] = true
		}
		for range rapid.IntRange(0, 12).Draw(t, "answers") {
			i, j := rapid.IntRange(0, n-1).Draw(t, "i"), rapid.IntRange(0, n-1).Draw(t, "j")
			if i == j {
				continue
			}
			if truth[i] == truth[j] {
				a.Add(i, j, Same)
				same[i][j], same[j][i] = true, true
			} else {
				a.Add(i, j, Different)
				differ[i][j], differ[j][i] = true, true
			}
		}
		for range n { // to the fixed point
			for i := range n {
				for j := range n {
					for m := range n {
						same[i][j] = same[i][j] || same[i][m] && same[m][j]
						differ[i][j] = differ[i][j] || same[i][m] && differ[m][j] || differ[i][m] && same[m][j]
					}
				}
			}
		}
		for i := range n {
			for j := range n {
				want := Unknown
				if same[i][j] {
					want = Together
				} else if differ[i][j] {
					want = Apart
				}
				if got := a.Relation(i, j); got != want {
					t.Fatalf("%d and %d: %v, by hand %v", i, j, got, want)
				}
			}
		}
	})
}

func TestContradictoryAnswersHaveNoEffect(t *testing.T) {
	a := NewAnswers(3)
	if !a.Add(0, 1, Same) || !a.Add(1, 2, Same) || a.Add(0, 2, Different) || !a.Asked(0, 2) {
		t.Error("0 = 1 = 2, so 0 and 2 cannot be different")
	}
	if a.Relation(0, 2) != Together || a.Said() != 3 {
		t.Error(a.Relation(0, 2), a.Said())
	}
}

func BenchmarkNext(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 0))
	x := &data.Dense{Cols: 16, V: make([]float64, 10_000*16)}
	truth := make([]int, 10_000)
	for i := range truth {
		truth[i] = i % 10
		for f := range 16 {
			x.V[i*16+f] = r.NormFloat64() + float64((truth[i]*(f+3))%7)
		}
	}
	pool, err := NewPool(context.Background(), &cluster.Problem{X: x, K: 10}, 1, 0)
	if err != nil {
		b.Fatal(err)
	}
	a, _ := New(pool, Auto, 10, 1)
	for b.Loop() {
		q, ok, _ := a.Next(context.Background())
		if !ok || a.Answers().Said() > 300 {
			a, _ = New(pool, Auto, 10, 1)
			continue
		}
		say := Different
		if truth[q.A] == truth[q.B] {
			say = Same
		}
		a.Record(q.A, q.B, say)
	}
}

// After an answer was taken back the question is asked that it was for.
func TestTheQuestionAfterAnUndo(t *testing.T) {
	p, truth := blobs(t, 120, 4, 5)
	for _, s := range Strategy("").Values() {
		a, err := New(newPool(t, p), Strategy(s), 4, 1)
		if err != nil {
			t.Fatal(err)
		}
		interview(t, a, truth, 25)
		want, ok, err := a.Next(context.Background())
		if err != nil || !ok {
			t.Fatal(s, ok, err)
		}
		a.Record(want.A, want.B, Unsure)
		history := slices.Clone(a.history)
		a.Forget()
		for _, h := range history[:25] {
			a.Record(h.i, h.j, h.say)
		}
		if got, _, err := a.Next(context.Background()); err != nil || got != want {
			t.Errorf("%s asks %v, before %v: %v", s, got, want, err)
		}
		a.Close()
	}
}

// TestEmptyRowsAreNotAskedAbout: nobody can say whether a document without words belongs
// with another.
func TestEmptyRowsAreNotAskedAbout(t *testing.T) {
	for _, n := range []int{60, 4000} {
		x := &data.Sparse{Cols: 40, Start: []int{0}}
		for i := range n {
			if i%3 != 0 {
				x.Idx, x.Val = append(x.Idx, int32(i%2), int32(2+i%38)), append(x.Val, 0.6, 0.8)
			}
			x.Start = append(x.Start, len(x.Idx))
		}
		pool, err := NewPool(t.Context(), &cluster.Problem{X: x, K: 2}, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range pool.Points {
			if i%3 == 0 {
				t.Fatalf("row %d of %d has no values and may be asked about", i, n)
			}
		}
		if pool.Len() < n/3 && pool.Len() < sampledPool*6/10 {
			t.Errorf("%d of %d rows may be asked about", pool.Len(), n)
		}
	}
}
