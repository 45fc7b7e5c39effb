package spectral

import (
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

// NewConstraintMatrix writes the constraints as Q. Links count by their weights,
// beliefs as they are. Labels are groups: +1 within a class, -1 between two, and +1 on the
// diagonal, as in the example of section 4.4. Pairs alone have a diagonal of 0.
func NewConstraintMatrix(f *NodeGraph, s *constraint.Set, closed *constraint.Closure, k int, degree []float64) (*ConstraintMatrix, error) {
	d := &ConstraintMatrix{InvSqrtDegree: make([]float64, len(f.Points))}
	for i, y := range degree {
		d.InvSqrtDegree[i] = 1 / math.Sqrt(y)
	}
	var edges []data.Edge
	put := func(list []constraint.Pair, sign float64) {
		for _, p := range list {
			if i, j := f.NodeOf[p.I], f.NodeOf[p.J]; i >= 0 && j >= 0 && i != j && p.W != 0 {
				edges = append(edges, data.Edge{U: min(i, j), V: max(i, j), W: sign * p.W})
			}
		}
	}
	if s != nil {
		put(s.Beliefs, 1)
	}
	switch {
	case s == nil:
	case closed != nil:
		if err := d.addLayers(f, s, closed, k); err != nil {
			return nil, err
		}
	default:
		put(s.Must, 1)
		put(s.Cannot, -1)
		d.addLabels(f, s)
	}
	slices.SortStableFunc(edges, func(a, b data.Edge) int {
		if a.U != b.U {
			return a.U - b.U
		}
		return a.V - b.V
	})
	var err error
	if d.Pairs, err = data.NewGraph(len(f.Points), edges); err != nil {
		return nil, err
	}
	d.Support = d.FindSupport()
	return d, nil
}

// addLabels makes a group of each class. An entry is the product of the weights of two
// labels, by the largest weight: it is at most the smaller one.
func (d *ConstraintMatrix) addLabels(f *NodeGraph, s *constraint.Set) {
	at, top := map[int]int{}, s.MaxLabelWeight()
	for _, l := range s.Labels {
		i := f.NodeOf[l.I]
		if i < 0 {
			continue
		}
		g, ok := at[l.Class]
		if !ok {
			g = len(d.Groups)
			at[l.Class] = g
			d.Groups = append(d.Groups, Group{})
			for h := range g {
				d.Couplings = append(d.Couplings, Coupling{h, g, -1 / top})
			}
			d.Couplings = append(d.Couplings, Coupling{g, g, 1 / top})
		}
		d.Groups[g].AddNode(i, l.W)
	}
}

// maxLayers bounds the number of layers of a closure. Where links and labels have more
// different weights, what they entail is rounded down to this many of them.
const maxLayers = 16

// addLayers adds what the links and labels entail. An entailed entry weighs as much as the
// weakest statement of the strongest chain that entails it, in units of the largest
// weight: it is the sum over layers, each the closure of all statements of at least some
// weight. Where all weigh the same there is one layer, of entries 1 and -1.
func (d *ConstraintMatrix) addLayers(f *NodeGraph, s *constraint.Set, closed *constraint.Closure, k int) error {
	hard := &constraint.Set{Must: s.Must, Cannot: s.Cannot}
	weights, soft := &constraint.Set{Must: s.Must, Cannot: s.Cannot[:len(s.Cannot):len(s.Cannot)]}, s.SoftSeeds()
	for _, l := range s.Labels {
		if !soft[l.I] {
			hard.Labels = append(hard.Labels, l)
			weights.Cannot = append(weights.Cannot, constraint.Pair{W: l.W})
		}
	}
	levels, before := constraint.Levels(weights, maxLayers), 0.0
	if len(levels) < 2 {
		d.addClosure(f, closed, k)
		return nil
	}
	for _, level := range levels {
		strong := &constraint.Set{}
		for _, p := range hard.Must {
			if p.W >= level {
				strong.Must = append(strong.Must, p)
			}
		}
		for _, p := range hard.Cannot {
			if p.W >= level {
				strong.Cannot = append(strong.Cannot, p)
			}
		}
		for _, l := range hard.Labels {
			if l.W >= level {
				strong.Labels = append(strong.Labels, l)
			}
		}
		closed, err := constraint.Close(len(f.NodeOf), strong)
		if err != nil {
			return err
		}
		var layer ConstraintMatrix
		layer.addClosure(f, closed, k)
		for _, t := range layer.Couplings {
			d.Couplings = append(d.Couplings, Coupling{len(d.Groups) + t.G, len(d.Groups) + t.H, t.W * (level - before) / levels[len(levels)-1]})
		}
		d.Groups = append(d.Groups, layer.Groups...)
		before = level
	}
	return nil
}

// addClosure makes groups of the closure of the constraints. Each must-link
// component is a group, and two groups that must be in different clusters get a
// coupling of -1. For two clusters, two components that must both be separated
// from a third are in the same cluster: then all components that are connected by
// separations are one group with signs, unless they contain an odd cycle.
func (d *ConstraintMatrix) addClosure(f *NodeGraph, c *constraint.Closure, k int) {
	apart := separatedComponents(c)
	var sign []float64
	if k == 2 {
		sign = d.twoColour(c, apart)
	}
	at := map[int]int{} // component to group
	for q := range c.Components() {
		if c.Size(q) == 1 && len(apart[q]) == 0 && c.Class(q) < 0 {
			continue
		}
		g := Group{}
		for _, i := range c.Members(q) {
			if node := f.NodeOf[i]; node >= 0 {
				g.AddNode(node, 1)
			}
		}
		if len(g.Node) > 0 {
			at[q] = len(d.Groups)
			d.Groups = append(d.Groups, g)
		}
	}
	if sign != nil {
		d.mergeBySign(c, apart, sign, at)
		return
	}
	for q := range c.Components() {
		g, ok := at[q]
		if !ok {
			continue
		}
		d.Couplings = append(d.Couplings, Coupling{g, g, 1})
		for _, r := range apart[q] {
			if h, ok := at[int(r)]; ok && g < h {
				d.Couplings = append(d.Couplings, Coupling{g, h, -1})
			}
		}
	}
}

// separatedComponents returns for each component those that must be in other
// clusters, by cannot-links or by classes.
func separatedComponents(c *constraint.Closure) [][]int32 {
	out := make([][]int32, c.Components())
	classed := c.Labelled()
	for q := range out {
		out[q] = c.CannotLinked(q)
		if c.Class(q) < 0 {
			continue
		}
		seen := map[int32]bool{}
		for _, r := range out[q] {
			seen[r] = true
		}
		out[q] = append([]int32(nil), out[q]...)
		for _, r := range classed {
			if int(r) != q && !seen[r] {
				out[q] = append(out[q], r)
			}
		}
	}
	return out
}

// twoColour gives every component a sign, +1 or -1, opposite to the components
// that it must be separated from; nil if there is an odd cycle.
func (d *ConstraintMatrix) twoColour(c *constraint.Closure, apart [][]int32) []float64 {
	sign := make([]float64, c.Components())
	for first := range sign {
		if sign[first] != 0 {
			continue
		}
		sign[first] = 1
		for queue := []int32{int32(first)}; len(queue) > 0; queue = queue[1:] {
			q := queue[0]
			for _, r := range apart[q] {
				if sign[r] == 0 {
					sign[r] = -sign[q]
					queue = append(queue, r)
				} else if sign[r] == sign[q] {
					return nil
				}
			}
		}
	}
	return sign
}

// mergeBySign makes one group of all components that are connected by separations,
// with their signs.
func (d *ConstraintMatrix) mergeBySign(c *constraint.Closure, apart [][]int32, sign []float64, at map[int]int) {
	old := d.Groups
	d.Groups = nil
	done := make([]bool, c.Components())
	for first := range done {
		if done[first] {
			continue
		}
		done[first] = true
		g := Group{}
		for queue := []int32{int32(first)}; len(queue) > 0; queue = queue[1:] {
			q := queue[0]
			if h, ok := at[int(q)]; ok {
				for _, i := range old[h].Node {
					g.AddNode(int(i), sign[q])
				}
			}
			for _, r := range apart[q] {
				if !done[r] {
					done[r] = true
					queue = append(queue, r)
				}
			}
		}
		if len(g.Node) > 0 {
			d.Couplings = append(d.Couplings, Coupling{len(d.Groups), len(d.Groups), 1})
			d.Groups = append(d.Groups, g)
		}
	}
}
