package choose

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
)

// Of pairs that were drawn at random, the share of must-links is how probable it is that two rows belong together, which
// follows from the sizes of the clusters: Σ (n_h/n)². Numbers of clusters by which far more or far fewer pairs would be together
// are refuted by it, whatever the separation of the clusters. Pairs that a person has picked say nothing of the kind.
const (
	fewestForShare = 50   // links
	sharesApart    = 1    // a number that is taken may be so much less likely than the likeliest, in squared standard errors
	sharesNear     = 4    // and one that is about as good so much
	shareRefuted   = 9    // where the likeliest is so far from the share, the clusters say nothing about it
	drawnPairs     = 1000 // random pairs of rows, for the distances of rows in random pairs
	likeRandom     = 1.63 // times 1/√n: the largest difference of two distributions that one case of a hundred exceeds by chance
)

// togetherShare returns how probable it is that two random rows are in one cluster.
func togetherShare(labels []int) (share float64) {
	size := map[int]int{}
	for _, h := range labels {
		size[h]++
	}
	n := float64(len(labels))
	for _, h := range slices.Sorted(maps.Values(size)) {
		share += float64(h) / n * (float64(h) / n)
	}
	return share
}

// byShare returns those of the numbers by whose clusters the share of must-links is about as likely as by the likeliest: of which
// one is taken, and which are still about as good. All where the links are few, are beliefs, look picked or fit none. share is
// that of rows in one cluster, by number.
func (c *comparison) byShare(numbers []int, share map[int]float64, x data.Rows) (likely, near []int) {
	s := c.sample.Constraints
	total := len(s.Must) + len(s.Cannot)
	if total < fewestForShare || len(s.Labels)+len(s.Beliefs) > 0 || !c.drawnAtRandom(x) {
		return numbers, numbers
	}
	given, least := float64(len(s.Must))/float64(total), math.Inf(1)
	far := func(k int) float64 {
		p := max(1/float64(total), min(1-1/float64(total), share[k]))
		return (given - p) * (given - p) * float64(total) / (p * (1 - p))
	}
	for _, k := range numbers {
		least = min(least, far(k))
	}
	if least > shareRefuted {
		return numbers, numbers
	}
	within := func(bound float64) []int {
		return slices.DeleteFunc(slices.Clone(numbers), func(k int) bool { return far(k) > least+bound })
	}
	return within(sharesApart), within(sharesNear)
}

// drawnAtRandom reports whether the rows of the links are as far apart as those of random pairs: by the largest difference of
// the two distributions of distances (Kolmogorov and Smirnov). People pick rows that are alike, or seem to be.
func (c *comparison) drawnAtRandom(x data.Rows) bool {
	if x == nil {
		return false
	}
	a, b := make([]float64, x.Dim()), make([]float64, x.Dim())
	distance := func(i, j int) float64 {
		x.Row(i, a).Write(a)
		return data.Dist2(x.Row(j, b), a, data.Norm2(a))
	}
	var given, drawn []float64
	for _, p := range slices.Concat(c.sample.Constraints.Must, c.sample.Constraints.Cannot) {
		given = append(given, distance(p.I, p.J))
	}
	rng := rand.New(rand.NewPCG(c.o.Seed, 0x9a17))
	for range drawnPairs {
		i, j := rng.IntN(x.Len()), rng.IntN(x.Len()-1)
		if j >= i {
			j++
		}
		drawn = append(drawn, distance(i, j))
	}
	n, m := float64(len(given)), float64(len(drawn))
	return largestDifference(given, drawn) <= likeRandom*math.Sqrt(1/n+1/m)
}

// largestDifference returns the largest difference of the distributions of two samples.
func largestDifference(a, b []float64) (most float64) {
	slices.Sort(a)
	slices.Sort(b)
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		at := min(a[i], b[j])
		for i < len(a) && a[i] == at {
			i++
		}
		for j < len(b) && b[j] == at {
			j++
		}
		most = max(most, math.Abs(float64(i)/float64(len(a))-float64(j)/float64(len(b))))
	}
	return most
}
