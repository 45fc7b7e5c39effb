package lloyd

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
)

// Sums, masses and costs have the same bits on any number of workers: few features, so
// that the work is divided by clusters; more changes than are sorted at a time; weights;
// clusters that become empty, and one that has most of the rows.
func TestKeptSumsHaveTheSameBits(t *testing.T) {
	for _, c := range []struct {
		n, d, k  int
		weighted bool
	}{{20_000, 3, 5, false}, {9_000, 17, 40, true}, {sortedAtOnce*sortedLen + 5_000, 1, 3, true}} {
		t.Run(fmt.Sprintf("n=%d d=%d k=%d", c.n, c.d, c.k), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, uint64(c.n)))
			x := &data.Dense{Cols: c.d, V: make([]float64, c.n*c.d)}
			single := &data.Dense32{Cols: c.d, V: make([]float32, c.n*c.d)}
			for i := range x.V {
				x.V[i] = rng.NormFloat64() * 1e3
				single.V[i] = float32(x.V[i])
			}
			p := &cluster.Problem{X: x, K: c.k}
			if c.weighted {
				p.Weight = make([]float64, c.n)
				for i := range p.Weight {
					p.Weight[i] = rng.ExpFloat64()
				}
			}
			first, second := make([]int32, c.n), make([]int32, c.n)
			var moves []Move
			for i := range first {
				first[i] = int32(rng.IntN(c.k))
				if rng.IntN(2) == 0 {
					first[i] = 1
				}
				if second[i] = first[i]; rng.IntN(3) > 0 || first[i] == 2 {
					second[i] = int32(rng.IntN(2))
				}
				if second[i] != first[i] {
					moves = append(moves, Move{int32(i), first[i]})
				}
			}
			at := NewCentres(c.k, c.d, x.V[:c.k*c.d])
			type outcome struct {
				Sums *KeptSums
				Cost CostChange
			}
			update := func(rows data.Rows, workers int) (list []outcome) {
				q := *p
				q.X = rows
				s, e := NewKeptSums(c.k, c.d), &cluster.Env{Workers: workers}
				for _, u := range []struct {
					labels []int32
					moves  []Move
				}{{first, nil}, {second, moves}} {
					cost, err := s.Update(context.Background(), e, &q, at, u.labels, u.moves)
					if err != nil {
						t.Fatal(err)
					}
					list = append(list, outcome{s.Clone(), cost})
				}
				return list
			}
			for _, rows := range []data.Rows{x, single} {
				want := update(rows, 1)
				for _, workers := range []int{2, 3, 7, 16} {
					if !reflect.DeepEqual(update(rows, workers), want) {
						t.Errorf("%T: other sums on %d workers than on one", rows, workers)
					}
				}
			}
		})
	}
}

func TestManyMovesAreCopiedAndFewListed(t *testing.T) {
	labels := make([]int32, 5000)
	var u PendingMoves
	out := u.AllLabels(labels, 2)
	for _, step := range []int{1000, 3} { // few, then many
		var moves []Move
		for i := 0; i < len(labels); i += step {
			labels[i]++
			moves = append(moves, Move{Row: int32(i)})
		}
		u.Add(moves, len(labels))
		u.Update(out, labels, 2)
		for i, h := range labels {
			if out[i] != int(h) {
				t.Fatalf("every %d: label %d is %d, want %d", step, i, out[i], h)
			}
		}
	}
}

func TestSamplesAreSpreadEvenly(t *testing.T) {
	for n := 1; n < 60; n++ {
		for want := 1; want <= n; want++ {
			j := 0
			for i := range n {
				if taken := i*want/n != (i+1)*want/n; taken != (j < want && evenlySpread(j, n, want) == i) {
					t.Fatalf("%d of %d: thing %d", want, n, i)
				} else if taken {
					j++
				}
			}
			if j != want {
				t.Fatalf("%d of %d, took %d", want, n, j)
			}
		}
	}
}
