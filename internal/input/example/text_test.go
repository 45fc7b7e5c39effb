package example_test

import (
	"math"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/input/prepare"
)

// The topics of the text set can be found from its words: spherical k-means
// from the best of 20 random starts puts most documents with their topic.
func TestTopicsCanBeFound(t *testing.T) {
	s := load(t, "text")
	_, p, err := prepare.Fit(&dataio.Dataset{Docs: s.Docs}, prepare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	truth, names := s.Classes()
	best, right := -1.0, 0
	for seed := range uint64(20) {
		labels, sum := spherical(p.X, s.K, seed)
		if sum > best {
			best, right = sum, agreeing(labels, truth, s.K, len(names))
		}
	}
	t.Logf("%d of %d documents with the majority of their cluster", right, s.Len())
	if right < s.Len()*85/100 {
		t.Errorf("%d of %d documents with the majority of their cluster", right, s.Len())
	}
}

// spherical returns the clusters of rows of length 1 and the sum of their
// cosines to their centres.
func spherical(x data.Rows, k int, seed uint64) ([]int, float64) {
	labels, total := make([]int, x.Len()), 0.0
	start := rng(seed).Perm(x.Len())[:k]
	centres := make([][]float64, k)
	for h, i := range start {
		centres[h] = data.Copy(x, i)
	}
	for range 30 {
		total = 0
		sums := make([][]float64, k)
		for h := range sums {
			sums[h] = make([]float64, x.Dim())
		}
		for i := range x.Len() {
			v, best := x.Row(i, nil), -1.0
			for h, c := range centres {
				if y := data.Dot(v, c); y > best {
					best, labels[i] = y, h
				}
			}
			total += best
			data.Add(sums[labels[i]], v, 1)
		}
		for h, c := range sums {
			if s := math.Sqrt(data.Norm2(c)); s > 0 {
				for f := range c {
					centres[h][f] = c[f] / s
				}
			}
		}
	}
	return labels, total
}

// agreeing counts the rows of the class that is most frequent in their cluster.
func agreeing(labels, truth []int, k, classes int) (n int) {
	table := make([]int, k*classes)
	for i, h := range labels {
		table[h*classes+truth[i]]++
	}
	for h := range k {
		most := 0
		for _, c := range table[h*classes : (h+1)*classes] {
			most = max(most, c)
		}
		n += most
	}
	return n
}
