package spectral

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

// closedEntries returns the entries of Q that newConstraintMatrix makes of the closure of s
// over n points that are all joined.
func closedEntries(t *testing.T, n, k int, s *constraint.Set) [][]float64 {
	t.Helper()
	var edges []data.Edge
	for i := range n {
		for j := range i {
			edges = append(edges, data.Edge{U: j, V: i, W: 1})
		}
	}
	f := NewNodeGraph(data.BuildGraph(n, edges), nil)
	degree := make([]float64, n)
	for i := range degree {
		degree[i] = 1
	}
	closed, err := constraint.Close(n, s)
	if err != nil {
		t.Fatal(err)
	}
	q, err := NewConstraintMatrix(f, s, closed, k, degree)
	if err != nil {
		t.Fatal(err)
	}
	out := make([][]float64, n)
	for i := range out {
		x, y := make([]float64, n), make([]float64, n)
		x[f.NodeOf[i]] = 1
		q.Apply(y, x)
		for j := range n {
			out[i] = append(out[i], y[f.NodeOf[j]])
		}
	}
	return out
}

// An entailed entry weighs as much as the weakest statement of its strongest chain, in units
// of the largest weight. Classes are points of their own here, apart from each other.
func TestClosedEntriesWeighWhatTheirStrongestChainsDo(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 3))
	const n, k = 7, 3
	entailed := 0
	for range 300 {
		s := &constraint.Set{}
		for range 1 + rng.IntN(8) {
			i, w, old := rng.IntN(n-1), float64(1+rng.IntN(5))/2, *s
			q := constraint.Pair{I: i, J: i + 1 + rng.IntN(n-1-i), W: w}
			switch rng.IntN(4) {
			case 0, 1:
				s.Must = append(s.Must, q)
			case 2:
				s.Cannot = append(s.Cannot, q)
			default:
				s.Labels = append(s.Labels, constraint.Label{I: i, Class: rng.IntN(k), W: w})
			}
			if _, err := constraint.Close(n, s); err != nil || len(s.SoftSeeds()) > 0 {
				*s = old
			}
		}
		var must, cannot [n + k][n + k]float64
		var own [n + k]float64
		top := 0.0
		put := func(m *[n + k][n + k]float64, i, j int, w float64) {
			m[i][j], m[j][i] = max(m[i][j], w), max(m[j][i], w)
			if !math.IsInf(w, 1) {
				own[i], own[j], top = max(own[i], w), max(own[j], w), max(top, w)
			}
		}
		for _, q := range s.Must {
			put(&must, q.I, q.J, q.W)
		}
		for _, q := range s.Cannot {
			put(&cannot, q.I, q.J, q.W)
		}
		for _, l := range s.Labels {
			put(&must, l.I, n+l.Class, l.W)
		}
		for c := range n + k {
			must[c][c] = math.Inf(1)
			for d := n; d < c; d++ {
				if c >= n {
					put(&cannot, c, d, math.Inf(1))
				}
			}
		}
		for m := range n + k {
			for i := range n + k {
				for j := range n + k {
					must[i][j] = max(must[i][j], min(must[i][m], must[m][j]))
				}
			}
		}
		got := closedEntries(t, n, k, s)
		for i := range n {
			for j := range n {
				want := must[i][j]
				for a := range n + k {
					for b := range n + k {
						want = max(want, min(must[i][a], cannot[a][b], must[b][j]))
					}
				}
				switch {
				case i == j:
					want = own[i]
				case must[i][j] == 0:
					want = -want
				}
				if top > 0 {
					want /= top
				}
				if math.Abs(got[i][j]-want) > 1e-12 {
					t.Fatalf("%+v: entry %d, %d is %v, by all chains %v", s, i, j, got[i][j], want)
				}
				if i != j && want != 0 {
					entailed++
				}
			}
		}
	}
	if entailed < 1000 {
		t.Errorf("only %d entries", entailed)
	}
}

// Of two clusters, what must be apart from the same is together, by the weaker of both.
func TestClosedEntriesOfTwoClusters(t *testing.T) {
	got := closedEntries(t, 4, 2, &constraint.Set{Cannot: []constraint.Pair{{I: 0, J: 1, W: 4}, {I: 1, J: 2, W: 1}}})
	for i, row := range [][]float64{{1, -1, 0.25, 0}, {-1, 1, -0.25, 0}, {0.25, -0.25, 0.25, 0}, {0, 0, 0, 0}} {
		for j, want := range row {
			if math.Abs(got[i][j]-want) > 1e-12 {
				t.Errorf("entry %d, %d is %v, want %v", i, j, got[i][j], want)
			}
		}
	}
}
