package lloyd

import (
	"context"
	"sync"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

// fewestSorted is the number of changes from which sorting them by cluster pays.
const fewestSorted = 4096

// Changes are sorted by cluster in stretches of sortedLen, sortedAtOnce stretches at a
// time, so that the lists take a few megabytes however many rows there are.
const (
	sortedLen    = 8 * blocks.Len
	sortedAtOnce = 64
)

// sortedScratch keeps the lists for the next iteration.
var sortedScratch = sync.Pool{New: func() any { return new([sortedAtOnce]sortedStretch) }}

// A sortedStretch lists the changes of a stretch by group of clusters, each group in
// the order of the rows; group g is from start[g] to start[g+1]. Rows to subtract are
// given as complements.
type sortedStretch struct {
	count      []int32 // of each cluster: rows added less rows subtracted
	changes    []int32 // of each cluster: rows added and subtracted
	start      []int32
	row, label []int32
}

// addByCluster adds rows in tasks by features and groups of clusters: changes are
// sorted by group first. Every sum is added up in the order of the rows, whatever the
// groups, so that the bits do not depend on the number of workers.
func addByCluster[T float32 | float64](ctx context.Context, s *KeptSums, p *cluster.Problem, c labelChange, x []T, workers int, add adder[T]) error {
	k, parts := len(s.Count), s.featureParts()
	stretches := sortedScratch.Get().(*[sortedAtOnce]sortedStretch)
	defer sortedScratch.Put(stretches)
	for first := 0; first < c.len(); first += sortedAtOnce * sortedLen {
		list := stretches[:min(sortedAtOnce, (c.len()-first+sortedLen-1)/sortedLen)]
		span := func(i int) (lo, hi int) {
			lo = first + i*sortedLen
			return lo, min(lo+sortedLen, c.len())
		}
		err := blocks.Tasks(ctx, workers, len(list), func(i int) {
			lo, hi := span(i)
			list[i].countChanges(c, k, lo, hi)
		})
		if err != nil {
			return err
		}
		groupOf, groups := groupClusters(list, k, (2*workers+parts-1)/parts)
		err = blocks.Tasks(ctx, workers, len(list), func(i int) {
			lo, hi := span(i)
			list[i].sort(c, groupOf, groups, lo, hi)
		})
		if err != nil {
			return err
		}
		err = blocks.Tasks(ctx, workers, groups*parts, func(t int) {
			g, f := t/parts, t%parts
			var l rowList
			for i := range list {
				l.addStretch(s, p, &list[i], g, f == 0, func() {
					add(s.Sum, s.sumError, s.D, f*featuresAtOnce, min(s.D, (f+1)*featuresAtOnce), x, l.row, l.label, l.w)
				})
			}
		})
		if err != nil {
			return err
		}
		for i := range list {
			for h, n := range list[i].count {
				s.Count[h] += int(n)
			}
		}
	}
	s.settleMass(p)
	return nil
}

// countChanges counts the changes lo to hi of each cluster.
func (l *sortedStretch) countChanges(c labelChange, k, lo, hi int) {
	l.count, l.changes = scratch(l.count, k), scratch(l.changes, k)
	clear(l.count)
	clear(l.changes)
	for j := lo; j < hi; j++ {
		i, from := c.moveAt(j)
		to := c.labels[i]
		l.count[to]++
		l.changes[to]++
		if from >= 0 {
			l.count[from]--
			l.changes[from]++
		}
	}
}

// groupClusters divides the clusters into at most so many groups of about as many
// changes, and returns the group of each and their number.
func groupClusters(list []sortedStretch, k, most int) (groupOf []int32, groups int) {
	size, all := make([]int, k), 0
	for _, l := range list {
		for h, n := range l.changes {
			size[h] += int(n)
			all += int(n)
		}
	}
	groupOf = make([]int32, k)
	before := 0
	for h, n := range size {
		groupOf[h] = int32(min(most-1, (before+n/2)*most/max(1, all)))
		before += n
	}
	names := int32(-1)
	last := int32(-1)
	for h, g := range groupOf { // groups without a cluster are left out
		if g != last {
			names, last = names+1, g
		}
		groupOf[h] = names
	}
	return groupOf, int(names) + 1
}

// sort lists the changes lo to hi by group.
func (l *sortedStretch) sort(c labelChange, groupOf []int32, groups, lo, hi int) {
	l.start = scratch(l.start, groups+2)
	clear(l.start)
	for h, n := range l.changes {
		l.start[groupOf[h]+2] += n
	}
	for g := range groups {
		l.start[g+2] += l.start[g+1]
	}
	all := int(l.start[groups+1])
	l.row, l.label = scratch(l.row, all), scratch(l.label, all)
	put := func(h, row int32) {
		at := &l.start[groupOf[h]+1]
		l.row[*at], l.label[*at] = row, h
		*at++
	}
	for j := lo; j < hi; j++ {
		i, from := c.moveAt(j)
		if from >= 0 {
			put(from, ^i)
		}
		put(c.labels[i], i)
	}
}

// addStretch makes l the list of the changes of group g, some at a time, and calls
// add for each; it also adds up weights to masses where mass says so.
func (l *rowList) addStretch(s *KeptSums, p *cluster.Problem, from *sortedStretch, g int, mass bool, add func()) {
	const rows = 512 // at a time
	all, label := from.row[from.start[g]:from.start[g+1]], from.label[from.start[g]:from.start[g+1]]
	for len(all) > 0 {
		n := min(rows, len(all))
		l.row, l.w = scratch(l.row, n), scratch(l.w, n)
		for j, i := range all[:n] {
			w := 1.0
			if i < 0 {
				i, w = ^i, -1
			}
			if p.Weight != nil {
				w *= p.Weight[i]
				if mass {
					h := label[j]
					s.Mass[h], s.massError[h] = simd.TwoSum(s.Mass[h], s.massError[h], w)
				}
			}
			l.row[j], l.w[j] = i, w
		}
		l.label = label[:n]
		add()
		all, label = all[n:], label[n:]
	}
	l.label = nil
}
