package score

import (
	"fmt"
	"runtime"
	"sync"
)

// NewTable counts the truth against the prediction, two labellings of the same
// points. Labels may be any numbers, also negative ones; each value is a group
// of its own. It costs O(n) time, and unless labels are spread over a huge range
// no memory beyond the counts.
func NewTable(truth, pred []int) (*Table, error) {
	if err := checkLengths(len(truth), len(pred)); err != nil {
		return nil, err
	}
	a, b := rangeOf(truth), rangeOf(pred)
	if dense := denseCells(len(truth)); a.width <= dense && b.width <= dense && a.width*b.width <= dense {
		counts := countDense(truth, pred, a, b)
		return fromDense(len(truth), counts, a.values(), b.values()), nil
	}
	var p, q coded
	runBoth(func() { p = encode(truth, a) }, func() { q = encode(pred, b) })
	return fromCodes(p, q), nil
}

func checkLengths(truth, pred int) error {
	if truth != pred {
		return fmt.Errorf("%d true labels, %d predicted; both must label the same points", truth, pred)
	}
	return nil
}

// denseCells is the largest table worth holding in full for n points: small
// beside the labels themselves, and at most a few megabytes a worker.
func denseCells(n int) int { return max(1<<12, min(n/8, 1<<20)) }

// countDense counts every pair of labels at cell (x−a.low)·b.width + y−b.low.
// Each worker counts a stretch of the points in a table of its own; the sums
// are of integers, so their order does not matter.
func countDense[T int | int32](x, y []T, a, b labelRange) []int {
	size := a.width * b.width
	counts := make([]int, size)
	workers := max(1, min(runtime.GOMAXPROCS(0), len(x)/max(4*size, minStretch)))
	if workers == 1 {
		countInto(counts, x, y, a, b)
		return counts
	}
	var mu sync.Mutex
	forEachStretch(len(x), workers, func(lo, hi int) {
		own := make([]int, size)
		countInto(own, x[lo:hi], y[lo:hi], a, b)
		mu.Lock()
		defer mu.Unlock()
		for i, c := range own {
			counts[i] += c
		}
	})
	return counts
}

func countInto[T int | int32](counts []int, x, y []T, a, b labelRange) {
	// One offset for both labellings: (x−a.low)·w + y−b.low = x·w + y − base.
	// Wrap-around is harmless, for the result is a cell of the table.
	w, base := b.width, a.low*b.width+b.low
	y = y[:len(x)]
	for i, u := range x {
		counts[int(u)*w+int(y[i])-base]++
	}
}

// fromDense makes a table of full counts, leaving out rows and columns that
// are empty. The groups bring the label of every row and column.
func fromDense(n int, counts []int, a, b group) *Table {
	width := b.width()
	rows, cols := make([]int, a.width()), make([]int, width)
	used := 0
	for i := range rows {
		for j, c := range counts[i*width : (i+1)*width] {
			if c > 0 {
				rows[i] += c
				cols[j] += c
				used++
			}
		}
	}
	t := &Table{n: n, cells: make([]cell, 0, used)}
	class, cluster := t.classes.take(a, rows), t.clusters.take(b, cols)
	for i, k := range class {
		if k < 0 {
			continue
		}
		for j, c := range counts[i*width : (i+1)*width] {
			if c > 0 {
				t.cells = append(t.cells, cell{k, cluster[j], c})
			}
		}
	}
	return t
}

// take keeps the parts of from that have points and returns the new number of
// each, −1 where it has none.
func (g *group) take(from group, sizes []int) []int32 {
	number := make([]int32, len(sizes))
	for i, c := range sizes {
		number[i] = -1
		if c == 0 {
			continue
		}
		number[i] = int32(len(g.sizes))
		g.sizes = append(g.sizes, c)
		g.values = append(g.values, from.values[i])
	}
	return number
}

func (g *group) width() int { return len(g.values) }

// fromCodes makes a table of two coded labellings, every code in use.
func fromCodes(p, q coded) *Table {
	n := len(p.codes)
	r, c := p.group.width(), q.group.width()
	if dense := denseCells(n); r <= dense && c <= dense && r*c <= dense {
		counts := countDense(p.codes, q.codes, labelRange{width: r}, labelRange{width: c})
		return fromDense(n, counts, p.group, q.group)
	}
	t := &Table{n: n, classes: p.group, clusters: q.group}
	runBoth(
		func() { t.classes.sizes = histogram(p.codes, r) },
		func() { t.clusters.sizes = histogram(q.codes, c) },
	)
	t.cells = cellsBySorting(p.codes, q.codes, t.classes.sizes, t.clusters.sizes)
	return t
}

// cellsBySorting orders the points by class and, within it, by cluster, and
// counts the runs. The order comes from two counting sorts, first by cluster
// and then, stably, by class: O(n + classes + clusters), 8n bytes.
func cellsBySorting(class, cluster []int32, classes, clusters []int) []cell {
	byCluster := make([]int32, len(class)) // the classes of the points of cluster 0, then of 1, …
	next := starts(clusters)
	for i, k := range cluster {
		byCluster[next[k]] = class[i]
		next[k]++
	}
	byClass := make([]int32, len(class)) // the clusters of the points of class 0, then of 1, …
	next = starts(classes)
	p := 0
	for k, size := range clusters {
		for _, r := range byCluster[p : p+size] {
			byClass[next[r]] = int32(k)
			next[r]++
		}
		p += size
	}
	used := 0
	runs(byClass, classes, func(_, _ int32, _ int) { used++ })
	cells := make([]cell, 0, used)
	runs(byClass, classes, func(r, k int32, n int) { cells = append(cells, cell{r, k, n}) })
	return cells
}

// runs calls f for every run of equal clusters inside a class.
func runs(byClass []int32, classes []int, f func(class, cluster int32, n int)) {
	lo := 0
	for r, size := range classes {
		end := lo + size
		for lo < end {
			hi := lo + 1
			for hi < end && byClass[hi] == byClass[lo] {
				hi++
			}
			f(int32(r), byClass[lo], hi-lo)
			lo = hi
		}
	}
}
