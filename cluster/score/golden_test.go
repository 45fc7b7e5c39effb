package score

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
)

// golden is testdata/golden.json, made by testdata/golden.py.
type golden struct {
	Tables []struct {
		Name        string
		Truth, Pred []int
		Want        map[string]*float64
	}
	Silhouettes []struct {
		Name   string
		X      [][]float64
		Labels []int
		Mean   float64
		Values []float64
	}
}

func readGolden(t *testing.T) (g golden) {
	t.Helper()
	b, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &g); err != nil {
		t.Fatal(err)
	}
	if len(g.Tables) < 20 || len(g.Silhouettes) < 5 {
		t.Fatalf("golden file holds %d tables and %d silhouettes", len(g.Tables), len(g.Silhouettes))
	}
	return g
}

func TestGoldenTables(t *testing.T) {
	for _, c := range readGolden(t).Tables {
		t.Run(c.Name, func(t *testing.T) {
			table, err := NewTable(c.Truth, c.Pred)
			if err != nil {
				t.Fatal(err)
			}
			got := cardMap(t, table.Card())
			if len(got) != len(c.Want) {
				t.Errorf("card has %d fields, golden %d", len(got), len(c.Want))
			}
			for name, want := range c.Want {
				w := 1.0 // scikit-learn has 0/0 here; of nothing, all is right
				if want != nil {
					w = *want
				}
				if math.Abs(got[name]-w) > 1e-12 {
					t.Errorf("%s = %v, want %v", name, got[name], w)
				}
			}
		})
	}
}

// cardMap returns the card's fields under their JSON names.
func cardMap(t *testing.T, c Card) map[string]float64 {
	t.Helper()
	b, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	m := make(map[string]float64)
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestGoldenSilhouettes(t *testing.T) {
	for _, c := range readGolden(t).Silhouettes {
		for kind, x := range rowsOf(c.X) {
			t.Run(c.Name+" "+kind, func(t *testing.T) {
				got, err := Silhouette(context.Background(), x, c.Labels, SilhouetteOptions{})
				if err != nil {
					t.Fatal(err)
				}
				const tol = 1e-12
				if math.Abs(got.Mean-c.Mean) > tol {
					t.Errorf("mean %v, want %v", got.Mean, c.Mean)
				}
				for i, want := range c.Values {
					if got.Rows[i] != i || math.Abs(got.Values[i]-want) > tol {
						t.Errorf("row %d: %v (row %d), want %v", i, got.Values[i], got.Rows[i], want)
					}
				}
			})
		}
	}
}

// rowsOf returns x as dense and as sparse rows, and as the two mixed.
func rowsOf(x [][]float64) map[string]data.Rows {
	d := len(x[0])
	dense := &data.Dense{Cols: d}
	sparse := &data.Sparse{Cols: d, Start: []int{0}}
	for _, row := range x {
		dense.V = append(dense.V, row...)
		for f, y := range row {
			if y != 0 {
				sparse.Idx, sparse.Val = append(sparse.Idx, int32(f)), append(sparse.Val, y)
			}
		}
		sparse.Start = append(sparse.Start, len(sparse.Idx))
	}
	return map[string]data.Rows{"dense": dense, "sparse": sparse, "mixed": mixed{dense, sparse}}
}

// mixed has dense rows at even places and sparse ones at odd places.
type mixed struct {
	data.Rows
	sparse data.Rows
}

func (m mixed) Row(i int, buf []float64) data.Vec {
	if i%2 == 0 {
		return m.Rows.Row(i, buf)
	}
	return m.sparse.Row(i, buf)
}
