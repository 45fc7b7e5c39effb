package clustertest

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
)

// RunGraph checks every clause for a, a method for graphs: on the problems of Run,
// each as the graph of nearest neighbours of its rows, and on some problems that
// only graphs have.
func RunGraph(t *testing.T, a cluster.Algorithm) {
	Run(t, OnGraph(a))
	for _, c := range graphChecks() {
		t.Run(c.Name, func(t *testing.T) {
			if err := c.Do(a); err != nil {
				t.Error(err)
			}
		})
	}
}

// RunBoth checks every clause for a, a method for rows and for graphs, on rows, and
// the clauses for degenerate graphs.
func RunBoth(t *testing.T, a cluster.Algorithm) {
	Run(t, a)
	t.Run("DegenerateGraphHasAnAnswer", func(t *testing.T) {
		if err := degenerateGraph(a); err != nil {
			t.Error(err)
		}
	})
}

func graphChecks() []Check {
	return []Check{
		{"DegenerateGraphHasAnAnswer", degenerateGraph},
		{"SaysThatItNeedsAGraph", needsGraph},
	}
}

// OnGraph returns a, a method for graphs, as one for rows: it is given the graph
// of their nearest neighbours. So single clauses can be asked of it.
func OnGraph(a cluster.Algorithm) cluster.Algorithm { return &onGraph{a: a} }

type onGraph struct{ a cluster.Algorithm }

// graphs caches the graphs by a hash of their rows: all methods get the same.
var graphs struct {
	sync.Mutex
	of map[uint64]*data.Graph
}

func (o *onGraph) Capabilities() cluster.Capabilities {
	c := o.a.Capabilities()
	c.Inputs = []cluster.Input{cluster.InputRows}
	return c
}

func (o *onGraph) Check(p *cluster.Problem) error { return o.a.Check(o.toGraph(p)) }

func (o *onGraph) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	return o.a.Start(ctx, o.toGraph(p), e)
}

// toGraph returns the problem with a graph in place of the rows. The same rows,
// however stored, have the same graph, which is made once.
func (o *onGraph) toGraph(p *cluster.Problem) *cluster.Problem {
	x := make([][]float64, p.X.Len())
	h, word := fnv.New64a(), make([]byte, 8)
	for i := range x {
		x[i] = data.Copy(p.X, i)
		for _, y := range x[i] {
			binary.LittleEndian.PutUint64(word, math.Float64bits(y))
			h.Write(word)
		}
	}
	h.Write([]byte(fmt.Sprint(p.X.Dim())))
	graphs.Lock()
	defer graphs.Unlock()
	g := graphs.of[h.Sum64()]
	if g == nil {
		if g = nearest(x, 10); graphs.of == nil {
			graphs.of = map[uint64]*data.Graph{}
		}
		graphs.of[h.Sum64()] = g
	}
	q := *p
	q.X, q.Graph = nil, g
	return &q
}

// nearest joins each point with the count points nearest to it, the first of
// those equally near.
func nearest(x [][]float64, count int) *data.Graph {
	type other struct {
		j    int
		dist float64
	}
	var edges []data.Edge
	seen := map[[2]int]bool{}
	for i, v := range x {
		var list []other // ascending by distance
		for j, w := range x {
			d := data.Dist2(data.Vec{Val: v}, w, 0)
			if i == j || len(list) == count && d >= list[count-1].dist {
				continue
			}
			at, _ := slices.BinarySearchFunc(list, d, func(o other, d float64) int { return cmp.Or(cmp.Compare(o.dist, d), -1) })
			list = slices.Insert(list, at, other{j, d})
			list = list[:min(count, len(list))]
		}
		for _, o := range list {
			if key := [2]int{min(i, o.j), max(i, o.j)}; !seen[key] {
				seen[key] = true
				edges = append(edges, data.Edge{U: key[0], V: key[1], W: 1})
			}
		}
	}
	g, err := data.NewGraph(len(x), edges)
	if err != nil {
		panic(err) // the edges are in range and have weight 1
	}
	return g
}

// degenerateGraph wants a well-formed result, audited.
func degenerateGraph(a cluster.Algorithm) error {
	path := []data.Edge{{U: 0, V: 1, W: 1}, {U: 1, V: 2, W: 1}, {U: 2, V: 3, W: 1}, {U: 3, V: 4, W: 1}}
	loops := []data.Edge{{U: 0, V: 0, W: 1}, {U: 1, V: 1, W: 2}, {U: 2, V: 2, W: 3}}
	var star, whole []data.Edge
	for i := 1; i < 40; i++ {
		star = append(star, data.Edge{U: 0, V: i, W: 1})
		for j := range min(i, 12) {
			whole = append(whole, data.Edge{U: i % 12, V: j, W: float64(1 + i%3)})
		}
	}
	cases := []struct {
		name  string
		n     int
		edges []data.Edge
	}{
		{"one node", 1, nil},
		{"no edges", 6, nil},
		{"a path", 5, path},
		{"isolated nodes", 9, path},
		{"loops alone", 3, loops},
		{"loops and isolated nodes", 5, loops},
		{"a star", 40, star},
		{"all joined", 12, whole},
		{"edges of weight 0", 4, []data.Edge{{U: 0, V: 1, W: 0}, {U: 2, V: 3, W: 0}}},
		{"huge weights", 4, []data.Edge{{U: 0, V: 1, W: 1e100}, {U: 2, V: 3, W: 1e100}, {U: 1, V: 2, W: 1e99}}},
		{"tiny weights", 4, []data.Edge{{U: 0, V: 1, W: 1e-100}, {U: 2, V: 3, W: 1e-100}, {U: 1, V: 2, W: 1e-101}}},
	}
	for _, c := range cases {
		g, err := data.NewGraph(c.n, c.edges)
		if err != nil {
			return err
		}
		for _, k := range []int{1, 2, 3, c.n} {
			if k > c.n {
				continue
			}
			p := &cluster.Problem{Graph: g, K: k}
			if _, err := fit(p, a, func(s *cluster.Settings) { s.Audit = true }); err != nil {
				return fmt.Errorf("%s, k = %d: %w", c.name, k, err)
			}
		}
	}
	return nil
}

func needsGraph(a cluster.Algorithm) error {
	_, err := fit(small(2, 1, 0, 1, 10, 11), a, nil)
	if err == nil || !strings.Contains(err.Error(), "graph") {
		return fmt.Errorf("on rows the error is %v, it must say that a graph is needed", err)
	}
	return nil
}
