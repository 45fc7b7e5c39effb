package constraint

// A unionFind is disjoint sets of points: entry i is the parent of point i, or
// minus the size of the set where i is its root.
type unionFind []int32

func newUnionFind(n int) unionFind {
	f := make(unionFind, n)
	for i := range f {
		f[i] = -1
	}
	return f
}

// find returns the root of i and halves the path on the way.
func (f unionFind) find(i int32) int32 {
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

// union joins the sets of i and j, the smaller under the larger, and reports
// whether they were different.
func (f unionFind) union(i, j int32) bool {
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
