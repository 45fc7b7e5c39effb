// Package experiment measures how clusterings improve with constraints: a
// learning curve by cross-validation, as the papers on semi-supervised
// clustering draw it, on any data whose truth is known for some rows.
//
// A Curve is methods × amounts of constraints × folds × repeats. For each of
// these a fit clusters all rows with constraints drawn from the rows outside the
// fold, and is scored on the rows of the fold alone. Run makes the
// fits, several at a time, and adds them up in a Table: a mean with its
// standard error per method and amount, and each method compared with the
// first, fit by fit.
//
// # Randomness
//
// Every draw has a stream of its own, named by what it is for and by nothing
// else:
//
//	folds        (seed, repeat)
//	pairs        (seed, repeat, fold, pairs)
//	seeds        (seed, repeat, fold, seeds)
//	noise        (seed, repeat, fold, pairs, seeds, noise)
//	start        (seed, repeat, fold)
//
// So methods are paired: they have the same folds, the same constraints, the same
// noise and the same first random number. And what is drawn for one
// fit does not change when methods, amounts or repeats are added to a curve.
//
// # Resuming
//
// A Fit is one line of a log. Its Key holds everything that determines it, so
// a fit that is in the log is not made again: a run that was killed resumes
// where it stopped, and its table is the same to the byte.
package experiment

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/inklinghq/inkling/cluster"
)

// An Amount says how many constraints a fit has, all drawn from the rows outside
// its fold.
type Amount struct {
	Pairs int     `json:"pairs"` // random pairs, as must-links or cannot-links
	Seeds float64 `json:"seeds"` // the fraction of the rows of each class that are labelled
	Noise float64 `json:"noise"` // the fraction of pairs, and of labels, that are wrong
}

// A Curve is an experiment.
type Curve struct {
	// Problem is what is clustered. Its Constraints must be empty. Its Views go to the
	// methods that use them; the others are fitted without.
	Problem *cluster.Problem
	// Truth is the class of each row, below 0 where it is unknown. Such rows
	// are clustered with the others, but are in no fold and in no constraint.
	Truth   []int
	Methods []Method // the others are compared with the first
	Amounts []Amount
	Vary    string // the field of Amount that varies along the curve: Pairs, Seeds or Noise
	Folds   int
	Repeats int    // how often rows are divided into folds
	Measure string // what the table shows: one of Measures
	// Settings of every fit. Seed is that of the whole experiment; Workers is
	// how many fits are made at a time, and changes nothing else.
	Settings cluster.Settings
	Program  string         // the version of the program: fits of other versions are made again
	Observe  func(Progress) // if not nil, called after every fit, one call at a time
}

// What can vary along a curve.
const (
	Pairs = "pairs"
	Seeds = "seeds"
	Noise = "noise"
)

// X returns the part of a that varies along the curve.
func (c *Curve) X(a Amount) float64 {
	switch c.Vary {
	case Seeds:
		return a.Seeds
	case Noise:
		return a.Noise
	}
	return float64(a.Pairs)
}

// Progress reports one fit to an observer.
type Progress struct {
	Done, Total    int // fits that are done, among them those that the log had
	Made           int // fits that this run has made
	Method, Amount int // the cell of the table that the fit is for
	Took           time.Duration
	Failed         bool
}

// check refuses curves that cannot be run.
func (c *Curve) check() error {
	if c.Problem == nil {
		return fmt.Errorf("the problem is nil")
	}
	if err := c.Problem.Check(); err != nil {
		return err
	}
	n := c.Problem.Len()
	labelled, classes := countTruth(c.Truth)
	switch {
	case !c.Problem.Constraints.Empty():
		return fmt.Errorf("the problem has constraints already; they are drawn from the truth")
	case len(c.Truth) != n:
		return fmt.Errorf("true classes must be given for all %d rows, got %d", n, len(c.Truth))
	case c.Folds < 2:
		return fmt.Errorf("folds must be at least 2, got %d", c.Folds)
	case c.Repeats < 1:
		return fmt.Errorf("repeats must be at least 1, got %d", c.Repeats)
	case c.Folds > labelled/2:
		return fmt.Errorf("each of %d folds must have at least 2 rows with a true label, got %d rows in all", c.Folds, labelled)
	case float64(c.Repeats)*float64(c.Folds)*float64(len(c.Amounts))*float64(len(c.Methods)) > mostFits:
		return fmt.Errorf("%d repeats of %d folds exceed the limit of fits", c.Repeats, c.Folds)
	case len(c.Methods) == 0 || len(c.Amounts) == 0:
		return fmt.Errorf("there must be at least one method and one amount, got %d and %d", len(c.Methods), len(c.Amounts))
	case !slices.Contains(Measures, c.Measure):
		return fmt.Errorf("measure must be one of %s, got %q%s", strings.Join(Measures, ", "), c.Measure, didYouMean(c.Measure, Measures))
	case !slices.Contains([]string{Pairs, Seeds, Noise}, c.Vary):
		return fmt.Errorf("what varies must be %s, %s or %s, got %q", Pairs, Seeds, Noise, c.Vary)
	}
	return c.checkAmounts(labelled, classes)
}

func (c *Curve) checkAmounts(labelled, classes int) error {
	training := int64(labelled - (labelled+c.Folds-1)/c.Folds) // of the largest fold
	most := training * (training - 1) / 2
	for at, a := range c.Amounts {
		switch {
		case a.Pairs < 0 || int64(a.Pairs) > most:
			return fmt.Errorf("pairs must be from 0 to %d, all that the %d training rows of a fold have, got %d", most, training, a.Pairs)
		case !(a.Seeds >= 0 && a.Seeds <= 1):
			return fmt.Errorf("seeds must be a fraction of the training rows, from 0 to 1, got %v", a.Seeds)
		case !(a.Noise >= 0 && a.Noise <= 1):
			return fmt.Errorf("noise must be from 0 to 1, got %v", a.Noise)
		case a.Seeds > 0 && a.Noise > 0 && classes < 2:
			return fmt.Errorf("noise %v, but there is only one class to label", a.Noise)
		case a.Seeds > 0 && classes > c.Problem.K:
			return fmt.Errorf("seeds of %d classes, but k is %d", classes, c.Problem.K)
		case slices.Contains(c.Amounts[:at], a):
			return fmt.Errorf("%s %v is given twice", c.Vary, c.X(a))
		}
	}
	return c.checkMethods()
}

// checkMethods refuses, before any fit, parameters that are wrong in themselves
// and methods that are not for this kind of problem. One that only lacks
// constraints is not refused.
func (c *Curve) checkMethods() error {
	for at, m := range c.Methods {
		for _, other := range c.Methods[:at] {
			if other.full == m.full {
				return fmt.Errorf("method %s is given twice", m)
			}
		}
		err := m.Algorithm().Check(c.Problem)
		var bad *cluster.ProblemError
		if err != nil && !(errors.As(err, &bad) && bad.Field == "constraints") {
			return fmt.Errorf("method %s: %w", m, err)
		}
	}
	return nil
}

// countTruth returns how many rows have a class, and one more than the highest.
func countTruth(truth []int) (labelled, classes int) {
	for _, y := range truth {
		if y >= 0 {
			labelled++
			classes = max(classes, y+1)
		}
	}
	return labelled, classes
}

// mostFits bounds the fits of a curve, so that their numbers are integers.
const mostFits = 1e15

// tiny is below every difference of scores that is not rounding.
const tiny = 1e-12

func same(a, b float64) bool { return math.Abs(a-b) <= tiny }
