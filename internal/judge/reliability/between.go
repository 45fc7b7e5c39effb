package reliability

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cluster/score"
)

// Groups have fewer rows between them than around their centres; pieces of one cloud, even or skewed, have as many or more. Rows of
// one half are placed on the line through two centres that k-means finds in the other half, 0 and 1 being the centres.
// Their density from .35 to .65 is compared with that within .3 of the emptier of the two centres.
const (
	betweenHalves = 3
	betweenRows   = 20 // of the sample by cluster, at least
	middleWidth   = 0.3
	centreWidth   = 0.6
	mostBetween   = 2.0 // a larger ratio counts as this
	noGap         = 1.35
)

// densityBetween returns the largest of these ratios that a cluster has with another, on average over the rows; nil where the clusters are not
// those of k-means, or rows are too few.
func densityBetween(ctx context.Context, x *data.Dense, labels []int, in Input) (*float64, error) {
	n, k := x.Len(), in.Problem.K
	if k < 2 || n < betweenRows*k {
		return nil, nil
	}
	found, err := kmeansLabels(ctx, x, cluster.EffortLow, in)
	if err != nil {
		return nil, err
	}
	if same, err := score.ARI(found, labels); err != nil || same < asKMeans {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(in.Seed, 0xbe73))
	sum, rows := 0.0, 0.0
	for range betweenHalves {
		order := rng.Perm(n)
		fitted, held := pickRows(x, order[:n/2]), pickRows(x, order[n/2:])
		own, err := kmeansLabels(ctx, fitted, cluster.EffortLow, in)
		if err != nil {
			return nil, err
		}
		centres := centresOf(fitted, own, k)
		members := make([][]int, len(centres))
		for i := range held.Len() {
			h := nearest(held.V[i*x.Cols:][:x.Cols], centres)
			members[h] = append(members[h], i)
		}
		for a := range centres {
			worst := 0.0
			for b := range centres {
				if a != b {
					worst = max(worst, between(held, members[a], members[b], centres[a], centres[b]))
				}
			}
			sum += float64(len(members[a])) * min(worst, mostBetween)
			rows += float64(len(members[a]))
		}
	}
	if rows == 0 {
		return nil, nil
	}
	return pointer(sum / rows), nil
}

// between returns the density of the rows of two clusters in the middle between their centres, divided by that around the emptier one; 0 where
// they are too few.
func between(x *data.Dense, a, b []int, from, to []float64) float64 {
	const fewest = 8
	length := 0.0
	for f := range from {
		length += (to[f] - from[f]) * (to[f] - from[f])
	}
	if len(a)+len(b) < fewest || !(length > 0) {
		return 0
	}
	middle, first, second := 0.0, 0.0, 0.0
	for _, members := range [][]int{a, b} {
		for _, i := range members {
			t := 0.0
			for f, y := range x.V[i*x.Cols:][:x.Cols] {
				t += (y - from[f]) * (to[f] - from[f])
			}
			t /= length
			if t > (1-middleWidth)/2 && t < (1+middleWidth)/2 {
				middle++
			}
			if t > -centreWidth/2 && t < centreWidth/2 {
				first++
			}
			if t > 1-centreWidth/2 && t < 1+centreWidth/2 {
				second++
			}
		}
	}
	emptier := min(first, second) / centreWidth
	if emptier == 0 {
		if middle == 0 {
			return 0
		}
		return mostBetween
	}
	return middle / middleWidth / emptier
}

func pickRows(x *data.Dense, rows []int) *data.Dense {
	out := &data.Dense{Cols: x.Cols, V: make([]float64, 0, len(rows)*x.Cols)}
	for _, i := range rows {
		out.V = append(out.V, x.V[i*x.Cols:][:x.Cols]...)
	}
	return out
}

// centresOf returns the means of the clusters that have rows.
func centresOf(x *data.Dense, labels []int, k int) (out [][]float64) {
	sum, count := make([][]float64, k), make([]float64, k)
	for i, h := range labels {
		if sum[h] == nil {
			sum[h] = make([]float64, x.Cols)
		}
		count[h]++
		for f, y := range x.V[i*x.Cols:][:x.Cols] {
			sum[h][f] += y
		}
	}
	for h, s := range sum {
		if s == nil {
			continue
		}
		for f := range s {
			s[f] /= count[h]
		}
		out = append(out, s)
	}
	return out
}

func nearest(row []float64, centres [][]float64) (at int) {
	v := data.Vec{Val: row}
	best := math.Inf(1)
	for h, c := range centres {
		if d := data.Dist2(v, c, data.Norm2(c)); d < best {
			best, at = d, h
		}
	}
	return at
}
