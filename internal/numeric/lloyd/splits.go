package lloyd

import (
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/compute/simd"
	"github.com/inklinghq/inkling/internal/numeric/metric"
)

// clusterSample bounds the rows of a cluster from which the cost of its removal and
// the gain of its split are estimated.
const clusterSample = 256

// A change says what it would cost to remove a centre and what it would gain to
// split its cluster in two. Both are estimates of the change of Σ w ‖x − c‖² while all
// other centres stay.
type change struct {
	removal float64   // if every row went to the second nearest centre
	next    int32     // the cluster that most of these rows would go to; -1: none
	gain    float64   // of a split
	a, b    []float64 // the two centres of a split; nil: it has no two different rows

	centre []float64 // when this was estimated
	spread float64   // mean squared distance of the rows from it
}

// staleShare is the share of its spread by which a centre has to move, squared, before
// what was estimated of its cluster is estimated again.
const staleShare = 0.01

// stale reports for each cluster whether its centre, or the one that its rows would go
// to, has moved far since its change was estimated.
func stale(old []change, c *Centres) []bool {
	moved := make([]bool, c.K)
	for h := range moved {
		moved[h] = old == nil || old[h].centre == nil || simd.Dist2(old[h].centre, c.At(h)) > staleShare*old[h].spread
	}
	out := make([]bool, c.K)
	for h := range out {
		out[h] = moved[h] || old[h].next >= 0 && moved[old[h].next]
	}
	return out
}

// An estimate is of labelled rows: what it would cost to remove their centres, and gain to split their clusters.
type estimate struct {
	space   Space
	workers int
	centres *Centres
	labels  []int32
	sums    *KeptSums // of which only the counts and the weights are needed
}

// changes estimates the changes of all clusters. Those of old, estimated earlier, are
// kept where little has changed; nil: none.
func (a *estimate) changes(ctx context.Context, old []change) ([]change, error) {
	k := a.centres.K
	out := make([]change, k)
	again := stale(old, a.centres)
	sample := a.sampleClusters(again)
	var columns *simd.Columns
	if _, sparse := a.space.X.(*data.Sparse); !sparse {
		columns = simd.NewColumns(k, a.centres.D)
		for h := range k {
			columns.Set(h, a.centres.At(h))
		}
	}
	err := blocks.Tasks(ctx, a.workers, k, func(h int) {
		if again[h] {
			out[h] = a.changeOf(int32(h), sample[h], columns)
		} else {
			out[h] = old[h]
		}
	})
	return out, err
}

// sampleClusters lists some rows of each wanted cluster, evenly spread over them.
func (a *estimate) sampleClusters(wanted []bool) [][]int32 {
	out := make([][]int32, a.centres.K)
	left := make([]int, a.centres.K) // rows of the cluster before the next to take; negative: none is wanted
	for h, n := range a.sums.Count {
		if left[h] = -1; wanted[h] && n > 0 {
			left[h] = evenlySpread(0, n, min(n, clusterSample))
		}
	}
	for i, h := range a.labels {
		if left[h] != 0 {
			left[h]--
			continue
		}
		out[h] = append(out[h], int32(i))
		n, taken := a.sums.Count[h], len(out[h])
		if want := min(n, clusterSample); taken < want {
			left[h] = evenlySpread(taken, n, want) - evenlySpread(taken-1, n, want) - 1
		} else {
			left[h] = -1
		}
	}
	return out
}

// evenlySpread returns which of n things is number j of want that are spread evenly over them.
func evenlySpread(j, n, want int) int { return ((j+1)*n+want-1)/want - 1 }

func (a *estimate) changeOf(h int32, rows []int32, columns *simd.Columns) (c change) {
	c.next = -1
	if len(rows) == 0 {
		return c
	}
	x := newRowSample(a.space, rows)
	c.removal, c.next = x.removal(a.centres, h, columns)
	x.split(a.centres.At(int(h)), a.space.Distance, &c)
	scale := a.sums.Mass[h] / x.mass
	c.removal = withoutRounding(c.removal * scale)
	c.gain = withoutRounding(c.gain * scale)
	c.centre, c.spread = slices.Clone(a.centres.At(int(h))), withoutRounding(x.spread(a.centres.At(int(h))))
	return c
}

// withoutRounding drops the last digits of an estimate, so that estimates that differ
// by rounding errors alone, as those of sparse and of dense rows, are in the same order.
func withoutRounding(y float64) float64 {
	if math.Abs(y) > math.MaxFloat32 {
		return y
	}
	return float64(float32(y))
}

// A rowSample is some rows in memory, with their weights.
type rowSample struct {
	rows []data.Vec
	w    []float64
	mass float64
	d    int
}

