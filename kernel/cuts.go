package kernel

import "github.com/inklinghq/inkling/data"

// Values are what a clustering of a graph costs by each objective, as table 1
// of the paper has them: the association is to be large, the cuts small.
type Values struct {
	RatioAssociation float64 `json:"ratio_association"`
	RatioCut         float64 `json:"ratio_cut"`
	NormalizedCut    float64 `json:"normalized_cut"`
}

// Cuts computes the values of a clustering of g into clusters 0 to k−1. Empty
// clusters and, for the normalized cut, clusters without edges add nothing.
func Cuts(g *data.Graph, labels []int, k int) (v Values) {
	size, degree, links := make([]float64, k), make([]float64, k), make([]float64, k)
	for i, c := range labels {
		size[c]++
		to, w := g.Neighbours(i)
		for q, j := range to {
			degree[c] += w[q]
			if labels[j] == c {
				links[c] += w[q]
			}
		}
	}
	for c := range k {
		v.RatioAssociation += quotient(links[c], size[c])
		v.RatioCut += quotient(degree[c]-links[c], size[c])
		v.NormalizedCut += quotient(degree[c]-links[c], degree[c])
	}
	return v
}
