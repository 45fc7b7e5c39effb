// Package example holds example data: small sets that come with the program, and
// generators of any size for tests and benchmarks.
//
// Load gives a built-in set by name, always the same one. The generators
// (Blobs, TwoMoons, TwoCircles, NoisyMoons, PlantedPartition) take their
// randomness from the caller. The package does not open files: Files
// returns names and functions that write.
package example

import (
	"math/rand/v2"

	"github.com/inklinghq/inkling/cluster/data"
)

// Noise is the truth of rows that belong to no class.
const Noise = "noise"

// A Set is one built-in set. Exactly one of X, Graph, Docs and
// Records is set.
type Set struct {
	Name    string
	Title   string // what it is, in one line
	Source  string
	Licence string
	K       int      // the number of clusters to ask for: the classes, Noise not counted
	Columns []string // names of X's features
	X       data.Rows
	Graph   *data.Graph
	Docs    []string
	Records [][]string // rows of cells, for inkling dedupe; the truth is who they describe
	Width   int        // of an image whose pixels are X, line by line; else 0
	Truth   []string   // the class of each row
}

// Len returns the number of rows, nodes or documents.
func (s *Set) Len() int { return len(s.Truth) }

// Classes returns the truth as numbers, counted in the order in which the
// classes first appear, and their names. Noise is −1.
func (s *Set) Classes() (truth []int, names []string) {
	truth = make([]int, len(s.Truth))
	number := map[string]int{Noise: -1}
	for i, c := range s.Truth {
		h, ok := number[c]
		if !ok {
			h = len(names)
			number[c], names = h, append(names, c)
		}
		truth[i] = h
	}
	return truth, names
}

// classNames returns the name of the class of each row, Noise below 0.
func classNames(truth []int, names []string) []string {
	out := make([]string, len(truth))
	for i, h := range truth {
		out[i] = Noise
		if h >= 0 {
			out[i] = names[h]
		}
	}
	return out
}

// stream returns the random numbers of a built-in set.
func stream(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x696e6b6c696e67)) }
