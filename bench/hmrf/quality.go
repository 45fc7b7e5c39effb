package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/method/centroid"
	"github.com/inklinghq/inkling/internal/method/hmrf"
)

// A contestant is a method under a name.
type contestant struct {
	name string
	a    cluster.Algorithm
}

func contestants() []contestant {
	set := func(a *hmrf.HMRF, change func(*hmrf.HMRF)) *hmrf.HMRF {
		change(a)
		return a
	}
	bp := func(a *hmrf.HMRF) { a.Inference = "bp" }
	return []contestant{
		{"k-means", centroid.NewKMeans()},
		{"pc-kmeans", hmrf.NewPC()},
		{"m-kmeans", hmrf.NewM()},
		{"mpc-kmeans", hmrf.NewMPC()},
		{"mpc-kmeans, as printed", set(hmrf.NewMPC(), func(a *hmrf.HMRF) {
			a.Penalty, a.Init, a.Literal, a.JointReassign, a.Complexity = "mpc", "largest", true, false, "none"
		})},
		{"hmrf-kmeans, icm", hmrf.NewHMRF()},
		{"hmrf-kmeans, bp", set(hmrf.NewHMRF(), bp)},
	}
}

// A sample is data with the truth about it.
type sample struct {
	name  string
	x     data.Rows
	truth []int
	k     int
}

func samples() (list []sample, err error) {
	for _, name := range []string{"iris", "wine"} {
		s, err := example.Load(name)
		if err != nil {
			return nil, err
		}
		truth, classes := s.Classes()
		list = append(list, sample{name, s.X, truth, len(classes)})
	}
	x, truth, err := example.Blobs(1000, 10, 16, 1.5, 1, rand.New(rand.NewPCG(1, 1000)))
	return append(list, sample{"blobs-1000", x, truth, 10}), err
}

// quality prints the median ARI over draws of true pairs, a line a method.
func quality(w io.Writer, draws, pairs int) error {
	sets, err := samples()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "median ARI (quartiles) over %d draws of %d true pairs\n\n%-24s", draws, pairs, "")
	for _, s := range sets {
		fmt.Fprintf(w, " %-20s", s.name)
	}
	fmt.Fprintln(w)
	for _, c := range contestants() {
		line := fmt.Sprintf("%-24s", c.name)
		for _, s := range sets {
			got, err := scores(s, c.a, draws, pairs)
			if err != nil {
				return fmt.Errorf("%s on %s: %w", c.name, s.name, err)
			}
			line += fmt.Sprintf(" %.3f (%.2f, %.2f)  ", got[len(got)/2], got[len(got)/4], got[3*len(got)/4])
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
	return nil
}

// scores returns the ARI of each draw, ascending.
func scores(s sample, a cluster.Algorithm, draws, pairs int) ([]float64, error) {
	var out []float64
	for draw := range uint64(draws) {
		known := constraint.RandomPairs(s.truth, pairs, rand.New(rand.NewPCG(draw, 17)))
		set := cluster.Default()
		set.Seed = draw
		r, err := cluster.Fit(context.Background(), &cluster.Problem{X: s.x, K: s.k, Constraints: known}, a, set)
		if err != nil {
			return nil, err
		}
		ari, err := score.ARI(s.truth, r.Labels)
		if err != nil {
			return nil, err
		}
		out = append(out, ari)
	}
	slices.Sort(out)
	return out, nil
}
