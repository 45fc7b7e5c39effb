package reproduce

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/input/prepare"
)

// messages are those of 20 Newsgroups or some of them: a row of words each, and
// the group that it is from.
type messages struct {
	Groups []string
	Class  []int // of each row, an index into Groups
	X      *data.Sparse
}

func (m *messages) k() int { return len(m.Groups) }

// newsgroups reads the word counts of all messages.
func (l *Lab) newsgroups() (*messages, error) {
	ds, err := l.open("20news", "data.mtx.gz", dataio.Options{})
	if err != nil {
		return nil, err
	}
	labels, err := l.lines("20news", "labels.txt.gz")
	if err != nil {
		return nil, err
	}
	return sorted(ds.X, labels)
}

// wholeMessages reads the messages themselves, headers and all, from the folder
// messages, with a folder a group. Words of 8 messages to 15 % of them are kept,
// as in the counts, and weighed by prepare.
func (l *Lab) wholeMessages() (*messages, error) {
	ds, err := l.open("20news", "messages", dataio.Options{Label: "folder"})
	if err != nil {
		return nil, err
	}
	_, ready, err := prepare.Fit(ds, prepare.Options{MinDF: 8, MaxDF: 0.15, Workers: l.Workers})
	if err != nil {
		return nil, err
	}
	return sorted(ready.X, ds.Labels)
}

// sorted numbers the groups of the rows.
func sorted(rows data.Rows, labels []string) (*messages, error) {
	x, ok := rows.(*data.Sparse)
	if !ok || len(labels) != x.Len() {
		return nil, fmt.Errorf("20news: %d labels, want one for each row of a sparse matrix", len(labels))
	}
	m := &messages{X: x, Groups: slices.Compact(slices.Sorted(slices.Values(labels))), Class: make([]int, len(labels))}
	for i, g := range labels {
		m.Class[i], _ = slices.BinarySearch(m.Groups, g)
	}
	return m, nil
}

// choose takes the messages of some groups, at most so many of each, drawn by
// rng, and weighs their words as a collection of its own.
func (m *messages) choose(groups []string, most int, rng *rand.Rand) (*messages, error) {
	out := &messages{Groups: groups}
	var rows []int
	for h, g := range groups {
		class := slices.Index(m.Groups, g)
		if class < 0 {
			return nil, fmt.Errorf("20news has no group %s", g)
		}
		var of []int
		for i, y := range m.Class {
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
	out.X, err = tfidf(m.X, rows)
	return out, err
}

// weigh weighs the words of all messages.
func (m *messages) weigh() (*messages, error) { return m.choose(m.Groups, math.MaxInt, nil) }

// prune keeps the words of at least so many messages and at most this fraction
// of them.
func (m *messages) prune(least int, most float64) *messages {
	df := documents(m.X, rowsOf(m.X))
	x := &data.Sparse{Cols: m.X.Cols, Start: []int{0}}
	for i := range m.X.Len() {
		v := m.X.Row(i, nil)
		for p, f := range v.Idx {
			if df[f] >= least && float64(df[f]) <= most*float64(m.X.Len()) {
				x.Idx, x.Val = append(x.Idx, f), append(x.Val, v.Val[p])
			}
		}
		x.Start = append(x.Start, len(x.Idx))
	}
	return &messages{m.Groups, m.Class, x}
}

// dampen counts a word that stands c times as 1 + ln c times.
func (m *messages) dampen() *messages {
	x := *m.X
	x.Val = slices.Clone(x.Val)
	for p, c := range x.Val {
		x.Val[p] = 1 + math.Log(c)
	}
	return &messages{m.Groups, m.Class, &x}
}

func rowsOf(x *data.Sparse) []int {
	out := make([]int, x.Len())
	for i := range out {
		out[i] = i
	}
	return out
}

// documents counts, for each word, the rows that have it.
func documents(counts *data.Sparse, rows []int) []int {
	df := make([]int, counts.Cols)
	for _, i := range rows {
		for _, f := range counts.Row(i, nil).Idx {
			df[f]++
		}
	}
	return df
}

// tfidf weighs the words of some rows of counts: a word that stands tf times
// in a message and in df of the n messages weighs tf·ln(n/df), and each row is
// then brought to length 1. Words of no row are left out. A message without
// words stays a zero row.
func tfidf(counts *data.Sparse, rows []int) (*data.Sparse, error) {
	df := documents(counts, rows)
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
