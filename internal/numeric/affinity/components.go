package affinity

import (
	"github.com/inklinghq/inkling/cluster/data"
)

// Components numbers the connected components of g, by their lowest nodes, and
// returns the number of each node's component and how many there are. Edges of
// weight 0 do not connect.
func Components(g *data.Graph) (label []int32, count int) {
	label = make([]int32, g.Len())
	for i := range label {
		label[i] = -1
	}
	var stack []int32
	for i := range label {
		if label[i] >= 0 {
			continue
		}
		label[i] = int32(count)
		stack = append(stack, int32(i))
		for len(stack) > 0 {
			u := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			to, w := g.Neighbours(int(u))
			for p, v := range to {
				if label[v] < 0 && w[p] != 0 {
					label[v] = int32(count)
					stack = append(stack, v)
				}
			}
		}
		count++
	}
	return label, count
}
