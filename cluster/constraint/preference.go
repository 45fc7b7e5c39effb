package constraint

import "math"

// Preference returns by how many standard errors the constraints speak for the clusters
// a of all points rather than for b; below 0 they speak for b, and at 0 for neither.
//
// A pair counts where one of the two clusterings satisfies it and the other does not, by
// its weight, as in a sign test: of g pairs that only a satisfies and l that only b does,
// the preference is (g − l) / √(g + l). A labelled point counts by how many of the
// others of its class are with it, and how many of other classes are not, each as a share:
// that is one statement, however many pairs follow from it.
func (s *Set) Preference(a, b []int) float64 {
	if s.Empty() {
		return 0
	}
	sum, squares := 0.0, 0.0
	add := func(d float64) {
		sum += d
		squares += d * d
	}
	for _, p := range s.Must {
		add(p.W * (together(a, p) - together(b, p)))
	}
	for _, p := range s.Cannot {
		add(p.W * (together(b, p) - together(a, p)))
	}
	for _, p := range s.Beliefs {
		add(p.W * (together(a, p) - together(b, p)))
	}
	if len(s.Labels) > 1 {
		inA, inB := s.countLabels(a), s.countLabels(b)
		for _, l := range s.Labels {
			add(l.W * (inA.agreement(l, a) - inB.agreement(l, b)))
		}
	}
	if squares == 0 {
		return 0
	}
	return sum / math.Sqrt(squares)
}

// together returns 1 if the points of p are in the same cluster, else 0.
func together(of []int, p Pair) float64 {
	if of[p.I] == of[p.J] {
		return 1
	}
	return 0
}

// labelCounts are the weights of labels by class, by cluster, and by both.
type labelCounts struct {
	class, cluster map[int]float64
	both           map[[2]int]float64
	all            float64
}

func (s *Set) countLabels(of []int) *labelCounts {
	c := &labelCounts{class: map[int]float64{}, cluster: map[int]float64{}, both: map[[2]int]float64{}}
	for _, l := range s.Labels {
		c.class[l.Class] += l.W
		c.cluster[of[l.I]] += l.W
		c.both[[2]int{l.Class, of[l.I]}] += l.W
		c.all += l.W
	}
	return c
}

// agreement returns the mean of two shares, of those that there are: of the other labels
// of the class of l, how much is in its cluster, and of the labels of other classes, how
// much is not.
func (c *labelCounts) agreement(l Label, of []int) float64 {
	with := c.both[[2]int{l.Class, of[l.I]}]
	sum, parts := 0.0, 0.0
	if others := c.class[l.Class] - l.W; others > 0 {
		sum, parts = sum+(with-l.W)/others, parts+1
	}
	if others := c.all - c.class[l.Class]; others > 0 {
		sum, parts = sum+1-(c.cluster[of[l.I]]-with)/others, parts+1
	}
	return sum / max(1, parts)
}
