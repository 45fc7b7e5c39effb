package workspace

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"
	"sync"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/present/layout"
)

// places are where the points are on a plane, and the prepared rows or the graph that they were put there by.
type places struct {
	jobs   *jobs
	points *points
	record *record
	k      int // the number of clusters that was asked for on opening; 0: none

	done chan struct{} // closed when plane is there

	mu       sync.Mutex
	prepared *prepared // nil: not yet
	plane    *plane
	graph    *data.Graph // where the data are one; node has its points
	node     []uint32
	near     nearPlane // by neighbours
}

// A plane has the places of points.
type plane struct {
	x, y  []float32
	share float64 // of the variance that it shows; 0: unknown
	err   error
}

// prepared are the rows as they are clustered.
type prepared struct {
	x   data.Rows // nil for graphs and kernels
	row []int32   // of the table, by prepared row
	at  []int32   // the prepared row, by row of the table; -1 where it was left out
}

func newPlaces(j *jobs, ps *points, rec *record, k int) *places {
	return &places{jobs: j, points: ps, record: rec, k: k, done: make(chan struct{}), near: nearPlane{first: make(chan struct{})}}
}

// rows returns the prepared rows; nil where there are none.
func (pl *places) rows() data.Rows {
	pl.mu.Lock()
	defer pl.mu.Unlock()
	if pl.prepared == nil {
		return nil
	}
	return pl.prepared.x
}

// place puts the points on a plane, once: a fit never moves them.
func (pl *places) place() {
	p := &plane{}
	p.x, p.y, p.share, p.err = pl.project()
	pl.mu.Lock()
	pl.plane = p
	pl.mu.Unlock()
	close(pl.done)
	pl.jobs.changed(StateChanged)
}

// project returns the places of the points, and the share of the variance that they show.
func (pl *places) project() (x, y []float32, share float64, err error) {
	o := pl.record.session.Options(pl.record.session.Header().Fit, door.Options{Workers: pl.jobs.workers})
	p, id, err := pl.record.session.Problem(pl.jobs.ctx, pl.points.table, nil, o)
	if err != nil {
		return nil, nil, 0, err
	}
	pl.keepRows(p.X, p.Len(), id)
	var m *layout.Projection
	switch {
	case p.X != nil:
		m, err = layout.PCA(pl.jobs.ctx, p.X, pl.jobs.workers)
	case p.Graph != nil:
		pl.keepGraph(p.Graph, id)
		m, err = pl.placeGraph(p.Graph)
	default: // a kernel: similar rows have similar rows of the matrix
		m, err = layout.PCA(pl.jobs.ctx, p.Kernel, pl.jobs.workers)
	}
	if err != nil {
		return nil, nil, 0, err
	}
	x, y = pl.onPoints(m)
	return x, y, m.Share, nil
}

// onPoints returns the places of a picture of the prepared rows by point; NaN where a point has none.
func (pl *places) onPoints(m *layout.Projection) (x, y []float32) {
	n := pl.points.table.Len()
	x, y = make([]float32, n), make([]float32, n)
	for i := range x {
		x[i], y[i] = float32(math.NaN()), float32(math.NaN())
	}
	ux, uy := m.Unit()
	for i := range ux {
		at := pl.points.point[pl.prepared.row[i]]
		x[at], y[at] = ux[i], uy[i]
	}
	return x, y
}

// placeGraph places the nodes of a graph by the clusters of its first fit.
func (pl *places) placeGraph(g *data.Graph) (*layout.Projection, error) {
	o := pl.record.session.Options(pl.record.session.Header().Fit, door.Options{Workers: pl.jobs.workers, NoSuspects: true, K: pl.k})
	if o.K == 0 {
		o.K = min(defaultK, max(1, pl.points.table.Len()/4))
	}
	o.Method, o.KMin, o.KMax = "", 0, 0
	r, err := door.Cluster(pl.jobs.ctx, pl.points.table, nil, o)
	if err != nil {
		return nil, err
	}
	labels := r.Assignment()
	for i, h := range labels {
		if h < 0 {
			labels[i] = len(r.Clusters) // nodes without a cluster lie together
		}
	}
	return layout.Graph(pl.jobs.ctx, g, labels, len(r.Clusters)+1)
}

