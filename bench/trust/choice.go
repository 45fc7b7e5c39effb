package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/inklinghq/inkling/bench/internal/harness"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/example"
)

// Size of the tables that the automatic choice is timed on, and constraints on them.
const (
	choiceRows    = 10_000
	choiceColumns = 20
	choicePairs   = 100
)

// printChoice prints what the whole way of the automatic choice takes on generated tables:
// the comparison of candidates, the fit of the winner, suspects and confidence.
func printChoice(w io.Writer, clusters string) error {
	var ks []int
	for _, word := range strings.Split(clusters, ",") {
		k, err := strconv.Atoi(word)
		if err != nil || k < 1 {
			return fmt.Errorf("%q is not a number of clusters", word)
		}
		ks = append(ks, k)
	}
	fmt.Fprintf(w, "%d × %d, %d random pairs; seconds of the whole clustering, and of all processors\n", choiceRows, choiceColumns, choicePairs)
	fmt.Fprintf(w, "%-12s %4s %8s %8s %11s %6s  %s\n", "clusters", "k", "seconds", "CPU", "candidates", "ARI", "chosen")
	for _, table := range []struct {
		name   string
		spread float64
	}{{"separate", 1.5}, {"overlapping", 0.7}} {
		for _, k := range ks {
			rng := rand.New(rand.NewPCG(14, uint64(k)))
			x, truth, err := example.Blobs(choiceRows, k, choiceColumns, table.spread, 1, rng)
			if err != nil {
				return err
			}
			t, err := door.FromMatrix(x, door.Names{})
			if err != nil {
				return err
			}
			known := door.NewConstraints(t)
			pairs := constraint.RandomPairs(truth, choicePairs, rng)
			for _, p := range pairs.Must {
				known.Must(t.ID(p.I), t.ID(p.J))
			}
			for _, p := range pairs.Cannot {
				known.Cannot(t.ID(p.I), t.ID(p.J))
			}
			cpu, _ := harness.Process()
			began := time.Now()
			r, err := door.Cluster(context.Background(), t, known, door.Options{K: k})
			if err != nil {
				return err
			}
			took := time.Since(began).Seconds()
			after, _ := harness.Process()
			ari, err := score.ARI(truth, r.Assignment())
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "%-12s %4d %8.1f %8.1f %11d %6.3f  %s\n", table.name, k, took, after-cpu, len(r.Chosen.Trials), ari, r.Chosen.Candidate)
		}
	}
	return nil
}
