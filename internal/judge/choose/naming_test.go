package choose

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

// Every label is held out once, the labels of a class in different folds as far as there are folds, and no training
// part knows the row of a label that it is judged by.
func TestNamingParts(t *testing.T) {
	known := &constraint.Set{Names: []string{"a", "b", "c"}}
	for i := range 23 {
		class := 0
		if i%4 == 0 {
			class = 1
		}
		if i%11 == 5 {
			class = 2
		}
		known.Labels = append(known.Labels, constraint.Label{I: 3 * i, Class: class, W: 1})
	}
	known.Labels = append(known.Labels, constraint.Label{I: 0, Class: 2, W: 1}) // row 0 has two classes, and is not judged by
	held := map[int]int{}
	for _, f := range namingParts(known) {
		perClass := map[int]int{}
		for _, l := range f.Labels {
			held[l.I]++
			perClass[l.Class]++
			if slices.ContainsFunc(f.Train.Labels, func(k constraint.Label) bool { return k.I == l.I }) {
				t.Errorf("row %d is held out and trained on", l.I)
			}
		}
		if len(f.Labels)+len(f.Train.Labels) != len(known.Labels) {
			t.Errorf("%d labels are held out and %d trained on, of %d", len(f.Labels), len(f.Train.Labels), len(known.Labels))
		}
		for class, n := range perClass {
			if n > 2 {
				t.Errorf("%d labels of class %d are held out at once", n, class)
			}
		}
	}
	if len(held) != 22 || held[0] != 0 {
		t.Errorf("%d rows are held out, want 22 without row 0", len(held))
	}
}

// Six labels are too few to compare by: clusters that agree with all of them stay, others give way to a classifier.
func TestClustersThatFewLabelsAgreeWith(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 34))
	const n = 90
	x := &data.Dense{Cols: 2, V: make([]float64, 2*n)}
	for i := range n {
		x.V[2*i], x.V[2*i+1] = 6*float64(i%3)+rng.NormFloat64(), rng.NormFloat64()
	}
	for _, wrong := range []bool{false, true} {
		known := &constraint.Set{Names: []string{"a", "b", "c"}}
		for i := range 6 {
			known.Labels = append(known.Labels, constraint.Label{I: i, Class: i % 3, W: 1})
		}
		if wrong {
			known.Labels[5].Class = 0
		}
		found, err := Run(context.Background(), &Task{Problem: &cluster.Problem{X: x, K: 3, Constraints: known}}, Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if want := map[bool]string{false: "kmeans", true: classifierMethod}[wrong]; found.Method != want {
			t.Errorf("a label that contradicts the clusters %v: %s (%s)", wrong, found.Method, found.Why)
		}
	}
}

// With one label of each class nothing can be held out. Clusters that put two classes together are no answer to it, those
// that keep them apart are.
func TestOneLabelOfEachClass(t *testing.T) {
	x := &data.Dense{Cols: 2}
	for i := range 120 {
		x.V = append(x.V, 10*float64(i%3), float64(i/3%8)/8+float64(i%7)/70)
	}
	for _, c := range []struct {
		rows []int
		want string
	}{{[]int{0, 1, 2}, "kmeans"}, {[]int{0, 3, 2}, classifierMethod}} {
		known := &constraint.Set{Names: []string{"a", "b", "c"}}
		for class, i := range c.rows {
			known.Labels = append(known.Labels, constraint.Label{I: i, Class: class, W: 1})
		}
		found, err := Run(context.Background(), &Task{Problem: &cluster.Problem{X: x, K: 3, Constraints: known}}, Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if found.Method != c.want {
			t.Errorf("rows %v: %s (%s), want %s", c.rows, found.Method, found.Why, c.want)
		}
	}
}
