package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
)

// circles prints the TwoCircles of Kulis, Basu, Dhillon and Mooney (2008) as
// CSV: 100 points at radius 1, 100 at radius 3, with Gaussian noise of 0.1. The
// paper has a picture of them, no numbers; these are ours.
func circles(context.Context, options) error {
	rng := rand.New(rand.NewPCG(1, 2008))
	fmt.Println("x,y,class")
	for i := range 200 {
		radius, class := 1.0, "inner"
		if i%2 == 1 {
			radius, class = 3, "outer"
		}
		s, c := math.Sincos(2 * math.Pi * rng.Float64())
		fmt.Printf("%.6f,%.6f,%s\n", radius*c+0.1*rng.NormFloat64(), radius*s+0.1*rng.NormFloat64(), class)
	}
	return nil
}
