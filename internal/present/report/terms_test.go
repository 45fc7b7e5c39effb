package report

import (
	"fmt"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/input/prepare"
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

// Pairs stand in the place of their words where they tell as much, and do not repeat them.
func TestPairsOfWords(t *testing.T) {
	words := []string{"brake", "flat", "flat tyre", "pump", "tyre", "tyre pump", "wheel"}
	lift := []float64{0.1, 0.9, 0.8, 0.3, 0.7, 0.12, 0.05}
	got := distinctTerms([]int{1, 2, 4, 3, 5, 0, 6}, lift, words, 3)
	if want := "[flat tyre pump brake]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %v", got, want)
	}
	lift[2] = 0.4 // less than half of flat
	if got := distinctTerms([]int{1, 4, 2, 3, 5, 0, 6}, lift, words, 4); fmt.Sprint(got) != "[flat tyre pump brake]" || len(got) != 4 {
		t.Errorf("got %q", got)
	}

	docs := []string{"the flat tyre of a car", "my flat tyre again", "flat tyre, 1999", "a soup with salt", "salt in the soup", "soup and more salt 1999"}
	r, ready, err := prepare.Fit(&dataio.Dataset{Docs: docs}, prepare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	terms := DocumentTerms(docs, r.Text, ready.X, []int{0, 0, 0, 1, 1, 1}, 2, 1)
	if terms[0][0] != "flat tyre" || !slices.Contains(terms[1], "salt") || slices.Contains(terms[0], "flat") || slices.Contains(terms[0], "1999") {
		t.Errorf("the terms are %q", terms)
	}
}
