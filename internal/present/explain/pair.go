package explain

import (
	"cmp"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

// A Difference is one column of two rows, in the units of the data.
type Difference struct {
	Name  string  `json:"name"`
	A     float64 `json:"a"`
	B     float64 `json:"b"`
	Share float64 `json:"share"` // of the squared distance of the two rows, or of their similarity
}

// A Pair explains why two rows are together or apart.
type Pair struct {
	A           string   `json:"a"`
	B           string   `json:"b"`
	ClusterA    string   `json:"cluster_a"`
	ClusterB    string   `json:"cluster_b"`
	Together    bool     `json:"together"`
	ConfidenceA float64  `json:"confidence_a"`
	ConfidenceB float64  `json:"confidence_b"`
	Chain       []string `json:"chain"`  // rows and classes that must be together, from A to B; empty where there is no such chain
	Cannot      bool     `json:"cannot"` // a cannot-link of the two was given
	// Distance is that between the prepared rows under the metric of the model.
	Distance float64      `json:"distance"`
	Features []Difference `json:"features"` // those with the largest share first
	Note     string       `json:"note,omitempty"`
}

// Pair explains rows i and j.
func (c *Case) Pair(i, j int) *Pair {
	confidence := c.confidences(i, j)
	p := &Pair{A: c.ID(i), B: c.ID(j), ClusterA: c.name(c.Labels[i]), ClusterB: c.name(c.Labels[j]), Together: c.Labels[i] == c.Labels[j] && c.Labels[i] >= 0,
		ConfidenceA: confidence[0], ConfidenceB: confidence[1], Chain: []string{}, Features: []Difference{}, Note: c.note()}
	if c.Known != nil {
		p.Chain = c.chain(i, j)
		for _, q := range c.Known.Cannot {
			p.Cannot = p.Cannot || q.I == i && q.J == j || q.I == j && q.J == i
		}
	}
	a, b := data.Copy(c.X, i), data.Copy(c.X, j)
	parts := c.contributions(a, b, c.Labels[i])
	whole := sum(parts)
	if p.Distance = math.Sqrt(max(whole, 0)); c.isCosine() {
		p.Distance = 1 - whole/math.Sqrt(max(data.Norm2(a)*data.Norm2(b), math.SmallestNonzeroFloat64))
	}
	for f, y := range parts {
		p.Features = append(p.Features, Difference{c.Recipe.OriginalName(f), c.unscaled(f, a[f]), c.unscaled(f, b[f]), share(y, whole)})
	}
	slices.SortStableFunc(p.Features, func(a, b Difference) int { return cmp.Compare(math.Abs(b.Share), math.Abs(a.Share)) })
	p.Features = p.Features[:min(len(p.Features), featuresShown)]
	return p
}

// confidences returns those of rows in their clusters, 0 for noise.
func (c *Case) confidences(rows ...int) []float64 {
	out := make([]float64, len(rows))
	var at, placed, labels []int
	for q, i := range rows {
		if h := c.Labels[i]; h >= 0 {
			at, placed, labels = append(at, q), append(placed, i), append(labels, h)
		}
	}
	if len(placed) == 0 {
		return out
	}
	for q, y := range c.Calibration.Predict(c.Model, data.Subset(c.X, placed), labels, c.Workers).Confidence {
		out[at[q]] = y
	}
	return out
}

// chain returns the shortest chain of must-links, and of labels of one class, from row i
// to row j: ids of rows, and "label NAME" between rows of one class.
func (c *Case) chain(i, j int) []string {
	// Nodes below n are rows, the others classes.
	n := c.X.Len()
	next := map[int][]int{}
	join := func(a, b int) { next[a], next[b] = append(next[a], b), append(next[b], a) }
	for _, q := range c.Known.Must {
		join(q.I, q.J)
	}
	soft := c.Known.SoftSeeds()
	for _, l := range c.Known.Labels {
		if !soft[l.I] {
			join(l.I, n+l.Class)
		}
	}
	from, queue := map[int]int{i: i}, []int{i}
	for len(queue) > 0 {
		a := queue[0]
		queue = queue[1:]
		if a == j {
			return c.chainNames(from, i, j, n)
		}
		for _, b := range next[a] {
			if _, seen := from[b]; !seen {
				from[b] = a
				queue = append(queue, b)
			}
		}
	}
	return []string{}
}

func (c *Case) chainNames(from map[int]int, i, j, n int) (names []string) {
	for a := j; ; a = from[a] {
		if a < n {
			names = append(names, c.ID(a))
		} else {
			names = append(names, "label "+className(c.Known, a-n))
		}
		if a == i {
			slices.Reverse(names)
			return names
		}
	}
}

func className(s *constraint.Set, class int) string { return s.Name(class) }
