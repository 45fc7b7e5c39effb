package centroid_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/centroid"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
)

// Centres that a program has from elsewhere place rows, however they were put
// together; what are no centres is refused.
func TestCentresByHand(t *testing.T) {
	dense := &data.Dense{Cols: 1, V: []float64{1, 9, 0}}
	sparse := &data.Sparse{Cols: 1, Start: []int{0, 1, 2, 2}, Idx: []int32{0, 0}, Val: []float64{1, 9}}
	for name, m := range map[string]*centroid.Centres{
		"made":    lloyd.NewCentres(2, 1, []float64{0, 10}),
		"literal": {K: 2, D: 1, C: []float64{0, 10}},
	} {
		for _, x := range []data.Rows{dense, sparse} {
			got, err := cluster.Predict(context.Background(), m, x, 1)
			if err != nil || !slices.Equal(got, []int{0, 1, 0}) {
				t.Errorf("%s, %T: %v, %v", name, x, got, err)
			}
		}
	}
	for name, m := range map[string]*centroid.Centres{
		"nil":        nil,
		"zero":       {},
		"none":       {D: 1},
		"too few":    {K: 3, D: 1, C: []float64{0}},
		"made wrong": lloyd.NewCentres(3, 1, []float64{1, 2}),
		"below none": lloyd.NewCentres(-1, 1, nil),
	} {
		_, err := cluster.Predict(context.Background(), m, dense, 1)
		var bad *cluster.ProblemError
		if !errors.As(err, &bad) || bad.Field != "model" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A model that is read into again forgets what it was.
func TestCentresReadTwice(t *testing.T) {
	x := &data.Dense{Cols: 1, V: []float64{4}}
	var m centroid.Centres
	for _, c := range []struct {
		file string
		want int
	}{
		{`{"distortion":"euclidean","centres":[[0],[10]]}`, 0},
		{`{"distortion":"euclidean","centres":[[100],[10],[4]]}`, 2},
	} {
		if err := json.Unmarshal([]byte(c.file), &m); err != nil {
			t.Fatal(err)
		}
		got, err := cluster.Predict(context.Background(), &m, x, 1)
		if err != nil || got[0] != c.want {
			t.Errorf("%s: %v, %v", c.file, got, err)
		}
	}
}
