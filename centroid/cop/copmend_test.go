package cop

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/data"
)

// planted returns a layout of n points around k spots with cannot-links told
// by the spots, four a point, and one labelled point a class that bans
// clusters.
func planted(t *testing.T, n, k int, r *rand.Rand) *layout {
	t.Helper()
	x, truth := &data.Dense{Cols: 2}, make([]int, n)
	c := make([]float64, 2*k)
	for h := range k {
		c[2*h], c[2*h+1] = math.Cos(2*math.Pi*float64(h)/float64(k)), math.Sin(2*math.Pi*float64(h)/float64(k))
	}
	for i := range n {
		truth[i] = i % k
		x.V = append(x.V, c[2*truth[i]]+r.NormFloat64(), c[2*truth[i]+1]+r.NormFloat64())
	}
	known := &constraint.Set{}
	for i := range k {
		known.Labels = append(known.Labels, constraint.Label{I: i, Class: truth[i], W: 1})
	}
	for range 4 * n {
		if i, j := r.IntN(n), r.IntN(n); truth[i] != truth[j] {
			known.Cannot = append(known.Cannot, link(i, j))
		}
	}
	closed, err := constraint.Close(n, known)
	if err != nil {
		t.Fatal(err)
	}
	s := newLayout(newLumps(&cluster.Problem{X: x, K: k, Constraints: known}, closed), make([]int32, closed.Components()), c)
	s.frozen = true
	return s
}

// Tangles near the hardest density for three and four clusters are mended, and
// every way that builds a first labelling makes it legal.
func TestTanglesAreMended(t *testing.T) {
	mended, coloured, tangles := 0, 0, 0
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 2))
		s := planted(t, 200, 3+int(seed%2), r)
		for _, p := range s.parts {
			if p.shape != tangled {
				continue
			}
			tangles++
			for q := range s.label {
				s.label[q] = s.fixed[q]
			}
			if s.mend(p, 1<<24, r, nil) {
				mended++
				if math.IsInf(legalCost(s, p), 1) {
					t.Fatalf("problem %d: the mended labels are not legal", seed)
				}
			}
			if s.colour(p) {
				coloured++
				if math.IsInf(legalCost(s, p), 1) {
					t.Fatalf("problem %d: the colouring is not legal", seed)
				}
			}
		}
		if !s.build(r) {
			t.Errorf("problem %d: nothing was built", seed)
			continue
		}
		for _, p := range s.parts {
			if math.IsInf(legalCost(s, p), 1) {
				t.Fatalf("problem %d: what was built is not legal", seed)
			}
		}
	}
	t.Logf("of %d tangles %d are mended, %d coloured greedily", tangles, mended, coloured)
	if mended*10 < tangles*9 || tangles < 30 {
		t.Errorf("only %d of %d tangles are mended", mended, tangles)
	}
}

// counted counts what is drawn from it.
type counted struct {
	rand.Source
	n int
}

func (c *counted) Uint64() uint64 {
	c.n++
	return c.Source.Uint64()
}

// Four points any two of which are apart, and a fifth that is apart from two of
// them: a tangle that three clusters cannot honour. That is known at once, and not
// after millions of steps in vain, each of which draws.
func TestSmallTanglesThatCannotBeMended(t *testing.T) {
	known := &constraint.Set{Cannot: []constraint.Pair{link(0, 1), link(0, 2), link(0, 3), link(1, 2), link(1, 3), link(2, 3), link(4, 0), link(4, 1)}}
	p := &cluster.Problem{X: &data.Dense{Cols: 1, V: []float64{0, 1, 2, 3, 4}}, K: 3, Constraints: known}
	from := &counted{Source: rand.NewPCG(1, 2)}
	_, err := New().Start(context.Background(), p, &cluster.Env{Rand: rand.New(from)})
	var none *InfeasibleError
	if !errors.As(err, &none) || none.Verdict.Answer != constraint.No || len(none.Points) != 4 {
		t.Fatalf("the error is %v", err)
	}
	if t.Logf("%d numbers drawn", from.n); from.n > 200_000 {
		t.Errorf("%d numbers were drawn for what cannot be", from.n)
	}
}

// A point that cannot be with any of the three classes has no cluster, also
// where cannot-links connect it with others in a ring.
func TestPointWithoutACluster(t *testing.T) {
	known := &constraint.Set{}
	for i := range 3 {
		known.Labels = append(known.Labels, constraint.Label{I: i, Class: i, W: 1})
		known.Cannot = append(known.Cannot, link(3, i))
	}
	for i := range 4 {
		known.Cannot = append(known.Cannot, link(3+i, 3+(i+1)%4))
	}
	x := &data.Dense{Cols: 1, V: []float64{0, 10, 20, 1, 11, 21, 12}}
	r, err := cluster.Fit(context.Background(), &cluster.Problem{X: x, K: 3, Constraints: known}, New(), cluster.Default())
	if err == nil {
		t.Errorf("labels %v", r.Labels)
	}
}
