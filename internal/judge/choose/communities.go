package choose

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
)

// nearNats is how much longer a description may be that counts as about as good: the shorter one is then at most 20 times as probable.
const nearNats = 3

// chooseKByLength takes the number of clusters by which the graph has the shortest description: of a coarse grid first, then of the numbers
// beside the best. One cluster, which describes no part of it, is what they are compared with.
func (c *comparison) chooseKByLength(ctx context.Context, reference Candidate, ks []int) error {
	g, kc := c.sample.Graph, c.choice.Clusters
	one := descriptionLength(g, make([]int, g.Len()))
	lengths := map[int]float64{1: one}
	best := 0
	try := func(list []int) error {
		for _, k := range list {
			if _, tried := lengths[k]; tried {
				continue
			}
			if c.o.Progress != nil {
				c.o.Progress(Progress{Fit: len(lengths), Fits: max(len(lengths), len(coarse(ks))), Candidate: fmt.Sprintf("%s, k = %d", reference.Method, k)})
			}
			labels, err := c.graphLabels(ctx, reference, k)
			if err != nil {
				if ctx.Err() != nil && best > 0 {
					return nil
				}
				return err
			}
			if lengths[k] = descriptionLength(g, labels); best == 0 || lengths[k] < lengths[best] {
				best = k
			}
		}
		return nil
	}
	if err := try(coarse(ks)); err != nil {
		return err
	}
	for last := ks[len(ks)-1]; best == last && last < min(c.task.Beyond, g.Len()) && ctx.Err() == nil; last = ks[len(ks)-1] {
		for k := last + 1; k <= min(c.task.Beyond, g.Len(), last+max(1, last/2)); k++ {
			ks = append(ks, k)
		}
		if err := try(coarse(ks)); err != nil {
			return err
		}
	}
	for range 2 { // the best may move to the edge of what was tried around it
		var beside []int
		for _, k := range ks {
			if k > gridFrom && besideGrid(k, best) {
				beside = append(beside, k)
			}
		}
		if err := try(beside); err != nil {
			return err
		}
	}
	edges := float64(max(1, g.Edges()))
	saved := func(k int) float64 { return (one - lengths[k]) / (edges * math.Ln2) }
	kc.K, kc.By, kc.Near, kc.Tried = best, "description length", nil, nil
	for _, k := range ks {
		if _, tried := lengths[k]; !tried {
			continue
		}
		kc.Tried = append(kc.Tried, KTrial{K: k, Mean: saved(k)})
		if k == best || k > 1 && lengths[k]-lengths[best] < nearNats {
			kc.Near = append(kc.Near, k)
		}
	}
	kc.order(best, kc)
	kc.Why = fmt.Sprintf("k = %d: its clusters shorten the description of the graph by %.2f bits for each edge; without constraints a guess%s%s", best, saved(best), kc.others(), kc.atEnd(ks))
	if lengths[best] > one-nearNats {
		kc.Doubt = fmt.Sprintf("nothing supports more than one cluster: %d clusters describe the graph in no fewer bits than one", best)
	}
	return nil
}

// graphLabels fits the reference to the graph.
func (c *comparison) graphLabels(ctx context.Context, reference Candidate, k int) ([]int, error) {
	alg, err := Candidate{Method: reference.Method, Parameters: reference.Parameters}.Algorithm()
	if err != nil {
		return nil, err
	}
	s := cluster.Default()
	s.Seed, s.Workers, s.Effort = c.o.Seed, c.o.Workers, c.o.Effort
	r, err := cluster.Fit(ctx, &cluster.Problem{Graph: c.sample.Graph, Weight: c.sample.Weight, K: k}, alg, s)
	if err != nil {
		return nil, err
	}
	return r.Labels, nil
}

// descriptionLength returns how many nats describe a graph by clusters, up to what is the same for all of them: the clusters, how many
// edges are within them and between them, the degrees of the nodes of each, and which edges there are then. It is the
// planted partition model of Zhang and Peixoto, Statistical inference of assortative community structures (2020), which
// neither splits random graphs, as modularity does, nor joins small clusters of large ones. Edges with weights count as much as the mean
// edge does; the paper has multiplicities, which are whole numbers.
func descriptionLength(g *data.Graph, labels []int) float64 {
	k := slices.Max(append([]int{0}, labels...)) + 1
	nodes, degree := make([]float64, k), make([]float64, k)
	within, total := 0.0, 0.0
	for i, h := range labels {
		h = max(h, 0)
		nodes[h]++
		to, w := g.Neighbours(i)
		for at, j := range to {
			if int(j) < i {
				continue
			}
			total += w[at]
			degree[h] += w[at]
			degree[max(labels[j], 0)] += w[at]
			if max(labels[j], 0) == h {
				within += w[at]
			}
		}
	}
	if total <= 0 {
		return 0
	}
	edges := float64(g.Edges())
	scale := edges / total
	within *= scale
	between := max(0, edges-within)
	n, clusters := float64(len(labels)), 0.0
	out := logFactorial(n) + math.Log(n)
	for h := range nodes {
		if nodes[h] == 0 {
			continue
		}
		clusters++
		out += logFactorial(degree[h]*scale+nodes[h]-1) - logFactorial(nodes[h]-1) - logFactorial(nodes[h])
	}
	out += logFactorial(n-1) - logFactorial(clusters-1) - logFactorial(n-clusters) // the sizes of the clusters
	out += within*math.Log(clusters/2) - logFactorial(within)
	if clusters > 1 {
		out += between*math.Log(clusters*(clusters-1)/2) - logFactorial(between) + math.Log(edges+1)
	}
	return out
}

// logFactorial returns ln x!.
func logFactorial(x float64) float64 {
	v, _ := math.Lgamma(x + 1)
	return v
}
