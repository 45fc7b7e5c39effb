package kernel

import (
	"context"
	"sync"

	"github.com/inklinghq/inkling/internal/blocks"
)

// A refiner moves single nodes while that lowers J (the first variation of
// Dhillon, Guan and Kulis). Nodes that have a reason to move wait in a queue:
// all at first, then those next to a node that moved.
//
// On many nodes the queue is cut into batches: what a node would like is
// computed side by side for a whole batch, from the state before it; then those
// that would like to move are asked again, one after the other, and do. So the
// result is the same on any number of workers.
type refiner struct {
	*partition
	workers int
	queue   []int32
	waiting []bool
	next    []int32
	wish    []bool
	hands   sync.Pool
	own     *reach
}

// sideBySide is the number of nodes in a queue from which batches pay.
const sideBySide = 1 << 14

func newRefiner(p *partition, workers int) *refiner {
	n := len(p.label)
	r := &refiner{partition: p, workers: workers, waiting: make([]bool, n), own: newReach(p.k)}
	r.hands.New = func() any { return newReach(p.k) }
	r.all()
	return r
}

// all puts every node into the queue.
func (r *refiner) all() {
	r.queue = r.queue[:0]
	for i := range r.label {
		r.queue = append(r.queue, int32(i))
	}
}

// round works the queue off once and leaves in it those that may move next.
func (r *refiner) round(ctx context.Context) (moved int, err error) {
	r.findSpare()
	r.next = r.next[:0]
	batch := len(r.queue)
	if batch >= sideBySide {
		batch = max(blocks.Len, batch/32)
	}
	for lo := 0; lo < len(r.queue); lo += batch {
		part := r.queue[lo:min(lo+batch, len(r.queue))]
		var wish []bool
		if len(r.queue) >= sideBySide {
			if wish, err = r.wishes(ctx, part); err != nil {
				return moved, err
			}
		}
		for at, i := range part {
			if at%blocks.Len == 0 && ctx.Err() != nil {
				return moved, ctx.Err()
			}
			if wish != nil && !wish[at] {
				continue
			}
			if to, _ := r.best(i, r.own); to != r.label[i] {
				r.move(i, to, r.own)
				r.wake(i)
				moved++
			}
		}
	}
	for _, i := range r.next {
		r.waiting[i] = false
	}
	r.queue, r.next = r.next, r.queue
	return moved, nil
}

// wishes tells which nodes of a batch would like to move, as things stand.
func (r *refiner) wishes(ctx context.Context, part []int32) ([]bool, error) {
	if cap(r.wish) < len(part) {
		r.wish = make([]bool, len(part))
	}
	wish := r.wish[:len(part)]
	err := blocks.Tasks(ctx, r.workers, (len(part)+blocks.Len-1)/blocks.Len, func(b int) {
		hand := r.hands.Get().(*reach)
		for at := b * blocks.Len; at < min((b+1)*blocks.Len, len(part)); at++ {
			to, _ := r.best(part[at], hand)
			wish[at] = to != r.label[part[at]]
		}
		r.hands.Put(hand)
	})
	return wish, err
}

// wake puts those next to i, in other clusters than it is now, into the queue.
func (r *refiner) wake(i int32) {
	for _, g := range [3]*csr{&r.l.a, &r.l.links, &r.l.apart} {
		to, _ := g.row(i)
		for _, j := range to {
			if !r.waiting[j] {
				r.waiting[j] = true
				r.next = append(r.next, j)
			}
		}
	}
}

// descend mends what is broken, then makes rounds until nothing moves, or that
// many rounds.
func (r *refiner) descend(ctx context.Context, rounds int) (moved int, err error) {
	if r.paid > 0 {
		moved = r.mend()
	}
	for range rounds {
		m, err := r.round(ctx)
		moved += m
		if err != nil || m == 0 {
			return moved, err
		}
	}
	return moved, nil
}
