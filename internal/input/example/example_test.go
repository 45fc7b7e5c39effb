package example_test

import (
	"fmt"
	"math/rand/v2"
	"os"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/example"
)

func ExampleLoad() {
	s, err := example.Load("iris")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Title)
	fmt.Println(s.Columns)
	fmt.Println(data.Copy(s.X, 0), s.Truth[0])
	// Output:
	// 150 iris flowers of 3 species, 4 measurements in cm
	// [sepal_length sepal_width petal_length petal_width]
	// [5.1 3.5 1.4 0.2] setosa
}

func ExampleSet_Files() {
	s, err := example.Load("six-nodes")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range s.Files()[:2] {
		fmt.Println("#", f.Name)
		if err := f.Write(os.Stdout); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// # six-nodes.edges
	// 0 1
	// 0 2
	// 1 2
	// 2 3
	// 3 4
	// 3 5
	// 4 5
	// # six-nodes-truth.csv
	// id,label
	// 0,left
	// 1,left
	// 2,left
	// 3,left
	// 4,right
	// 5,right
}

func ExampleBlobs() {
	x, truth, err := example.Blobs(1000, 10, 16, 1.5, 1, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(x.Len(), x.Dim(), truth[:12])
	// Output: 1000 16 [0 1 2 3 4 5 6 7 8 9 0 1]
}
