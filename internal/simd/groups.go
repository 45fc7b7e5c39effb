package simd

// leastGrouped is the number of features from which on it pays to bring rows
// into the order of their labels before they are settled.
const leastGrouped = 48

// groups reports whether rows are settled label by label: then a centre and its
// sum are read once for several rows, not for each anew. The sum of a label
// still takes its rows in their order, so the bits are those of settle.
func groups(c *Centres, w, sum []float64) bool {
	return c.level >= AVX512 && c.d >= leastGrouped && w == nil && sum != nil
}

// settleGroups is settle, where groups holds.
func settleGroups[T number](c *Centres, x []T, label []int32, dist, sum []float64, b *Block) {
	check(len(x), c.d, len(sum), c.k*c.d, label, nil)
	b.order, b.count = grow(b.order, len(label)), grow(b.count, c.k)
	clear(b.count)
	for _, h := range label {
		b.count[h]++
	}
	next := int32(0)
	for h, n := range b.count {
		b.count[h], next = next, next+n
	}
	for i, h := range label {
		b.order[b.count[h]] = int32(i)
		b.count[h]++
	}
	for h := c.k - 1; h > 0; h-- { // ends to numbers
		b.count[h] -= b.count[h-1]
	}
	groupRows(x, c.d, b.order, b.count, c.c, dist[:len(label)], sum)
}
