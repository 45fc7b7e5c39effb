package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/dataio"
)

// A corpus is a set of messages: a row of words each, and the group it is from.
type corpus struct {
	Name   string
	Groups []string
	Class  []int // of each row, an index into Groups
	X      *data.Sparse
}

func (c *corpus) k() int { return len(c.Groups) }

// readCounts reads the word counts and the groups in dir.
func readCounts(dir string, workers int) (*corpus, error) {
	if s, err := os.Stat(dir); err != nil || !s.IsDir() {
		return nil, fmt.Errorf("seeding: there is no folder %s with 20 Newsgroups; name it by -data, or set INKLING_DATA to the folder that holds 20news", dir)
	}
	ds, err := dataio.Open(filepath.Join(dir, "data.mtx.gz"), dataio.Options{Workers: workers})
	if err != nil {
		return nil, err
	}
	x, ok := ds.X.(*data.Sparse)
	if !ok {
		return nil, fmt.Errorf("seeding: %s is not a sparse matrix", ds.Name)
	}
	labels, err := dataio.Open(filepath.Join(dir, "labels.txt.gz"), dataio.Options{Format: "text"})
	if err != nil {
		return nil, err
	}
	if len(labels.Docs) != x.Len() {
		return nil, fmt.Errorf("seeding: %d labels for %d messages", len(labels.Docs), x.Len())
	}
	c := &corpus{X: x, Class: make([]int, x.Len())}
	c.Groups = slices.Compact(slices.Sorted(slices.Values(labels.Docs)))
	for i, g := range labels.Docs {
		c.Class[i], _ = slices.BinarySearch(c.Groups, g)
	}
	return c, nil
}

// The sets of the paper that are made of 20 Newsgroups, as -sets calls them.
var setNames = []string{"full", "small", "same3", "different3"}

var (
	same3      = []string{"comp.graphics", "comp.os.ms-windows.misc", "comp.windows.x"}
	different3 = []string{"alt.atheism", "rec.sport.baseball", "sci.space"}
)

// part makes the named set of the counts, weighed.
func (c *corpus) part(name string, seed uint64) (*corpus, error) {
	switch name {
	case "full":
		return c.choose("20 Newsgroups", c.Groups, math.MaxInt, nil)
	case "small":
		return c.choose("Small-20 Newsgroups", c.Groups, 100, rand.New(rand.NewPCG(seed, smallStream)))
	case "same3":
		return c.choose("Same-3 Newsgroups", same3, math.MaxInt, nil)
	case "different3":
		return c.choose("Different-3 Newsgroups", different3, math.MaxInt, nil)
	}
	return nil, fmt.Errorf("seeding: there is no set %q, the sets are %v", name, setNames)
}

// choose takes the messages of some groups, at most so many of each, drawn by
// rng, and weighs their words as a collection of its own.
func (c *corpus) choose(name string, groups []string, most int, rng *rand.Rand) (*corpus, error) {
	out := &corpus{Name: name, Groups: groups}
	var rows []int
	for h, g := range groups {
		class := slices.Index(c.Groups, g)
		if class < 0 {
			return nil, fmt.Errorf("seeding: the data has no group %s", g)
		}
		var of []int
		for i, y := range c.Class {
			if y == class {
				of = append(of, i)
			}
		}
		if len(of) > most {
			rng.Shuffle(len(of), func(a, b int) { of[a], of[b] = of[b], of[a] })
			of = of[:most]
			slices.Sort(of)
		}
		rows = append(rows, of...)
		out.Class = append(out.Class, slices.Repeat([]int{h}, len(of))...)
	}
	var err error
	out.X, err = tfidf(c.X, rows)
	return out, err
}

// tfidf weighs the words of some rows of counts: a word that stands tf times
// in a message and in df of the n messages weighs tf·ln(n/df), and each row is
// then brought to length 1. Words of no row are left out. A message without
// words stays a zero row.
func tfidf(counts *data.Sparse, rows []int) (*data.Sparse, error) {
	df := make([]int, counts.Cols)
	for _, i := range rows {
		for _, f := range counts.Row(i, nil).Idx {
			df[f]++
		}
	}
	col, cols := make([]int32, counts.Cols), int32(0)
	for f, n := range df {
		if col[f] = cols; n > 0 {
			cols++
		}
	}
	start, idx, val := []int{0}, []int32{}, []float64{}
	for _, i := range rows {
		v, lo := counts.Row(i, nil), len(val)
		for p, f := range v.Idx {
			idx = append(idx, col[f])
			val = append(val, v.Val[p]*math.Log(float64(len(rows))/float64(df[f])))
		}
		if l := math.Sqrt(data.Norm2(val[lo:])); l > 0 {
			for p := lo; p < len(val); p++ {
				val[p] /= l
			}
		}
		start = append(start, len(idx))
	}
	return data.NewSparse(int(cols), start, idx, val)
}