// Points returns the places of all points as bytes for a page, by principal components or by neighbours. It waits until they are
// there.
func (pl *places) Points(ctx context.Context, how string) ([]byte, error) {
	select {
	case <-pl.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-pl.jobs.ctx.Done():
		return nil, errEnded
	}
	pl.mu.Lock()
	p := pl.plane
	pl.mu.Unlock()
	if p.err != nil {
		return nil, p.err
	}
	if how == ByNeighbours {
		var err error
		if p, err = pl.nearPlaces(ctx); err != nil {
			return nil, err
		}
	}
	out := make([]byte, 8, 8+8*len(p.x))
	binary.LittleEndian.PutUint32(out, uint32(len(p.x)))
	for _, list := range [][]float32{p.x, p.y} {
		for _, v := range list {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(v))
		}
	}
	return out, nil
}

// keepRows keeps the prepared rows, in which distances are measured.
func (pl *places) keepRows(x data.Rows, n int, id func(int) string) {
	p := &prepared{x: x, row: make([]int32, n), at: make([]int32, pl.points.table.Len())}
	for i := range p.at {
		p.at[i] = -1
	}
	for i := range p.row {
		row, _ := pl.points.table.Row(id(i))
		p.row[i], p.at[row] = int32(row), int32(i)
	}
	pl.mu.Lock()
	pl.prepared = p
	pl.mu.Unlock()
}

// keepGraph keeps the graph for its edges.
func (pl *places) keepGraph(g *data.Graph, id func(int) string) {
	at := make([]uint32, g.Len())
	for i := range at {
		at[i] = uint32(max(0, pl.points.pointOf(id(i))))
	}
	pl.mu.Lock()
	pl.graph, pl.node = g, at
	pl.mu.Unlock()
}

// edges counts the edges of the graph.
func (pl *places) edges() int {
	pl.mu.Lock()
	defer pl.mu.Unlock()
	if pl.graph == nil {
		return 0
	}
	return pl.graph.Edges()
}

// maxEdges is how many edges a page draws.
const maxEdges = 100_000

// Edges returns the edges of the graph as bytes for a page, of more than maxEdges some that
// are evenly spread.
func (pl *places) Edges(ctx context.Context) ([]byte, error) {
	if _, err := pl.Points(ctx, Linear); err != nil {
		return nil, err
	}
	pl.mu.Lock()
	g, at := pl.graph, pl.node
	pl.mu.Unlock()
	if g == nil {
		return nil, Refuse(KindNotFound, "the data are not a graph")
	}
	var from, to []uint32
	step, count := 1+(g.Edges()-1)/maxEdges, 0
	for i := range g.Len() {
		near, _ := g.Neighbours(i)
		for _, j := range near {
			if int(j) <= i {
				continue
			}
			if count++; (count-1)%step == 0 {
				from, to = append(from, at[i]), append(to, at[j])
			}
		}
	}
	out := binary.LittleEndian.AppendUint32(make([]byte, 0, 4+8*len(from)), uint32(len(from)))
	for _, list := range [][]uint32{from, to} {
		for _, v := range list {
			out = binary.LittleEndian.AppendUint32(out, v)
		}
	}
	return out, nil
}

// A near row is close to another.
type near struct {
	row int     // of the table; of the prepared rows where those are compared
	d   float64 // squared distance
}

// nearest returns the rows nearest to a row, as they are clustered, the nearest first; nil where it was left out, or there are no
// prepared rows.
func (pl *places) nearest(row, most int) []near {
	pl.mu.Lock()
	p := pl.prepared
	pl.mu.Unlock()
	if p == nil || p.x == nil || p.at[row] < 0 {
		return nil
	}
	out := nearest(p.x, int(p.at[row]), most)
	for i := range out {
		out[i].row = int(p.row[out[i].row])
	}
	return out
}

// nearest returns the rows nearest to row i, the nearest first.
func nearest(x data.Rows, i, most int) (out []near) {
	d := x.Dim()
	me, buf := make([]float64, d), make([]float64, d)
	v := x.Row(i, buf)
	for q, y := range v.Val {
		me[v.Feature(q)] = y
	}
	norm := data.Norm2(me)
	worst := math.Inf(1)
	for j := range x.Len() {
		if j == i {
			continue
		}
		dist := max(0, data.Dist2(x.Row(j, buf), me, norm))
		if dist >= worst {
			continue
		}
		at, _ := slices.BinarySearchFunc(out, dist, func(n near, d float64) int { return cmp.Compare(n.d, d) })
		if out = slices.Insert(out, at, near{j, dist}); len(out) > most {
			out = out[:most]
		}
		if len(out) == most {
			worst = out[most-1].d
		}
	}
	return out
}
