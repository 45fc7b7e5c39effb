package saved_test

import (
	"bytes"
	"context"
	"fmt"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/method/centroid"
	"github.com/inklinghq/inkling/internal/present/saved"
)

// Rows that are scaled before they are clustered, and later ones in the same
// way.
func ExampleNew() {
	ctx := context.Background()
	x := &data.Dense{Cols: 2, V: []float64{1, 1000, 2, 1100, 11, 9000, 12, 9100}}
	recipe, ready, err := prepare.Fit(&dataio.Dataset{X: x}, prepare.Options{Scale: prepare.Standard})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, a := &cluster.Problem{X: ready.X, K: 2}, centroid.NewKMeans()
	r, err := cluster.Fit(ctx, p, a, cluster.Default())
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	f, err := saved.New("kmeans", a, p, r)
	if err == nil {
		f.Recipe = recipe
		err = saved.Write(&file, f)
	}
	if err != nil {
		fmt.Println(err)
		return
	}

	if f, err = saved.Read(&file); err != nil {
		fmt.Println(err)
		return
	}
	later, err := f.Recipe.Apply(&dataio.Dataset{X: &data.Dense{Cols: 2, V: []float64{2, 1050, 11, 8888}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	labels, err := f.Place(ctx, later, 0)
	fmt.Println(labels[0] == r.Labels[0], labels[1] == r.Labels[3], err)
	// Output: true true <nil>
}
