package infer

// A linkEnd is a link as seen from one of its ends.
type linkEnd struct{ link, other int32 }

// A linkGraph lists the links of each variable, in ascending order of the link.
type linkGraph struct {
	start []int32 // the links of i are ends[start[i]:start[i+1]]
	ends  []linkEnd
}

func newLinkGraph(n int, edges []Edge) *linkGraph {
	g := &linkGraph{start: make([]int32, n+1), ends: make([]linkEnd, 2*len(edges))}
	for _, e := range edges {
		g.start[e.I+1]++
		g.start[e.J+1]++
	}
	for i := range n {
		g.start[i+1] += g.start[i]
	}
	at := append([]int32(nil), g.start[:n]...)
	for l, e := range edges {
		g.ends[at[e.I]] = linkEnd{int32(l), e.J}
		g.ends[at[e.J]] = linkEnd{int32(l), e.I}
		at[e.I]++
		at[e.J]++
	}
	return g
}

func (g *linkGraph) numVariables() int { return len(g.start) - 1 }

func (g *linkGraph) linksOf(i int32) []linkEnd { return g.ends[g.start[i]:g.start[i+1]] }

func (g *linkGraph) degree(i int32) int { return int(g.start[i+1] - g.start[i]) }

// connectedComponents numbers the connected components in the order of their lowest
// variables, and returns the number of each variable and how many there are.
// Only links for which within is true count; nil: all.
func (g *linkGraph) connectedComponents(within func(link int32) bool) (of []int32, count int) {
	of = make([]int32, g.numVariables())
	for i := range of {
		of[i] = -1
	}
	var stack []int32
	for i := range of {
		if of[i] >= 0 {
			continue
		}
		of[i] = int32(count)
		for stack = append(stack, int32(i)); len(stack) > 0; {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, h := range g.linksOf(v) {
				if of[h.other] < 0 && (within == nil || within(h.link)) {
					of[h.other] = int32(count)
					stack = append(stack, h.other)
				}
			}
		}
		count++
	}
	return of, count
}

// colourClasses gives the listed variables colours such that no link joins two of the
// same, greedily in the order of the list, and returns the variables by colour.
// There are at most as many colours as the largest degree, plus one.
func (g *linkGraph) colourClasses(vars []int32) (classes [][]int32) {
	colour := make([]int32, g.numVariables())
	for i := range colour {
		colour[i] = -1
	}
	var seen []int32 // seen[c] = i+1: a neighbour of i has colour c
	for _, i := range vars {
		for _, h := range g.linksOf(i) {
			if c := colour[h.other]; c >= 0 {
				seen[c] = i + 1
			}
		}
		c := 0
		for c < len(seen) && seen[c] == i+1 {
			c++
		}
		if c == len(seen) {
			seen, classes = append(seen, 0), append(classes, nil)
		}
		colour[i] = int32(c)
		classes[c] = append(classes[c], i)
	}
	return classes
}
