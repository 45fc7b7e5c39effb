package prepare_test

import (
	"fmt"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/input/prepare"
)

// A recipe learned on some rows brings later rows to the same scale, whatever
// the order of their columns.
func ExampleFit() {
	ds := &dataio.Dataset{
		Columns: []string{"age", "income"},
		X:       &data.Dense{Cols: 2, V: []float64{20, 1000, 40, 3000, 60, 5000}},
	}
	recipe, p, err := prepare.Fit(ds, prepare.Options{Scale: prepare.MinMax})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(data.Copy(p.X, 1))

	later := &dataio.Dataset{
		Columns: []string{"income", "age"},
		X:       &data.Dense{Cols: 2, V: []float64{2000, 60}},
	}
	q, err := recipe.Apply(later)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(data.Copy(q.X, 0), q.Notes)
	// Output:
	// [0.5 0.5]
	// [1 0.25] [columns are in another order than in the fitted data; matched by name]
}

// Documents become sparse rows, one feature a word.
func ExampleFit_documents() {
	ds := &dataio.Dataset{Docs: []string{
		"The moon rises over the sea",
		"A full moon and a low sea",
		"Bake the bread, then the cake",
	}}
	recipe, p, err := prepare.Fit(ds, prepare.Options{MinDF: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(recipe.Columns)
	fmt.Printf("%.3f\n", data.Copy(p.X, 0))
	for _, note := range p.Notes[:1] {
		fmt.Println(note)
	}
	// Output:
	// [moon sea]
	// [0.707 0.707]
	// 3 documents became rows of 2 words (TF-IDF), 11 of 13 left out
}

func ExampleWords() {
	prepare.Words("Don't panic: it's only 42 KB!", func(w []byte) { fmt.Printf("%s|", w) })
	// Output: don't|panic|it's|only|42|kb|
}
