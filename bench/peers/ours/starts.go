package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/method/centroid"
)

// makeSeparated writes rows around CENTRES centres that are uniform in a cube, with
// standard deviation 1.
func makeSeparated(args []string) (figures, error) {
	size, err := sizes(args[1:4])
	if err != nil {
		return nil, err
	}
	half, err := strconv.ParseFloat(args[4], 64)
	if err != nil {
		return nil, err
	}
	n, d, k := size[0], size[1], size[2]
	s := &spots{d: d, spread: 1, rng: rand.New(rand.NewPCG(uint64(n), uint64(k*d)))}
	s.place(k, func() float64 { return half * (2*s.rng.Float64() - 1) })
	return figures{}, makeRows(args[0], s, n, true)
}

// starts fits k-means as the command line does, once for each of COUNT seeds from
// FIRST on, and prints the objective and the seconds of each.
func starts(args []string) (figures, error) {
	ds, err := dataio.Open(args[0], dataio.Options{})
	if err != nil {
		return nil, err
	}
	numbers, err := sizes([]string{args[1], args[4], args[5]})
	if err != nil {
		return nil, err
	}
	k, first, count := numbers[0], numbers[1], numbers[2]
	a := centroid.NewKMeans()
	a.Distortion = centroid.Distortion(args[2])
	few := make([]int, min(ds.X.Len(), 1000))
	for i := range few {
		few[i] = i
	}
	if _, err := fitted(&cluster.Problem{X: data.Pick(ds.X, few), K: 2}, a, cluster.Default()); err != nil { // warms up
		return nil, err
	}
	var values, seconds []float64
	for seed := first; seed < first+count; seed++ {
		s := cluster.Default()
		s.Seed, s.Effort = uint64(seed), cluster.Effort(args[3])
		f, err := fitted(&cluster.Problem{X: ds.X, K: k}, a, s)
		if err != nil {
			return nil, fmt.Errorf("seed %d: %w", s.Seed, err)
		}
		values, seconds = append(values, f["check"].(float64)), append(seconds, f["seconds"].(float64))
	}
	return figures{"values": values, "seconds": seconds}, nil
}
