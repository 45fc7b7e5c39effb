package reproduce

import (
	"math/rand/v2"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/judge/choose"
)

// A trustSet is a set that trust is judged on: tables, texts and a graph.
type trustSet struct {
	title string
	p     *cluster.Problem
	truth []int
	texts bool
	table bool // of columns, which may be standardised
}

// task returns what a method is chosen for.
func (s *trustSet) task() *choose.Task {
	return &choose.Task{Problem: s.p, Scalable: s.table, Texts: s.texts}
}

// trustTables had no part in choosing the rules of choice, the weights of constraints
// or the scores of suspects.
var trustTables = []namedSet{
	{"Breast cancer (WDBC)", from("wdbc", 1, 0)},
	{"Protein", from("protein", 1, 0)},
	{"Digits 2, 5, 6", from("pendigits", 10, 5, "2", "5", "6")},
	{"Digits 0, 4, 9", from("pendigits", 10, 5, "0", "4", "9")},
	{"Letters M, N, W", from("letter", 10, 5, "M", "N", "W")},
	{"Letters E, F, P", from("letter", 10, 5, "E", "F", "P")},
	{"5 blobs, 8 features", blobs(400, 5, 8, 1.5, 101, false)},
	{"8 unequal blobs, 4 features", blobs(600, 8, 4, 4, 102, true)},
	{"Two circles", twoCircles},
}

func twoCircles(*Lab) (*set, error) {
	x, truth, err := example.TwoCircles(300, 0.08, rand.New(rand.NewPCG(14, 3)))
	return &set{X: x, Truth: truth, K: 2}, err
}

// trustSets reads all sets.
func (l *Lab) trustSets() (list []*trustSet, err error) {
	for _, t := range trustTables {
		s, err := t.read(l)
		if err != nil {
			return nil, err
		}
		list = append(list, &trustSet{title: t.title, p: s.problem(), truth: s.Truth, table: true})
	}
	texts, err := l.trustTexts()
	if err != nil {
		return nil, err
	}
	list = append(list, texts...)
	g, truth, err := example.PlantedPartition(300, 4, 10, 5, rand.New(rand.NewPCG(14, 4)))
	if err != nil {
		return nil, err
	}
	return append(list, &trustSet{title: "Planted graph", p: &cluster.Problem{Graph: g, K: 4}, truth: truth}), nil
}

// trustTexts reads the sets of texts.
func (l *Lab) trustTexts() (list []*trustSet, err error) {
	counts, err := l.newsgroups()
	if err != nil {
		return nil, err
	}
	for _, t := range []struct {
		title  string
		groups []string
	}{{"News, different topics", different3}, {"News, similar topics", same3}} {
		m, err := counts.choose(t.groups, 100, rand.New(rand.NewPCG(14, smallStream)))
		if err != nil {
			return nil, err
		}
		list = append(list, &trustSet{title: t.title, p: &cluster.Problem{X: data.Rows(m.X), K: m.k()}, truth: m.Class, texts: true})
	}
	return list, nil
}
