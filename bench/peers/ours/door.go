package main

import (
	"slices"
	"strconv"

	"github.com/inklinghq/inkling/internal/door"
)

// smallFits times fits by the front door, as the engine of the Python package calls
// it: the median, after one to warm up.
func smallFits(args []string) (figures, error) {
	count, err := strconv.Atoi(args[1])
	if err != nil {
		return nil, err
	}
	table, err := door.Open(background, args[0], door.Source{})
	if err != nil {
		return nil, err
	}
	seed := uint64(1)
	o := door.Options{Method: "kmeans", K: 3, Seed: &seed, Restarts: 1, MaxIter: 300, Tol: 1e-4}
	var seconds, cpu []float64
	var check float64
	for range 1 + count {
		c := startClock()
		r, err := door.Cluster(background, table, nil, o)
		if err != nil {
			return nil, err
		}
		f := c.stop()
		seconds, cpu = append(seconds, f["seconds"].(float64)), append(cpu, f["cpu"].(float64))
		check = r.Objective.Total
	}
	return figures{"seconds": median(seconds[1:]), "cpu": median(cpu[1:]), "check": check}, nil
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}
