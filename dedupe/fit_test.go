package dedupe

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A fitTable is a table with a known truth, as far as the third stage needs it.
type fitTable struct {
	name  string
	j     *job
	truth []int // of distinct records, −1 where copies differ
	rows  int
}

func readFitTable(t *testing.T, folder string) *fitTable {
	read := func(name string) [][]string {
		f, err := os.Open(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		rows, err := csv.NewReader(f).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	rows, truth := read("records.csv"), read("truth.csv")
	r := &Records{Fields: rows[0][1:], Cells: make([][]string, len(rows[0])-1)}
	for _, row := range rows[1:] {
		for f, c := range row[1:] {
			r.Cells[f] = append(r.Cells[f], c)
		}
	}
	entity, names := make([]int, len(truth)-1), map[string]int{}
	for i, row := range truth[1:] {
		if _, ok := names[row[1]]; !ok {
			names[row[1]] = len(names)
		}
		entity[i] = names[row[1]]
	}
	ctx := context.Background()
	d, err := newDistinct(ctx, r, 1)
	if err != nil {
		t.Fatal(err)
	}
	x := &fitTable{name: filepath.Base(folder), j: &job{Result: Result{d: d}, o: Options{Neighbours: DefaultNeighbours, Workers: 1}}, rows: r.Len(), truth: make([]int, d.len())}
	for u, copies := range d.copies {
		x.truth[u] = entity[copies[0]]
	}
	if x.j.pairs, _, err = candidatePairs(ctx, d, DefaultNeighbours, 1, func(float64) {}); err != nil {
		t.Fatal(err)
	}
	if x.j.levels, err = x.j.compareAll(ctx, x.j.pairs, func(float64) {}); err != nil {
		t.Fatal(err)
	}
	if err := x.j.estimate(ctx); err != nil {
		t.Fatal(err)
	}
	return x
}

func (x *fitTable) kind() string { return strings.SplitN(x.name, "-", 2)[0] }

// weight is what a pair of the table counts: tables count the same whatever their size, and those that were written as a kind of
// their own four times as much as those with drawn columns.
func (x *fitTable) weight() float64 {
	w := 500 / float64(x.rows)
	if x.kind() != "drawn" {
		w *= 4
	}
	return w
}

// second returns the examples of the second stage.
func (x *fitTable) second() (out []linkExample) {
	width, e := x.j.d.width(), make([]float64, x.j.d.fields)
	for i, p := range x.j.pairs {
		in := make([]float64, secondInputs)
		x.j.model.x.secondInputs(p, x.j.levels[i*width:(i+1)*width], e, x.j.model.best, in)
		w := x.weight()
		if in[inLogOdds] < -9 { // clear: one in ten
			if w *= 10; i%10 > 0 {
				continue
			}
		}
		match := 0.0
		if x.truth[p.A] == x.truth[p.B] {
			match = 1
		}
		out = append(out, linkExample{in, match, w})
	}
	return out
}

// third returns the examples of the third stage, where the second has these weights.
func (x *fitTable) third(t *testing.T, w []float64) (out []linkExample) {
	ctx := context.Background()
	j := *x.j
	m := *j.model
	j.model = &m
	m.weights = make([]float64, len(m.weights))
	copy(m.weights, w)
	z, err := j.scoreAll(ctx, j.pairs, j.levels)
	if err != nil {
		t.Fatal(err)
	}
	j.logOdds = z
	if err := j.complete(ctx); err != nil {
		t.Fatal(err)
	}
	h := newNeighbourhood(j.d.len(), j.pairs, j.logOdds)
	h.learnShift(j.pairs, j.logOdds)
	for i, p := range j.pairs {
		if j.logOdds[i] > seenFrom {
			in := make([]float64, thirdInputs)
			h.inputs(p, j.logOdds[i], in)
			match := 0.0
			if x.truth[p.A] == x.truth[p.B] {
				match = 1
			}
			out = append(out, linkExample{in, match, x.weight()})
		}
	}
	return out
}

// calibrationError returns the mean difference between probability and share of matches in ten bins, over probabilities from .01 on.
func calibrationError(w []float64, list []linkExample) (e, matches, expected float64) {
	var count, sum, match [10]float64
	total := 0.0
	for _, x := range list {
		if p := sigmoid(dot(w, x.in)); p >= 0.01 {
			b := min(int(10*p), 9)
			count[b]++
			sum[b] += p
			match[b] += x.match
			total++
		}
	}
	for b := range count {
		e += math.Abs(sum[b]-match[b]) / max(total, 1)
		matches += match[b]
		expected += sum[b]
	}
	return e, matches, expected
}

// held is the precision of a weight that stays as it is.
const held = 1e7

func fitAll(first []float64, precision float64, lists [][]linkExample, leave func(i int) bool) []float64 {
	var all []linkExample
	for i, l := range lists {
		if !leave(i) {
			all = append(all, l...)
		}
	}
	p := slices.Repeat([]float64{precision}, len(first))
	if os.Getenv("INKLING_FIT_LONG") != "" {
		for i := range p {
			if len(p) != secondInputs || i != inLong {
				p[i] = held
			}
		}
	}
	return fitLogistic(first, p, all)
}

// TestFitWeights fits the weights of the second and third stages on the tables below the folder INKLING_FIT and prints them, and the
// calibration error on each table; with INKLING_FIT_LONG that of long texts alone, the others held; with INKLING_FIT_CHECK also on each kind of tables when they are fitted without it.
// bench/records/fit runs it.
func TestFitWeights(t *testing.T) {
	folder := os.Getenv("INKLING_FIT")
	if folder == "" {
		t.Skip("fits the weights: bench/records/fit")
	}
	folders, _ := filepath.Glob(filepath.Join(folder, "*-*"))
	var tables []*fitTable
	var seconds, thirds [][]linkExample
	for _, f := range folders {
		x := readFitTable(t, f)
		tables, seconds = append(tables, x), append(seconds, x.second())
	}
	kinds := []string{""}
	for _, x := range tables {
		if os.Getenv("INKLING_FIT_CHECK") != "" && !slices.Contains(kinds, x.kind()) {
			kinds = append(kinds, x.kind())
		}
	}
	firstThird, firstSecond := make([]float64, thirdInputs), secondWeights
	if os.Getenv("INKLING_FIT_LONG") != "" {
		copy(firstThird, thirdWeights[:])
	} else {
		firstThird[thirdOwn], firstSecond[inSize] = 1, 1
	}
	for _, left := range kinds {
		errors := []float64{}
		leave := func(i int) bool { return tables[i].kind() == left }
		w := fitAll(firstSecond[:], 1, seconds, leave)
		thirds = thirds[:0]
		for _, x := range tables {
			thirds = append(thirds, x.third(t, w))
		}
		v := fitAll(firstThird, 1, thirds, leave)
		if left == "" {
			fmt.Fprintf(os.Stderr, "second %.4f\nthird %.4f\n", w, v)
		}
		for i, x := range tables {
			if left != "" && left != x.kind() {
				continue
			}
			shift := thirds[i][0].in[thirdShift]
			two, _, _ := calibrationError(w, seconds[i])
			three, matches, expected := calibrationError(v, thirds[i])
			fmt.Fprintf(os.Stderr, "without %-13s %-16s %5d records: error of the second stage %.3f, of the third %.3f; %5.0f matches, expected %5.0f, shift %.2f\n", left, x.name, x.rows, two, three, matches, expected, shift)
			errors = append(errors, three)
		}
		slices.Sort(errors)
		fmt.Fprintf(os.Stderr, "without %-13s median %.3f\n", left, errors[len(errors)/2])
	}
}
