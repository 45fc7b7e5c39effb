package choose

import (
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
)

// MinPairs is the number of held-out pairs from which on candidates are compared.
// A label counts as two.
const MinPairs = 30

// minOfAKind is how many must-links and how many cannot-links there must be among
// the held-out pairs.
const minOfAKind = 5

// A comparison is one call of Run.
type comparison struct {
	task   *Task
	o      Options
	sample *cluster.Problem
	at     []int // the points of the task in the sample; nil: all
	points *points
	folds  []Fold
	obs    []observation
	choice *Choice
	list   []judged
	failed map[int]bool // candidates that could not be fitted
	done   int          // fits

	stopped []Trial // of candidates that left the race

	// Without doubtful constraints, where candidates need them so:
	kept      *constraint.Set   // all constraints
	keptTrain []*constraint.Set // the training part of each fold

	likelyTrain []*constraint.Set // the same, without those that are likely wrong
}

// pairs counts what candidates are judged by, a label as two pairs.
func (c *comparison) pairs() (n int) {
	for _, f := range c.folds {
		n += len(f.Pairs) + 2*len(f.Labels)
	}
	return n
}

// kinds counts the held-out pairs that are together and apart.
func (c *comparison) kinds() (together, apart int) {
	for _, o := range c.obs {
		switch {
		case o.weight == 0:
		case o.together:
			together++
		default:
			apart++
		}
	}
	return together, apart
}
