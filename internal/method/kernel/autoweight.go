package kernel

import (
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

// The weight auto of a pair is such that violating one costs as much as moving a
// typical point out of its cluster does without constraints: of points in clusters
// that were found without constraints, the marginQuantile of
//
//	margin of the point · α(its cluster) / 2
//
// where the margin is by how much J rises if the point moves to the next best
// cluster, and 2w/α(c) what a pair of weight w adds to J within cluster c.
//
// The paper's n/(kC) for C pairs (section 5.1.4) has no regard to the affinities:
// divided by the mass of a cluster it is the same 2/C for any number of rows and any
// kernel, so that one pair of many hardly counts, and one of few outweighs all
// affinities of its points.
const marginQuantile = 0.25

// pairWeight returns the weight w of a pair of weight 1 for the given parameter: f are
// clusters without constraints, scale is by how much larger the problem is.
func (f *weightedKMeans) pairWeight(scale float64) float64 {
	var list []float64
	sums := f.sumBuffer()
	for i, c := range f.label {
		if f.alpha[i] <= 0 || f.sizes[c] < 2 {
			continue
		}
		f.nodeSums(i, sums)
		if m := f.moveMargin(i, sums); !math.IsInf(m, 1) {
			list = append(list, max(0, m)*f.mass[c]/2)
		}
	}
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return scale * list[int(marginQuantile*float64(len(list)-1))]
}

// moveMargin returns by how much J rises if node i, whose sums are given, moves to the
// next best cluster; +Inf if there is none.
func (f *weightedKMeans) moveMargin(i int, sums []float64) float64 {
	from, least := f.label[i], math.Inf(1)
	stay, leave := quotient(f.association[from], f.mass[from]), quotient(f.association[from]-2*sums[from]-f.selfWeight[i], f.mass[from]-f.alpha[i])
	for c := range f.k {
		if int32(c) != from {
			was, now := quotient(f.association[c], f.mass[c]), quotient(f.association[c]+2*sums[c]+f.selfWeight[i], f.mass[c]+f.alpha[i])
			least = min(least, stay-leave+was-now)
		}
	}
	return least
}

// marginRows is the number of rows that margins of a kernel are measured on.
const marginRows = 500

// autoWeight measures margins on some of the rows, the same in every run of a fit:
// objectives with different weights cannot be compared. It returns 0 if ctx ends.
func (a *KernelHMRF) autoWeight(ctx context.Context, p *cluster.Problem, info *KernelInfo, workers int) float64 {
	q, rng := &cluster.Problem{K: p.K}, fixedRand(p)
	rows := rng.Perm(p.Len())[:min(p.Len(), marginRows)]
	slices.Sort(rows)
	if p.Kernel == nil {
		q.X = data.Subset(p.X, rows)
	} else {
		q.Kernel = &data.Dense{Cols: len(rows)}
		for _, i := range rows {
			for _, j := range rows {
				q.Kernel.V = append(q.Kernel.V, p.Kernel.V[i*p.Kernel.Cols+j])
			}
		}
	}
	for _, i := range rows {
		if p.Weight != nil {
			q.Weight = append(q.Weight, p.Weight[i])
		}
	}
	b := *a
	b.Features, b.Init, b.Width = 0, InitFarthest, cluster.Fixed(info.Width)
	run, err := b.startWithWidth(ctx, q, &cluster.Env{Rand: rng, Workers: workers, Effort: cluster.EffortNormal}, &KernelInfo{Width: info.Width})
	if err != nil {
		return 0
	}
	r := run.(*kmeansRun)
	for range 100 {
		stages := r.Stages()
		for _, s := range stages {
			if _, err := s.Do(ctx); err != nil {
				return 0
			}
		}
		if len(stages) == 0 {
			break
		}
	}
	return r.pairWeight(float64(p.Len()) / float64(len(rows)))
}

// graphWeight is autoWeight for a graph, whose clusters are those of a multilevel
// search without cycles.
func (f *graphProblem) graphWeight(ctx context.Context, p *cluster.Problem, workers int) float64 {
	label, err := searchMultilevel(ctx, f.withoutConstraints(), 0, &cluster.Env{Rand: fixedRand(p), Workers: workers})
	if err != nil {
		return 0
	}
	l := f.finest
	g := &weightedKMeans{matrix: graphMatrix{l.affinity}, k: f.k, alpha: l.alpha, selfWeight: l.selfWeight, label: label}
	g.addUpClusters()
	return g.pairWeight(1)
}

// weighEdges returns the entries of W for the constraints: softEdges by the given
// weight, or by the one that auto returns, or by the paper's.
func weighEdges(n, k int, s *constraint.Set, by cluster.Number, auto func() float64) ([]data.Edge, float64) {
	edges := softEdges(s)
	if len(edges) == 0 {
		return nil, 0
	}
	weight := fixedValue(by)
	if weight == 0 && by.Rule != RulePaper {
		weight = auto()
	}
	if !(weight > 0) || math.IsInf(weight, 0) {
		weight = float64(n) / (float64(k) * float64(len(edges))) // also where no margins can be measured
	}
	for e := range edges {
		edges[e].W *= weight
	}
	return edges, weight
}
