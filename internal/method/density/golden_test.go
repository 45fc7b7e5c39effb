package density

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/hierarchy"
)

// Without constraints the clusters and the noise are those of hdbscan 0.8.44 on five tables, with two sizes of
// neighbourhoods each; bench/density/golden.py recorded them. From hdbscan's own tree the clusters are exactly the
// same. From ours, they are exactly those that it finds too; where several edges have the same length, whose order nothing
// decides, perhaps those that it finds where the rows come in another order.
func TestClustersOfHDBSCAN(t *testing.T) {
	for _, name := range []string{"iris", "wine", "wdbc", "blobs", "moons"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "numeric", "hierarchy", "testdata", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var file struct {
			Rows [][]float64
			Fits []struct {
				MinSize    int          `json:"min_cluster_size"`
				MinSamples int          `json:"min_samples"`
				Linkage    [][3]float64 `json:"linkage"`
				Labels     []int        `json:"labels"`
				Others     [][]int      `json:"others"` // with the rows in other orders
			}
		}
		if err := json.Unmarshal(text, &file); err != nil {
			t.Fatal(err)
		}
		x, err := data.FromRows(file.Rows)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range file.Fits {
			what := fmt.Sprintf("%s, min_samples %d", name, f.MinSamples)
			a := New()
			a.MinClusterSize, a.MinPoints = cluster.Fixed(float64(f.MinSize)), cluster.Fixed(float64(f.MinSamples))
			p := &cluster.Problem{X: x}
			r := &run{a: a, p: p, labels: make([]int, x.Len()), spanned: &spanned{tree: newSpanningTree(x.Len(), edgesOf(f.Linkage, x.Len()))}}
			if err := r.condenseTo(f.MinSize); err != nil {
				t.Fatal(err)
			}
			found, err := r.extract(0, false)
			if err != nil {
				t.Fatal(err)
			}
			if wrong := differing(f.Labels, found.labels); wrong > 0 {
				t.Errorf("%s: from hdbscan's tree %d of %d rows differ", what, wrong, len(f.Labels))
			}
			fitted, err := cluster.Fit(context.Background(), p, a, cluster.Default())
			if err != nil {
				t.Fatal(err)
			}
			least := x.Len()
			for _, labels := range append(f.Others, f.Labels) {
				least = min(least, differing(labels, fitted.Labels))
			}
			if least > 0 {
				t.Errorf("%s: at least %d of %d rows differ from each of %d results of hdbscan", what, least, x.Len(), len(f.Others)+1)
			}
		}
	}
}

// edgesOf returns merges as edges between a point of each side.
func edgesOf(linkage [][3]float64, n int) (edges []hierarchy.Edge) {
	point := make([]int32, n) // of each node
	for i := range point {
		point[i] = int32(i)
	}
	for _, m := range linkage {
		a, b := point[int(m[0])], point[int(m[1])]
		edges, point = append(edges, hierarchy.Edge{A: min(a, b), B: max(a, b), Weight: m[2]}), append(point, a)
	}
	return edges
}

// differing counts the rows that are not in the cluster that goes with theirs, or whose cluster goes with another.
func differing(want, got []int) (count int) {
	to, from := map[int]int{-1: -1}, map[int]int{-1: -1}
	for i, h := range want {
		if _, ok := to[h]; !ok {
			to[h] = got[i]
		}
		if _, ok := from[got[i]]; !ok {
			from[got[i]] = h
		}
		if to[h] != got[i] || from[got[i]] != h {
			count++
		}
	}
	return count
}