func newRowSample(p Space, rows []int32) *rowSample {
	s := &rowSample{d: p.X.Dim(), rows: make([]data.Vec, len(rows)), w: make([]float64, len(rows))}
	var buf []float64
	for j, i := range rows {
		if _, sparse := p.X.(*data.Sparse); !sparse {
			buf = make([]float64, s.d)
		}
		s.rows[j], s.w[j] = p.X.Row(int(i), buf), p.W(int(i))
		s.mass += s.w[j]
	}
	return s
}

// spread returns the mean squared distance of the rows from c.
func (s *rowSample) spread(c []float64) (sum float64) {
	c2 := data.Norm2(c)
	for j, v := range s.rows {
		sum += s.w[j] * data.Dist2(v, c, c2)
	}
	return sum / s.mass
}

// removal returns what it costs if all rows go from centre h to the next nearest, and
// the cluster that most of them go to.
func (s *rowSample) removal(c *Centres, h int32, columns *simd.Columns) (cost float64, next int32) {
	if c.K == 1 {
		return math.Inf(1), -1
	}
	goTo := make([]float64, c.K)
	var dist []float64
	if columns != nil {
		dist = make([]float64, columns.Panels()*simd.PanelRows)
	} else {
		dist = make([]float64, c.K)
	}
	for j, v := range s.rows {
		if columns != nil {
			columns.Dist2(v.Val, 0, columns.Panels(), dist)
		} else {
			for g := range c.K {
				dist[g] = c.Dist2(v, g)
			}
		}
		near, least := int32(-1), math.Inf(1)
		for g, y := range dist[:c.K] {
			if y < least && int32(g) != h {
				near, least = int32(g), y
			}
		}
		if near >= 0 {
			cost += s.w[j] * max(0, least-dist[h])
			goTo[near] += s.w[j]
		}
	}
	best := 0.0
	next = -1
	for g, m := range goTo {
		if m > best {
			next, best = int32(g), m
		}
	}
	return cost, next
}

const (
	splitPowerSteps = 3 // to find the direction in which the rows vary most
	splitSteps      = 4 // of 2-means from there
)

// split divides the rows around centre c in two and sets the gain and the two centres.
func (s *rowSample) split(c []float64, by metric.Distance, out *change) {
	dir := s.mainDirection(c)
	if dir == nil {
		return
	}
	a, b := make([]float64, s.d), make([]float64, s.d)
	limit := dotProduct(dir, c)
	for range splitSteps {
		clear(a)
		clear(b)
		ma, mb := 0.0, 0.0
		for j, v := range s.rows {
			if data.Dot(v, dir) > limit {
				data.Add(a, v, s.w[j])
				ma += s.w[j]
			} else {
				data.Add(b, v, s.w[j])
				mb += s.w[j]
			}
		}
		if !(ma > 0 && mb > 0) {
			return
		}
		if by.Unit {
			out.gain = directionGain(a, b)
			if !Normalise(a) || !Normalise(b) {
				return
			}
		} else {
			for f := range a {
				a[f] /= ma
				b[f] /= mb
			}
			out.gain = ma * mb / (ma + mb) * simd.Dist2(a, b)
		}
		out.a, out.b = append(out.a[:0], a...), append(out.b[:0], b...)
		limit = 0
		for f, y := range a {
			dir[f] = y - b[f]
			limit += float64(dir[f]*(y+b[f])) / 2
		}
	}
}

// directionGain returns by how much Σ ‖x − c‖² over rows and a centre of length 1
// falls if those with sum a and those with sum b get a centre each.
func directionGain(a, b []float64) float64 {
	both := make([]float64, len(a))
	for f, y := range a {
		both[f] = y + b[f]
	}
	return 2 * (math.Sqrt(dotProduct(a, a)) + math.Sqrt(dotProduct(b, b)) - math.Sqrt(dotProduct(both, both)))
}

// mainDirection returns the direction in which the rows vary most around c, roughly:
// by a few steps of the power method from the row farthest away. nil: they do not vary.
func (s *rowSample) mainDirection(c []float64) []float64 {
	far, most := -1, 0.0
	c2 := data.Norm2(c)
	for j, v := range s.rows {
		if y := s.w[j] * data.Dist2(v, c, c2); y > most {
			far, most = j, y
		}
	}
	if far < 0 {
		return nil
	}
	dir := make([]float64, s.d)
	data.Add(dir, s.rows[far], 1)
	for f, y := range c {
		dir[f] -= y
	}
	next := make([]float64, s.d)
	for range splitPowerSteps {
		clear(next)
		at, sum := dotProduct(dir, c), 0.0
		for j, v := range s.rows {
			t := s.w[j] * (data.Dot(v, dir) - at)
			data.Add(next, v, t)
			sum += t
		}
		for f, y := range c {
			next[f] -= float64(sum * y)
		}
		if !Normalise(next) {
			break
		}
		dir, next = next, dir
	}
	return dir
}
