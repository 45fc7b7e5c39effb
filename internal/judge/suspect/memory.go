package suspect

import (
	"context"
	"reflect"
	"slices"
	"sync"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/posterior"
)

// A Memory keeps the kernels of points, so that constraints on them can be judged several
// times for the price of one. Verdicts are the same with it and without. It is safe for
// concurrent use.
type Memory struct {
	mu   sync.Mutex
	kept []remembered
}

// A remembered kernel is that of some points with the constrained rows of a set.
type remembered struct {
	rows   data.Rows
	graph  *data.Graph
	matrix *data.Dense
	limit  int
	seed   uint64
	known  []int // the constrained rows

	on     data.Rows // the rows of the kernel: all, or a sample
	kernel *posterior.Kernel
	gram   *posterior.Gram
	gramAt map[int]int
}

// mostRemembered bounds the kernels that a Memory keeps.
const mostRemembered = 4

// find returns the kernel for p, nil where there is none.
func (m *Memory) find(p *cluster.Problem, known []int, o Options) *remembered {
	if m == nil || p.X != nil && !reflect.ValueOf(p.X).Comparable() {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range m.kept {
		r := &m.kept[i]
		if r.rows == p.X && r.graph == p.Graph && r.matrix == p.Kernel && r.seed == o.Seed && r.limit == o.rowLimit(p) && slices.Equal(r.known, known) {
			found := *r
			return &found
		}
	}
	return nil
}

func (m *Memory) keep(r remembered) {
	if m == nil || r.rows != nil && !reflect.ValueOf(r.rows).Comparable() {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept = append(m.kept, r); len(m.kept) > mostRemembered {
		m.kept = slices.Delete(m.kept, 0, 1)
	}
}

// rowLimit returns on how many rows of p the work is done.
func (o Options) rowLimit(p *cluster.Problem) int {
	limit := o.MaxRows
	if limit == 0 {
		limit = MaxRows
	}
	if p.X == nil {
		return p.Len()
	}
	return min(limit, p.Len())
}

// newJudge makes the kernel for the constraints s on p, or takes it from the memory.
func newJudge(ctx context.Context, p *cluster.Problem, s *constraint.Set, o Options) (*judge, error) {
	known := constrainedRows(s)
	small, set := reduce(p, s, o)
	j := &judge{p: small, set: set, o: o, report: newReport(set), classes: max(set.Classes(), p.K, 2)}
	if r := o.Memory.find(p, known, o); r != nil {
		if small != p {
			q := *small
			q.X = r.on
			j.p = &q
		}
		j.kernel, j.gram, j.gramAt = r.kernel, r.gram, r.gramAt
		return j, nil
	}
	var err error
	if j.kernel, err = posterior.NewKernel(ctx, small, posterior.Options{Seed: o.Seed, Workers: o.Workers}); err != nil {
		return nil, err
	}
	if rows := constrainedRows(set); len(rows) > 0 && len(rows) <= MaxTogether {
		if _, err = j.gramOf(ctx, rows); err != nil {
			return nil, err
		}
	}
	o.Memory.keep(remembered{rows: p.X, graph: p.Graph, matrix: p.Kernel, limit: o.rowLimit(p), seed: o.Seed, known: known,
		on: small.X, kernel: j.kernel, gram: j.gram, gramAt: j.gramAt})
	return j, nil
}
