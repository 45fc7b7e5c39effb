package continuity

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/compute/combinatorial"
	"github.com/inklinghq/inkling/internal/numeric/infer"
)

// Costs of a change: of a row that leaves its cluster, and of a violated answer of weight 1.
// nearness is the most that the distance to a cluster adds, which only decides ties.
const (
	leave    = 1.0
	violate  = 2.0
	obey     = 1000.0 // of a violated answer where only contradictions violate any
	nearness = 1e-3
)

// A Change is what answers demand of a clustering.
type Change struct {
	Labels  []int // of all rows; only rows of answers differ from the clusters before
	Asked   []int // the rows of answers, ascending
	Left    []int // those of them that left their clusters, ascending
	Doubted int   // answers that are violated
}

// asked are the rows of answers and the energy of their clusters.
type asked struct {
	rows  []int
	at    map[int]int // position by row
	field infer.Field
	base  []int32

	labelled []int // positions of rows with labels

	violate float64 // the cost of a violated answer of weight 1
}

// MinimalChange returns base, clusters from 0 to k−1, changed as little as the answers demand.
// costs, if not nil, are what row i costs in cluster h, k for each row: among equal
// changes the cheapest is made.
func MinimalChange(ctx context.Context, base []int, k int, costs []float64, answers *constraint.Set) (*Change, error) {
	return changeAt(ctx, base, k, costs, answers, violate)
}

// Obey is MinimalChange where no answer is doubted: only those are violated that contradict
// others.
func Obey(ctx context.Context, base []int, k int, costs []float64, answers *constraint.Set) (*Change, error) {
	return changeAt(ctx, base, k, costs, answers, obey)
}

// Concerned counts the rows of answers.
func Concerned(answers *constraint.Set) int { return len(answers.Rows()) }

// changeAt is MinimalChange with another cost of a violated answer.
func changeAt(ctx context.Context, base []int, k int, costs []float64, answers *constraint.Set, violate float64) (*Change, error) {
	a := newAsked(base, k, answers, violate)
	a.addNearness(costs)
	return a.change(ctx, base, answers)
}

// change returns base with the labels of the least energy.
func (a *asked) change(ctx context.Context, base []int, answers *constraint.Set) (*Change, error) {
	out := &Change{Labels: slices.Clone(base), Asked: a.rows}
	if len(a.rows) == 0 {
		return out, nil
	}
	y, err := a.solve(ctx)
	if err != nil {
		return nil, err
	}
	for at, row := range a.rows {
		out.Labels[row] = int(y[at])
		if out.Labels[row] != base[row] {
			out.Left = append(out.Left, row)
		}
	}
	out.Doubted = Violated(out.Labels, a.field.K, answers)
	return out, nil
}

// solve returns the labels of the least energy.
func (a *asked) solve(ctx context.Context) ([]int32, error) {
	best, err := infer.Solve(ctx, &a.field, a.base, infer.SolveOptions{Rand: rand.New(rand.NewPCG(1, 35))}, 1)
	return best.Labels, err
}

// newAsked lists the rows of answers and what their clusters cost.
func newAsked(base []int, k int, answers *constraint.Set, violate float64) *asked {
	a := &asked{at: map[int]int{}, violate: violate}
	if answers.Empty() {
		return a
	}
	a.rows = answers.Rows()
	a.base = make([]int32, len(a.rows))
	for at, row := range a.rows {
		a.at[row], a.base[at] = at, int32(base[row])
	}
	a.field = infer.Field{N: len(a.rows), K: k, Unary: make([]float64, len(a.rows)*k)}
	for at := range a.rows {
		for h := range k {
			if int32(h) != a.base[at] {
				a.field.Unary[at*k+h] = leave
			}
		}
	}
	of := clustersOfClasses(base, k, answers)
	for _, l := range answers.Labels {
		a.labelled = append(a.labelled, a.at[l.I])
		for h := range k {
			if h != of[l.Class] {
				a.field.Unary[a.at[l.I]*k+h] += violate * l.W
			}
		}
	}
	for _, p := range answers.Must {
		a.link(p, p.W)
	}
	for _, p := range answers.Cannot {
		a.link(p, -p.W)
	}
	for _, p := range answers.Beliefs {
		a.link(p, p.W)
	}
	return a
}

// link adds a pair that belongs together by a weight above 0, apart by one below.
func (a *asked) link(p constraint.Pair, weight float64) {
	f := &a.field
	f.Edges = append(f.Edges, infer.Edge{I: int32(a.at[p.I]), J: int32(a.at[p.J])})
	f.Same = append(f.Same, a.violate*max(0, -weight))
	f.Differ = append(f.Differ, a.violate*max(0, weight))
}

// addNearness makes clusters that a row is far from slightly more expensive.
func (a *asked) addNearness(costs []float64) {
	k := a.field.K
	if len(costs) == 0 || k == 0 {
		return
	}
	widest := 0.0 // over all asked rows, so that near ones differ from far ones
	for _, row := range a.rows {
		of := costs[row*k : (row+1)*k]
		widest = max(widest, slices.Max(of)-slices.Min(of))
	}
	if !(widest > 0) || math.IsInf(widest, 0) {
		return
	}
	for at, row := range a.rows {
		of := costs[row*k : (row+1)*k]
		for h, c := range of {
			a.field.Unary[at*k+h] += nearness * (c - slices.Min(of)) / widest
		}
	}
}

// clustersOfClasses returns the cluster that each class stands for, all different: where most
// of its labelled rows are. Classes beyond k have cluster -1.
func clustersOfClasses(base []int, k int, answers *constraint.Set) []int {
	classes := answers.Classes()
	of := slices.Repeat([]int{-1}, classes)
	if classes == 0 {
		return of
	}
	size := max(classes, k)
	cost := make([]float64, classes*size)
	for c := range classes {
		for h := range size {
			cost[c*size+h] = 1e-6 * float64(h) // the lower cluster where nothing says otherwise
			if h >= k {
				cost[c*size+h] += 1
			}
		}
	}
	for _, l := range answers.Labels {
		cost[l.Class*size+base[l.I]] -= l.W
	}
	column, _ := combinatorial.Assign(cost, size)
	for c, h := range column {
		if int(h) < k {
			of[c] = int(h)
		}
	}
	return of
}

// Violated counts the answers at odds with labels.
func Violated(labels []int, k int, answers *constraint.Set) (n int) {
	if answers == nil {
		return 0
	}
	of := clustersOfClasses(labels, k, answers)
	for _, l := range answers.Labels {
		if labels[l.I] != of[l.Class] {
			n++
		}
	}
	for _, p := range answers.Must {
		if labels[p.I] != labels[p.J] {
			n++
		}
	}
	for _, p := range answers.Cannot {
		if labels[p.I] == labels[p.J] {
			n++
		}
	}
	return n
}
