package constraint

import (
	"context"
	"fmt"
)

// Feasible says whether the points can be divided into k clusters, some of
// them perhaps empty, so that every label, must-link and cannot-link holds.
//
// This is graph colouring. It is answered exactly for k below 3, whenever the
// components can be put in an order in which each is cannot-linked to fewer than
// k before it, and otherwise for each hard core of the graph by colouring it, by
// a clique, or where the core is small by branch and bound. The effort is
// bounded; beyond it the answer is Unknown. The same closure gives the same
// answer.
func (c *Closure) Feasible(k int) Verdict {
	_, v := c.Colour(context.Background(), k)
	return v
}

// Colouring returns a cluster below k for each component, so that components
// that are kept apart differ, and false where Feasible does not answer Yes. If
// all classes are below k the component of class h gets cluster h; otherwise
// classes get clusters 0, 1, 2, … in their order.
func (c *Closure) Colouring(k int) ([]int32, bool) {
	colour, v := c.Colour(context.Background(), k)
	return colour, v.Answer == Yes
}

// Colour returns what Feasible and Colouring return, and gives up when ctx ends: the
// answer is then Unknown, unless it was found before.
func (c *Closure) Colour(ctx context.Context, k int) ([]int32, Verdict) {
	switch {
	case c.Components() == 0:
		return []int32{}, Verdict{Answer: Yes, Why: "there are no points"}
	case k < 1:
		return nil, Verdict{Answer: No, Clique: []int{0}, Why: fmt.Sprintf("there are points, and k is %d", k)}
	case len(c.classed) > k:
		why := fmt.Sprintf("labels name %d classes, more than %d", len(c.classed), k)
		return nil, Verdict{Answer: No, Clique: toInts(c.classed[:k+1]), Why: why}
	}
	// No colouring needs more colours than there are components.
	p := newColouring(c, min(k, c.Components()), workBudget)
	p.stop = func() bool { return ctx.Err() != nil }
	var v Verdict
	if k == 2 {
		v = p.twoColours()
	} else {
		v = p.colourAll()
	}
	if v.Answer != Yes {
		return nil, v
	}
	c.nameColours(p.colour, k)
	return p.colour, v
}

// nameColours renames colours, in which the classes have the first ones in
// their order, so that class h has colour h if all classes are below k.
func (c *Closure) nameColours(colour []int32, k int) {
	last := len(c.classed) - 1
	if last < 0 || int(c.class[c.classed[last]]) >= k {
		return
	}
	taken := make(map[int32]bool, len(c.classed))
	var rename []int32
	for _, q := range c.classed {
		rename = append(rename, c.class[q])
		taken[c.class[q]] = true
	}
	free := int32(0)
	for q, old := range colour {
		for int(old) >= len(rename) {
			for taken[free] {
				free++
			}
			rename = append(rename, free)
			free++
		}
		colour[q] = rename[old]
	}
}
