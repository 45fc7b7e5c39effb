package main

import (
	"slices"
)

// The methods of the paper that are compared.
const (
	random      = "Random"
	seeded      = "Seeded"
	constrained = "Constrained"
)

var methods = []string{random, seeded, constrained}

// A setting is one point of one curve: what a method is told.
type setting struct {
	Method   string
	Seeds    float64 // the fraction of the training part that are seeds
	Noise    float64 // the fraction of the seeds that have a wrong label
	Unseeded int     // how many classes have no seeds
}

// plain brings settings that are the same run to the same value: without seeds
// every method is Random.
func (s setting) plain(k int) setting {
	if s.Method == random || s.Seeds == 0 || s.Unseeded >= k {
		return setting{Method: random}
	}
	return s
}

// A curve is a table of settings: a level to vary, the rest fixed.
type curve struct {
	Title  string
	Level  string // what varies
	Levels []float64
	At     func(method string, level float64) setting
}

// Where the paper fixes the seed fraction: figure 11 and figure 10.
const (
	noiseSeeds      = 0.5
	incompleteSeeds = 0.1
)

// curves returns the experiments on k classes.
func curves(k int, quick bool) []curve {
	fractions := []float64{0, 0.05, 0.1, 0.25, 0.5, 0.75, 1}
	noise := []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9}
	unseeded := []float64{0, 1, 2, 5, 10, 15}
	if quick {
		fractions, noise, unseeded = []float64{0, 0.1, 0.5, 1}, []float64{0, 0.5}, []float64{0, 5}
	}
	unseeded = slices.DeleteFunc(unseeded, func(u float64) bool { return int(u) >= k })
	return []curve{
		{"Learning curve, no noise", "seed fraction", fractions,
			func(m string, x float64) setting { return setting{Method: m, Seeds: x} }},
		{"Noise, seed fraction 0.5", "noise fraction", noise,
			func(m string, x float64) setting { return setting{Method: m, Seeds: noiseSeeds, Noise: x} }},
		{"Incomplete seeding, seed fraction 0.1", "unseeded classes", unseeded,
			func(m string, x float64) setting {
				return setting{Method: m, Seeds: incompleteSeeds, Unseeded: int(x)}
			}},
	}
}

// settings returns the different settings of some curves.
func settings(all []curve, k int) (out []setting) {
	seen := map[setting]bool{}
	for _, c := range all {
		for _, x := range c.Levels {
			for _, m := range methods {
				if s := c.At(m, x).plain(k); !seen[s] {
					seen[s] = true
					out = append(out, s)
				}
			}
		}
	}
	return out
}
