package kernel

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// A refiner moves single nodes while that lowers J (the first variation of
// Dhillon, Guan and Kulis). Nodes that may move wait in a queue: all at first,
// then the neighbours of a node that moved.
//
// On many nodes the queue is cut into batches: proposals are computed in parallel
// for a whole batch, from the state before it; then the nodes that proposed a
// move are visited one after the other, and move if it still pays. So the result
// is the same on any number of workers.
type refiner struct {
	*partition
	workers   int
	queue     []int32
	queued    []bool
	next      []int32
	wantsMove []bool
	scratch   sync.Pool
	links     *nodeLinks
}

// parallelFrom is the length of a queue from which batches pay.
const parallelFrom = 1 << 14

func newRefiner(p *partition, workers int) *refiner {
	n := len(p.label)
	r := &refiner{partition: p, workers: workers, queued: make([]bool, n), links: newNodeLinks(p.k)}
	r.scratch.New = func() any { return newNodeLinks(p.k) }
	r.queueAll()
	return r
}

// queueAll puts every node into the queue.
func (r *refiner) queueAll() {
	r.queue = r.queue[:0]
	for i := range r.label {
		r.queue = append(r.queue, int32(i))
	}
}

// refineRound visits every node in the queue once and leaves in it those that may
// move next.
func (r *refiner) refineRound(ctx context.Context) (moved int, err error) {
	r.findFallback()
	r.next = r.next[:0]
	batch := len(r.queue)
	if batch >= parallelFrom {
		batch = max(blocks.Len, batch/32)
	}
	for lo := 0; lo < len(r.queue); lo += batch {
		part := r.queue[lo:min(lo+batch, len(r.queue))]
		var proposed []bool
		if len(r.queue) >= parallelFrom {
			if proposed, err = r.proposeMoves(ctx, part); err != nil {
				return moved, err
			}
		}
		for at, i := range part {
			if at%blocks.Len == 0 && ctx.Err() != nil {
				return moved, ctx.Err()
			}
			if proposed != nil && !proposed[at] {
				continue
			}
			if to, _ := r.bestMove(i, r.links); to != r.label[i] {
				r.moveNode(i, to, r.links)
				r.queueNeighbours(i)
				moved++
			}
		}
	}
	for _, i := range r.next {
		r.queued[i] = false
	}
	r.queue, r.next = r.next, r.queue
	return moved, nil
}

// proposeMoves returns which nodes of a batch would move in the current state.
func (r *refiner) proposeMoves(ctx context.Context, part []int32) ([]bool, error) {
	if cap(r.wantsMove) < len(part) {
		r.wantsMove = make([]bool, len(part))
	}
	proposed := r.wantsMove[:len(part)]
	err := blocks.Tasks(ctx, r.workers, numTasks(part), func(b int) {
		links := r.scratch.Get().(*nodeLinks)
		for at := b * proposalsOfTask; at < min((b+1)*proposalsOfTask, len(part)); at++ {
			to, _ := r.bestMove(part[at], links)
			proposed[at] = to != r.label[part[at]]
		}
		r.scratch.Put(links)
	})
	return proposed, err
}

// queueNeighbours puts the neighbours of i into the queue.
func (r *refiner) queueNeighbours(i int32) {
	for _, g := range [3]*sparseMatrix{&r.level.affinity, &r.level.pairWeights, &r.level.cannotCost} {
		to, _ := g.neighbours(i)
		for _, j := range to {
			if !r.queued[j] {
				r.queued[j] = true
				r.next = append(r.next, j)
			}
		}
	}
}

// refine first separates violated cannot-links, then makes rounds until nothing
// moves, or as many as given.
func (r *refiner) refine(ctx context.Context, rounds int) (moved int, err error) {
	if r.cannotPenalty > 0 {
		moved = r.repairCannotLinks()
	}
	for range rounds {
		m, err := r.refineRound(ctx)
		moved += m
		if err != nil || m == 0 {
			return moved, err
		}
	}
	return moved, nil
}

// repairCannotLinks separates pairs that violate a cannot-link. Either end may
// move: the one that gains most moves first, and if that satisfies the
// cannot-link the other stays. A queue in the order of nodes would move whichever
// end has the lower number, and constraints would move as many nodes to a wrong
// cluster as to a right one.
func (r *refiner) repairCannotLinks() (moved int) {
	type repair struct {
		i    int32
		gain float64
	}
	var list []repair
	for i := range int32(len(r.label)) {
		if r.violatesCannot(i) {
			if _, gain := r.bestMove(i, r.links); gain > 0 {
				list = append(list, repair{i, gain})
			}
		}
	}
	slices.SortFunc(list, func(a, b repair) int {
		return cmp.Or(cmp.Compare(b.gain, a.gain), cmp.Compare(a.i, b.i))
	})
	for _, w := range list {
		if !r.violatesCannot(w.i) {
			continue
		}
		if to, _ := r.bestMove(w.i, r.links); to != r.label[w.i] {
			r.moveNode(w.i, to, r.links)
			moved++
		}
	}
	return moved
}

// violatesCannot reports whether i is together with a node that it must be apart
// from.
func (r *refiner) violatesCannot(i int32) bool {
	to, _ := r.level.cannotCost.neighbours(i)
	for _, j := range to {
		if r.label[j] == r.label[i] {
			return true
		}
	}
	return false
}
