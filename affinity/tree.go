package affinity

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/internal/blocks"
	"github.com/inklinghq/inkling/internal/simd"
)

// leafRows is the number of rows in a leaf, whole panels.
const leafRows = 2 * simd.PanelRows

// A tree is a k-d tree: a node holds a run of leaves and the box around their
// rows, and is halved along the longest side of its box. All leaves but the
// last are full. Nodes stand in preorder: a node of m leaves at v has its
// children at v+1 and at v+2⌈m/2⌉.
type tree struct {
	table *table
	order []int32 // leaf l holds rows order[l·leafRows] and following
	cols  *simd.Columns
	box   []float64 // of node v: from 2·d·v on, the least and the greatest of each feature
	first []int32   // the lowest row of each node
}

// A span is a node that is to be built, of leaves lo to hi.
type span struct{ node, lo, hi int }

func (t *tree) leaves() int { return (len(t.order) + leafRows - 1) / leafRows }

// growTree builds the tree of a dense table, level by level.
func growTree(ctx context.Context, table *table, workers int) (*tree, error) {
	t := &tree{table: table, order: make([]int32, table.n), cols: simd.NewColumns(table.n, table.d)}
	for i := range t.order {
		t.order[i] = int32(i)
	}
	table.row(0) // made before several hands ask for it
	nodes := 2*t.leaves() - 1
	t.box, t.first = make([]float64, nodes*2*table.d), make([]int32, nodes)
	for level := []span{{0, 0, t.leaves()}}; len(level) > 0; {
		if err := blocks.Tasks(ctx, workers, len(level), func(p int) { t.split(level[p]) }); err != nil {
			return nil, err
		}
		var next []span
		for _, s := range level {
			if m := s.hi - s.lo; m > 1 {
				half := (m + 1) / 2
				next = append(next, span{s.node + 1, s.lo, s.lo + half}, span{s.node + 2*half, s.lo + half, s.hi})
			}
		}
		level = next
	}
	err := blocks.Each(ctx, workers, table.n, func(lo, hi int) struct{} {
		for p := lo; p < hi; p++ {
			t.cols.Set(p, table.row(int(t.order[p])))
		}
		return struct{}{}
	}, func(int, int, struct{}) {})
	return t, err
}

// split finds the box of a node and orders its rows so that those of the first
// half come first.
func (t *tree) split(s span) {
	d, rows := t.table.d, t.order[s.lo*leafRows:min(len(t.order), s.hi*leafRows)]
	box := t.box[2*d*s.node : 2*d*(s.node+1)]
	for f := range d {
		box[2*f], box[2*f+1] = math.Inf(1), math.Inf(-1)
	}
	for _, i := range rows {
		for f, y := range t.table.row(int(i)) {
			if y < box[2*f] {
				box[2*f] = y
			}
			if y > box[2*f+1] {
				box[2*f+1] = y
			}
		}
	}
	t.first[s.node] = slices.Min(rows)
	if s.hi-s.lo < 2 {
		return
	}
	longest := 0
	for f := range d {
		if box[2*f+1]-box[2*f] > box[2*longest+1]-box[2*longest] {
			longest = f
		}
	}
	keys := make([]key, len(rows))
	for p, i := range rows {
		keys[p] = key{t.table.row(int(i))[longest], i}
	}
	halve(keys, (s.hi-s.lo+1)/2*leafRows)
	for p, k := range keys {
		rows[p] = k.row
	}
}

// A key is a row and the number it is ordered by; no two keys are equal.
type key struct {
	y   float64
	row int32
}

func (a key) less(b key) bool { return a.y < b.y || a.y == b.y && a.row < b.row }

// halve orders keys so that the first m are the least ones. (Hoare's
// selection; should it be unlucky, it sorts.)
func halve(keys []key, m int) {
	for tries := 0; len(keys) > 24; tries++ {
		if tries == 64 {
			break
		}
		a, b, c := keys[0], keys[len(keys)/2], keys[len(keys)-1]
		if b.less(a) {
			a, b = b, a
		}
		if c.less(b) {
			b = c
			if b.less(a) {
				b = a
			}
		}
		i, j := 0, len(keys)-1
		for i <= j {
			for keys[i].less(b) {
				i++
			}
			for b.less(keys[j]) {
				j--
			}
			if i <= j {
				keys[i], keys[j] = keys[j], keys[i]
				i++
				j--
			}
		}
		switch { // all up to j are at most b, all from i on at least
		case m <= j:
			keys = keys[:j+1]
		case m >= i:
			keys, m = keys[i:], m-i
		default:
			return
		}
	}
	slices.SortFunc(keys, func(a, b key) int { return cmp.Or(cmp.Compare(a.y, b.y), cmp.Compare(a.row, b.row)) })
}

// find offers to best every row that may belong to it. It returns the number of
// leaves that it looked at.
func (t *tree) find(self int32, best *top, r *room) int {
	r.fit(leafRows / simd.PanelRows)
	return t.visit(span{0, 0, t.leaves()}, t.table.row(int(self)), self, best, r)
}

func (t *tree) visit(s span, x []float64, self int32, best *top, r *room) int {
	m := s.hi - s.lo
	if m == 1 {
		const panels = leafRows / simd.PanelRows
		scanPanels(t.cols, x, s.lo*panels, min(s.hi*panels, t.cols.Panels()), self, t.order, best, r)
		return 1
	}
	half := (m + 1) / 2
	near, far := span{s.node + 1, s.lo, s.lo + half}, span{s.node + 2*half, s.lo + half, s.hi}
	a, b := t.apart(near.node, x), t.apart(far.node, x)
	if b < a || b == a && t.first[far.node] < t.first[near.node] {
		near, far, a, b = far, near, b, a
	}
	seen := 0
	if best.takes(a, t.first[near.node]) {
		seen = t.visit(near, x, self, best, r)
	}
	if best.takes(b, t.first[far.node]) {
		seen += t.visit(far, x, self, best, r)
	}
	return seen
}

// apart returns a lower bound of the squared distance of x to the rows of a
// node. It is added up as distances are, and rounding keeps order, so that it
// is at most the distance as computed: no row is lost to rounding.
func (t *tree) apart(node int, x []float64) (s float64) {
	box := t.box[2*len(x)*node : 2*len(x)*(node+1)]
	for f, y := range x {
		gap := box[2*f] - y
		if over := y - box[2*f+1]; over > gap {
			gap = over
		}
		if gap > 0 {
			s += float64(gap * gap)
		}
	}
	return s
}

// probes is how many rows are searched for to see what a tree is worth.
const probes = 64

// share returns which part of the leaves the search for a row looks at, on the
// average of some rows.
func (t *tree) share(k int) float64 {
	idx, dist, seen := make([]int32, k), make([]float64, k), 0
	r := rooms.Get().(*room)
	defer rooms.Put(r)
	for p := range probes {
		best := top{idx: idx, dist: dist}
		seen += t.find(t.order[p*len(t.order)/probes], &best, r)
	}
	return float64(seen) / probes / float64(t.leaves())
}

// byTree finds all neighbours by t, leaf by leaf.
func (nb *Neighbours) byTree(ctx context.Context, t *tree, workers int) error {
	nb.Method = "tree"
	return blocks.Tasks(ctx, workers, t.leaves(), func(leaf int) {
		r := rooms.Get().(*room)
		defer rooms.Put(r)
		for _, i := range t.order[leaf*leafRows : min(nb.N, (leaf+1)*leafRows)] {
			best := nb.place(int(i))
			t.find(i, &best, r)
		}
	})
}
