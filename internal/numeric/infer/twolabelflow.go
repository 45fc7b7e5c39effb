package infer

import "context"

// solveByFlow labels a core with two labels by one maximum flow, if its links
// allow that: if agreeing costs no more than differing, perhaps after some
// variables have swapped their labels. A cannot-link requires that one of its
// ends swaps, a must-link that both or none do; so it works unless a cycle has an
// odd number of cannot-links.
func solveByFlow(ctx context.Context, p *core) (y []int32, ok bool) {
	if p.k != 2 {
		return nil, false
	}
	swapped, ok := p.findSwaps()
	if !ok {
		return nil, false
	}
	// Label 1, after swapping, is the side of the sink. A variable costs pull > 0
	// on that side, −pull on the other.
	pull := make([]float64, p.n)
	for i := range pull {
		pull[i] = p.unary[2*i+1] - p.unary[2*i]
		if swapped[i] {
			pull[i] = -pull[i]
		}
	}
	n := newFlowNetwork(p.n, p.links)
	for l, e := range p.links {
		both := p.labelCosts(int32(l))
		if swapped[e.I] != swapped[e.J] {
			// θ(0,1) and θ(1,0) are the costs of agreeing; ½(c0+c1) is the part
			// that depends on both ends, the rest depends on one end alone.
			d := (both[0] - both[1]) / 2
			if swapped[e.I] {
				d = -d
			}
			pull[e.I] -= d
			pull[e.J] += d
			n.setCapacity(l, (both[0]+both[1])/2)
			continue
		}
		d := (both[1] - both[0]) / 2
		if swapped[e.I] {
			d = -d
		}
		pull[e.I] += d
		pull[e.J] += d
		n.setCapacity(l, -(both[0]+both[1])/2)
	}
	side, err := n.minCut(ctx, pull)
	if err != nil {
		return nil, false
	}
	y = make([]int32, p.n)
	for i := range y {
		if side[i] != swapped[i] {
			y[i] = 1
		}
	}
	return y, true
}

// labelCosts returns what link l costs when both ends have label 0, and label 1.
func (p *core) labelCosts(l int32) [2]float64 {
	return [2]float64{linkCostAt(p.linkCost, p.costWidth, l, 0), linkCostAt(p.linkCost, p.costWidth, l, 1)}
}

// findSwaps finds variables to swap such that all links prefer to agree.
func (p *core) findSwaps() (swapped []bool, ok bool) {
	swapped = make([]bool, p.n)
	seen := make([]bool, p.n)
	for i := range int32(p.n) {
		if seen[i] {
			continue
		}
		seen[i] = true
		for stack := []int32{i}; len(stack) > 0; {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, h := range p.graph.linksOf(v) {
				c := p.labelCosts(h.link)
				if c[0]+c[1] == 0 { // any labels
					continue
				}
				want := swapped[v] != (c[0]+c[1] > 0)
				if !seen[h.other] {
					seen[h.other], swapped[h.other] = true, want
					stack = append(stack, h.other)
				} else if swapped[h.other] != want {
					return nil, false
				}
			}
		}
	}
	return swapped, true
}
