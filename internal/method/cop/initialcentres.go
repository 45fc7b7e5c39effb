package cop

import (
	"context"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
	"github.com/inklinghq/inkling/internal/numeric/starts"
)

// initialCentres chooses the first centres: for a labelled class the mean of its
// points, for the rest those of k-means on the chunklets without cannot-links. (The
// paper draws random points.)
func (l *chunklets) initialCentres(ctx context.Context, e *cluster.Env) []float64 {
	var first []float64
	var order []int // clusters in the order of the centres: those with labels first
	set := make([]bool, l.k)
	for _, q := range l.closed.Labelled() {
		h := l.closed.Class(int(q))
		set[h] = true
		order = append(order, h)
		first = append(first, l.position(q, make([]float64, l.d)).Full(make([]float64, l.d))...)
	}
	for h := range l.k {
		if !set[h] {
			order = append(order, h)
		}
	}
	p := &cluster.Problem{X: l.positions(), Weight: l.weight, K: l.k}
	found := starts.FittedCentres(ctx, lloyd.Space{Problem: p}, e, first)
	c := make([]float64, l.k*l.d)
	for j, h := range order {
		copy(c[h*l.d:(h+1)*l.d], found.At(j))
	}
	return c
}

// positions returns the chunklets as rows, sparse if the points are.
func (l *chunklets) positions() data.Rows {
	if len(l.means) == 0 && len(l.weight) == l.rows.Len() {
		return l.rows // every point is a chunklet, in the same order
	}
	if x, ok := l.rows.(lloyd.StoredRows); ok {
		return storedChunklets{x, l}
	}
	if _, ok := l.rows.(*data.Sparse); !ok {
		return l.densePositions(0, len(l.weight))
	}
	x := &data.Sparse{Cols: l.d, Start: []int{0}}
	for q := range l.weight {
		v := l.position(int32(q), nil)
		for j, y := range v.Val {
			if y != 0 {
				x.Idx, x.Val = append(x.Idx, int32(v.Feature(j))), append(x.Val, y)
			}
		}
		x.Start = append(x.Start, len(x.Idx))
	}
	return x
}

// densePositions returns chunklets lo to hi as rows in memory.
func (l *chunklets) densePositions(lo, hi int) *data.Dense {
	x := &data.Dense{Cols: l.d, V: make([]float64, 0, (hi-lo)*l.d)}
	buf := make([]float64, l.d)
	for q := lo; q < hi; q++ {
		x.V = append(x.V, l.position(int32(q), buf).Val...)
	}
	return x
}

// storedChunklets are the chunklets of stored rows, of which only those of several
// points are in memory.
type storedChunklets struct {
	lloyd.StoredRows
	l *chunklets
}

func (s storedChunklets) Len() int { return len(s.l.weight) }

func (s storedChunklets) Row(q int, buf []float64) data.Vec { return s.l.position(int32(q), buf) }

func (s storedChunklets) Load(lo, hi int) data.Rows { return s.l.densePositions(lo, hi) }

// Pick returns some chunklets in memory.
func (s storedChunklets) Pick(at []int) data.Rows {
	x := &data.Dense{Cols: s.l.d, V: make([]float64, 0, len(at)*s.l.d)}
	buf := make([]float64, s.l.d)
	for _, q := range at {
		x.V = append(x.V, s.l.position(int32(q), buf).Val...)
	}
	return x
}
