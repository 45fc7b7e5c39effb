// Command ours is our side of the comparisons in bench/peers: it makes the data
// that both sides use, and does one task on it in a process of its own. It
// prints one JSON object: the seconds of the task alone, and a value by which
// the caller sees that both sides did the same work.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/inklinghq/inkling/centroid"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/dataio"
	"github.com/inklinghq/inkling/score"
)

const usage = `usage: ours make DIR ROWS LABELS POINTS | csv FILE | ari TRUTH.npy PRED.npy | card TRUTH.npy PRED.npy | lloyd X.npy CENTRES.npy ITERATIONS`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "ours:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("%s", usage)
	}
	tasks := map[string]struct {
		args int
		do   func(args []string) (seconds, check float64, err error)
	}{
		"make":  {4, makeData},
		"csv":   {1, readCSV},
		"ari":   {2, func(a []string) (float64, float64, error) { return scoreLabels(a, ari) }},
		"card":  {2, func(a []string) (float64, float64, error) { return scoreLabels(a, card) }},
		"lloyd": {3, lloyd},
	}
	t, ok := tasks[args[0]]
	if !ok || len(args)-1 != t.args {
		return fmt.Errorf("%s", usage)
	}
	seconds, check, err := t.do(args[1:])
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]float64{"seconds": seconds, "check": check})
}

// readCSV checks by the sum of all values.
func readCSV(args []string) (seconds, check float64, err error) {
	start := time.Now()
	ds, err := dataio.Open(args[0], dataio.Options{})
	seconds = time.Since(start).Seconds()
	if err != nil {
		return 0, 0, err
	}
	buf := make([]float64, ds.X.Dim())
	for i := range ds.X.Len() {
		for _, y := range ds.X.Row(i, buf).Val {
			check += y
		}
	}
	return seconds, check, nil
}

func ari(truth, pred []int) (float64, error) { return score.ARI(truth, pred) }

// card computes every score there is, where the peer computes one.
func card(truth, pred []int) (float64, error) {
	t, err := score.NewTable(truth, pred)
	if err != nil {
		return 0, err
	}
	return t.Card().ARI, nil
}

func scoreLabels(args []string, judge func(truth, pred []int) (float64, error)) (seconds, check float64, err error) {
	truth, err := readInts(args[0])
	if err != nil {
		return 0, 0, err
	}
	pred, err := readInts(args[1])
	if err != nil {
		return 0, 0, err
	}
	start := time.Now()
	check, err = judge(truth, pred)
	return time.Since(start).Seconds(), check, err
}

// lloyd checks by the objective, which after a fixed number of iterations from
// the same start is the same on both sides, but for rounding.
func lloyd(args []string) (seconds, check float64, err error) {
	x, err := dataio.Open(args[0], dataio.Options{})
	if err != nil {
		return 0, 0, err
	}
	c, err := dataio.Open(args[1], dataio.Options{})
	if err != nil {
		return 0, 0, err
	}
	centres, ok := c.X.(*data.Dense)
	if !ok {
		return 0, 0, fmt.Errorf("the centres are %T", c.X)
	}
	iterations, err := strconv.Atoi(args[2])
	if err != nil {
		return 0, 0, err
	}
	a := centroid.NewKMeans()
	a.StartFrom(centres)
	s := cluster.Default()
	s.Restarts, s.MaxIter, s.Tol = 1, iterations, -1
	start := time.Now()
	r, err := cluster.Fit(context.Background(), &cluster.Problem{X: x.X, K: centres.Len()}, a, s)
	if err != nil {
		return 0, 0, err
	}
	if r.Iterations != iterations {
		return 0, 0, fmt.Errorf("%s after %d iterations of %d: the times would not compare", r.Status, r.Iterations, iterations)
	}
	return time.Since(start).Seconds(), r.Objective.Sum(), nil
}
