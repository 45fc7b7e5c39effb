package constraint

// A forest is disjoint sets of points: forest[i] is the parent of i, or minus
// the size of the set where i is its root.
type forest []int32

func newForest(n int) forest {
	f := make(forest, n)
	for i := range f {
		f[i] = -1
	}
	return f
}

// find returns the root of i and halves the path on the way.
func (f forest) find(i int32) int32 {
	for f[i] >= 0 {
		p := f[i]
		if f[p] < 0 {
			return p
		}
		f[i] = f[p]
		i = f[p]
	}
	return i
}

// union joins the sets of i and j, the smaller under the larger, and says
// whether they were two.
func (f forest) union(i, j int32) bool {
	i, j = f.find(i), f.find(j)
	if i == j {
		return false
	}
	if f[i] > f[j] {
		i, j = j, i
	}
	f[i] += f[j]
	f[j] = i
	return true
}
