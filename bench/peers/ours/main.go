// Command ours is our side of the comparisons in bench/peers: it makes the data
// that both sides use, and does one task on it in a process of its own. It
// prints one JSON object: the seconds and CPU seconds of the task alone, and a
// value by which the caller sees that both sides did the same work.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

// A task is what it takes, and what it does with it.
type task struct {
	takes string
	do    func(args []string) (figures, error)
}

var tasks = map[string]task{
	"make-table":     {"OUT.csv ROWS", makeTable},
	"make-labels":    {"DIR LABELS", makeLabels},
	"make-points":    {"PREFIX ROWS FEATURES CENTRES", makePoints},
	"make-blobs":     {"X.npy LABELS.npy TRUTH.npy ROWS", makeBlobs},
	"make-big":       {"OUT.npy ROWS FEATURES CENTRES", makeBig},
	"csv":            {"FILE", readCSV},
	"ari":            {"TRUTH.npy PRED.npy", func(a []string) (figures, error) { return scoreLabels(a, ari) }},
	"card":           {"TRUTH.npy PRED.npy", func(a []string) (figures, error) { return scoreLabels(a, card) }},
	"labels":         {"X.npy CENTRES.npy PASSES", labels},
	"kmeans":         {"X.npy CENTRES.npy ITERATIONS", kmeans},
	"fit":            {"X.npy CENTRES.npy MAX-ITER", fit},
	"sparse":         {"X.mtx CENTRES.npy DISTORTION ITERATIONS", sparse},
	"seeded":         {"X.npy LABELS.npy TRUTH.npy METHOD", seeded},
	"make-separated": {"OUT.npy ROWS FEATURES CENTRES HALF-SIDE", makeSeparated},
	"starts":         {"X K DISTORTION EFFORT FIRST COUNT", starts},
	"make-pairs":     {"PREFIX ROWS SEED", makePairs},
	"linked":         {"PREFIX METHOD", linked},
	"small-fits":     {"X.npy COUNT", smallFits},
	"graph":          {"PREFIX K PAIRS METHOD", graph},
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "ours:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return usage()
	}
	t, ok := tasks[args[0]]
	if !ok || len(args)-1 != len(strings.Fields(t.takes)) {
		return usage()
	}
	f, err := t.do(args[1:])
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(f)
}

func usage() error {
	var lines []string
	for name, t := range tasks {
		lines = append(lines, fmt.Sprintf("\n  ours %s %s", name, t.takes))
	}
	slices.Sort(lines)
	return fmt.Errorf("one of%s", strings.Join(lines, ""))
}

// readCSV checks by the sum of all values.
func readCSV(args []string) (figures, error) {
	c := startClock()
	ds, err := dataio.Open(args[0], dataio.Options{})
	if err != nil {
		return nil, err
	}
	f, sum := c.stop(), 0.0
	buf := make([]float64, ds.X.Dim())
	for i := range ds.X.Len() {
		for _, y := range ds.X.Row(i, buf).Val {
			sum += y
		}
	}
	f["check"] = sum
	return f, nil
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

func scoreLabels(args []string, judge func(truth, pred []int) (float64, error)) (figures, error) {
	truth, err := readInts(args[0])
	if err != nil {
		return nil, err
	}
	pred, err := readInts(args[1])
	if err != nil {
		return nil, err
	}
	c := startClock()
	check, err := judge(truth, pred)
	f := c.stop()
	f["check"] = check
	return f, err
}
