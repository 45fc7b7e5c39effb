package kernel

import (
	"context"
	"math/rand/v2"
	"sync"

	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/contraction"
)

// A grouping gathers the nodes of a level into small groups, each to become one
// node of the next level. A node joins the group to which its edges are heaviest,
// less what is expected by chance: its mass times the group's times the density
// of the graph. Groups have a maximum mass, so that they stay smaller than
// clusters, never hold both ends of a cannot-link, and, if within is given, never
// contain nodes of two of its clusters.
//
// Pairs of heaviest edges (Karypis and Kumar, Dhillon et al.) are the first round
// of this; some more rounds make larger and, on graphs without triangles, far
// purer groups.
type grouping struct {
	level   *level
	workers int
	maxMass float64 // mass of a group at the most
	within  []int32 // nil: groups may be anywhere
	density float64

	group   []int32
	mass    []float64
	scratch sync.Pool

	proposal []int32 // of a batch: the group that each of its nodes would join
	batch    int32   // batches so far
	touched  []int32 // by group: the batch in which it last won or lost a node
}

// groupRounds is how often every node may change its group.
const groupRounds = 4

func newGrouping(l *level, workers int, most float64, within []int32) *grouping {
	n := l.numNodes()
	g := &grouping{level: l, workers: workers, maxMass: most, within: within, group: make([]int32, n), mass: append([]float64(nil), l.alpha...)}
	for i := range g.group {
		g.group[i] = int32(i)
	}
	if s := sumAll(l.alpha); s > 0 {
		g.density = sumAll(l.affinity.W) / (s * s)
	}
	g.scratch.New = func() any { return contraction.NewTotals() }
	return g
}

// findGroups groups the nodes and numbers the groups by their first nodes.
func (g *grouping) findGroups(ctx context.Context, rng *rand.Rand) (group []int32, count int, err error) {
	order := shuffledRuns(len(g.group), rng)
	for range groupRounds {
		moved, err := g.groupRound(ctx, order)
		if err != nil {
			return nil, 0, err
		}
		if moved <= len(order)/100 {
			break
		}
	}
	number := make([]int32, len(g.group))
	for i := range number {
		number[i] = -1
	}
	for i, q := range g.group {
		if number[q] < 0 {
			number[q] = int32(count)
			count++
		}
		g.group[i] = number[q]
	}
	return g.group, count, nil
}

// groupRound visits every node once. On many nodes it works in batches: proposals
// are computed in parallel, from the state before the batch. If meanwhile neither
// the group that a node would leave nor the one it would join has changed, its
// gain is unchanged; else its proposal is computed again. So the result does not
// depend on the number of workers.
func (g *grouping) groupRound(ctx context.Context, order []int32) (moved int, err error) {
	own := g.scratch.Get().(*contraction.Totals)
	defer g.scratch.Put(own)
	batch, side := len(order), len(order) >= parallelFrom
	if side && g.proposal == nil {
		g.proposal, g.touched = make([]int32, max(blocks.Len, batch/64)), make([]int32, len(g.group))
	}
	if side {
		batch = len(g.proposal)
	}
	for lo := 0; lo < len(order); lo += batch {
		part := order[lo:min(lo+batch, len(order))]
		if side {
			if err := g.proposeGroups(ctx, part); err != nil {
				return moved, err
			}
		}
		for at, i := range part {
			if at%blocks.Len == 0 && ctx.Err() != nil {
				return moved, ctx.Err()
			}
			if to := g.chosenGroup(at, i, own); to != g.group[i] {
				g.moveNode(i, to)
				moved++
			}
		}
	}
	return moved, nil
}

// proposeGroups computes which groups the nodes of a batch would join.
func (g *grouping) proposeGroups(ctx context.Context, part []int32) error {
	g.batch++
	return blocks.Tasks(ctx, g.workers, numTasks(part), func(b int) {
		links := g.scratch.Get().(*contraction.Totals)
		for at := b * proposalsOfTask; at < min((b+1)*proposalsOfTask, len(part)); at++ {
			g.proposal[at] = g.bestGroup(part[at], links)
		}
		g.scratch.Put(links)
	})
}

// proposalsOfTask is how many nodes a task makes proposals for. Nothing is added up, so it changes no bit; batches are short,
// and with blocks of 1,024 one or a few workers would do them.
const proposalsOfTask = 64

func numTasks(part []int32) int { return (len(part) + proposalsOfTask - 1) / proposalsOfTask }

// chosenGroup returns the group that node i, at that place of the batch, joins.
func (g *grouping) chosenGroup(at int, i int32, t *contraction.Totals) int32 {
	if g.proposal == nil {
		return g.bestGroup(i, t)
	}
	from, to := g.group[i], g.proposal[at]
	if from != to && (g.touched[from] == g.batch || g.touched[to] == g.batch) {
		return g.bestGroup(i, t)
	}
	return to
}

func (g *grouping) moveNode(i, to int32) {
	from, alpha := g.group[i], g.level.alpha[i]
	g.mass[from] -= alpha
	g.mass[to] += alpha
	g.group[i] = to
	if g.touched != nil {
		g.touched[from], g.touched[to] = g.batch, g.batch
	}
}

// bestGroup returns the group that node i gains most by joining, its own if it
// gains nothing.
func (g *grouping) bestGroup(i int32, t *contraction.Totals) int32 {
	t.Reset()
	to, w := g.level.affinity.neighbours(i)
	for q, j := range to {
		if j != i && (g.within == nil || g.within[i] == g.within[j]) {
			t.AddTo(g.group[j], w[q])
		}
	}
	to, w = g.level.pairWeights.neighbours(i)
	for q, j := range to {
		if g.within == nil || g.within[i] == g.within[j] {
			t.AddTo(g.group[j], w[q])
		}
	}
	from, alpha := g.group[i], g.level.alpha[i]
	best, most := from, t.TotalOf(from)-float64(g.density*alpha)*(g.mass[from]-alpha)
	for at, q := range t.Keys {
		if t.Sums[at] <= most || q == from || g.mass[q]+alpha > g.maxMass || g.hasCannotLink(q, i) {
			continue
		}
		if score := t.Sums[at] - float64(g.density*alpha)*g.mass[q]; score > most {
			best, most = q, score
		}
	}
	return best
}

// hasCannotLink reports whether node i has a cannot-link to a node of group q.
func (g *grouping) hasCannotLink(q, i int32) bool {
	to, _ := g.level.cannotCost.neighbours(i)
	for _, j := range to {
		if g.group[j] == q {
			return true
		}
	}
	return false
}

// shuffledRuns returns 0 to n−1 in random order, but in short runs of consecutive
// numbers, whose nodes are close in memory.
func shuffledRuns(n int, rng *rand.Rand) []int32 {
	run := 1
	if n >= parallelFrom {
		run = 16
	}
	order := make([]int32, 0, n)
	for _, r := range rng.Perm((n + run - 1) / run) {
		for i := r * run; i < min(n, (r+1)*run); i++ {
			order = append(order, int32(i))
		}
	}
	return order
}
