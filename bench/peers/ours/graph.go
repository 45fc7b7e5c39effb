package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/method/catalog"
)

// graph cuts a graph into k parts by a method of the catalog, with so many pairs
// drawn from the truth.
func graph(args []string) (figures, error) {
	ds, err := dataio.Open(args[0]+".mtx", dataio.Options{As: "graph"})
	if err != nil {
		return nil, err
	}
	truth, err := readInts(args[0] + ".truth.npy")
	if err != nil {
		return nil, err
	}
	k, errK := strconv.Atoi(args[1])
	pairs, errP := strconv.Atoi(args[2])
	m, ok := catalog.Find(args[3])
	if errK != nil || errP != nil || !ok {
		return nil, fmt.Errorf("k %q, pairs %q, method %q", args[1], args[2], args[3])
	}
	p, s := &cluster.Problem{Graph: ds.Graph, K: k}, cluster.Default()
	s.Restarts, s.Effort = 1, cluster.EffortNormal
	if pairs > 0 {
		p.Constraints = constraint.RandomPairs(truth, pairs, rand.New(rand.NewPCG(6, 6)))
	}
	c := startClock()
	r, err := cluster.Fit(background, p, m.New(), s)
	if err != nil {
		return nil, err
	}
	f := c.stop()
	f["cut"] = normalizedCut(ds.Graph, r.Labels, k)
	kept := score.Satisfied(p.Constraints, r.Labels)
	f["given"], f["kept"] = kept.Must.Given+kept.Cannot.Given, kept.Must.Satisfied+kept.Cannot.Satisfied
	f["ari"], err = score.ARI(truth, r.Labels)
	return f, err
}

// normalizedCut adds up, over the clusters, the share of their edges that leave
// them, as the peer's side does.
func normalizedCut(g *data.Graph, labels []int, k int) (cut float64) {
	leaving, volume := make([]float64, k), make([]float64, k)
	for i, h := range labels {
		to, w := g.Neighbours(i)
		for e, j := range to {
			volume[h] += w[e]
			if labels[j] != h {
				leaving[h] += w[e]
			}
		}
	}
	for h := range volume {
		if volume[h] > 0 {
			cut += leaving[h] / volume[h]
		}
	}
	return cut
}
