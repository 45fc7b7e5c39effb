package workspace

import (
	"context"
	"encoding/binary"
	"math"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/present/layout"
)

// place puts the points on a plane, once: a fit never moves them.
func (w *Workspace) place() {
	p := &plane{}
	p.x, p.y, p.share, p.err = w.places()
	w.mu.Lock()
	w.plane = p
	w.mu.Unlock()
	close(w.planeDone)
	w.changed(StateChanged)
}

func (w *Workspace) places() (x, y []float32, share float64, err error) {
	o := w.session.Options(w.session.Header().Fit, door.Options{Workers: w.o.Workers})
	p, id, err := door.NewProblem(w.ctx, w.table, nil, o)
	if err != nil {
		return nil, nil, 0, err
	}
	w.keepRows(p.X, p.Len(), id)
	var m *layout.Projection
	switch {
	case p.X != nil:
		m, err = layout.PCA(w.ctx, p.X, w.o.Workers)
	case p.Graph != nil:
		w.keepGraph(p.Graph, id)
		m, err = w.placeGraph(p.Graph)
	default: // a kernel: similar rows have similar rows of the matrix
		m, err = layout.PCA(w.ctx, p.Kernel, w.o.Workers)
	}
	if err != nil {
		return nil, nil, 0, err
	}
	x, y = w.onPoints(m)
	return x, y, m.Share, nil
}

// onPoints returns the places of a picture of the prepared rows by point; NaN where a point has none.
func (w *Workspace) onPoints(m *layout.Projection) (x, y []float32) {
	n := w.table.Len()
	x, y = make([]float32, n), make([]float32, n)
	for i := range x {
		x[i], y[i] = float32(math.NaN()), float32(math.NaN())
	}
	ux, uy := m.Unit()
	for i := range ux {
		at := w.point[w.prepared.row[i]]
		x[at], y[at] = ux[i], uy[i]
	}
	return x, y
}

// placeGraph places the nodes of a graph by the clusters of its first fit.
func (w *Workspace) placeGraph(g *data.Graph) (*layout.Projection, error) {
	o := w.session.Options(w.session.Header().Fit, door.Options{Workers: w.o.Workers, NoSuspects: true, K: w.settings.K})
	if o.K == 0 {
		o.K = min(defaultK, max(1, w.table.Len()/4))
	}
	o.Method, o.KMin, o.KMax = "", 0, 0
	r, err := door.Cluster(w.ctx, w.table, nil, o)
	if err != nil {
		return nil, err
	}
	labels := r.Assignment()
	for i, h := range labels {
		if h < 0 {
			labels[i] = len(r.Clusters) // nodes without a cluster lie together
		}
	}
	return layout.Graph(w.ctx, g, labels, len(r.Clusters)+1)
}

// Points returns the places of all points as bytes for a page, by principal components or by neighbours. It waits until they are
// there.
func (w *Workspace) Points(ctx context.Context, how string) ([]byte, error) {
	select {
	case <-w.planeDone:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-w.ctx.Done():
		return nil, errEnded
	}
	w.mu.Lock()
	p := w.plane
	w.mu.Unlock()
	if p.err != nil {
		return nil, p.err
	}
	if how == ByNeighbours {
		var err error
		if p, err = w.nearPlane(ctx); err != nil {
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
func (w *Workspace) keepRows(x data.Rows, n int, id func(int) string) {
	p := &prepared{x: x, row: make([]int32, n), at: make([]int32, w.table.Len())}
	for i := range p.at {
		p.at[i] = -1
	}
	for i := range p.row {
		row, _ := w.table.Row(id(i))
		p.row[i], p.at[row] = int32(row), int32(i)
	}
	w.mu.Lock()
	w.prepared = p
	w.mu.Unlock()
}

// keepGraph keeps the graph for its edges.
func (w *Workspace) keepGraph(g *data.Graph, id func(int) string) {
	at := make([]uint32, g.Len())
	for i := range at {
		at[i] = uint32(max(0, w.pointOf(id(i))))
	}
	w.mu.Lock()
	w.graph, w.node = g, at
	w.mu.Unlock()
}

// edges counts the edges of the graph; w.mu is held.
func (w *Workspace) edges() int {
	if w.graph == nil {
		return 0
	}
	return w.graph.Edges()
}

// maxEdges is how many edges a page draws.
const maxEdges = 100_000

// Edges returns the edges of the graph as bytes for a page, of more than maxEdges some that
// are evenly spread.
func (w *Workspace) Edges(ctx context.Context) ([]byte, error) {
	if _, err := w.Points(ctx, Linear); err != nil {
		return nil, err
	}
	w.mu.Lock()
	g, at := w.graph, w.node
	w.mu.Unlock()
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
