package report

import (
	"fmt"
	"testing"

	"github.com/inklinghq/inkling/data"
)

// By hand: in cluster 0 ant and bee have the mean 1, dog 0.5, and exceed their
// means in all documents by 1/3, 1/3 and 1/6; cat is not in it. Cluster 2 has no
// documents.
func TestTopTermsByHand(t *testing.T) {
	x := &data.Dense{Cols: 4, V: []float64{
		1, 1, 0, 1,
		1, 1, 0, 0,
		0, 0, 2, 0,
	}}
	got := TopTerms(x, []int{0, 0, 1}, 3, []string{"ant", "bee", "cat", "dog"})
	if want := "[[ant bee dog] [cat] []]"; fmt.Sprint(got) != want { // equal ones in their order, only words that occur
		t.Errorf("got %v, want %v", got, want)
	}

	wide := &data.Dense{Cols: 12, V: make([]float64, 12)}
	words := make([]string, 12)
	for f := range wide.V {
		wide.V[f], words[f] = 1, fmt.Sprintf("w%d", f)
	}
	if got := TopTerms(wide, []int{0}, 1, words); len(got[0]) != termsShown {
		t.Errorf("%d words are listed, want %d", len(got[0]), termsShown)
	}
	// Numbers are not keywords, whatever their weight.
	if got := TopTerms(&data.Dense{Cols: 4, V: []float64{9, 1, 8, 7}}, []int{0}, 1, []string{"1999", "x2", "3½", "12 000"}); fmt.Sprint(got) != "[[x2]]" {
		t.Errorf("got %v, want x2 alone", got)
	}
}
