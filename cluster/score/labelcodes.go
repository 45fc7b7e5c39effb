package score

import (
	"cmp"
	"runtime"
	"slices"
	"sync"
)

// A labelRange is the labels low, low+1, …, width of them. Width is math.MaxInt
// where the true one does not fit.
type labelRange struct {
	low, width int
}

// rangeOf returns the smallest range that holds the labels; it is empty without
// labels.
func rangeOf(labels []int) labelRange {
	if len(labels) == 0 {
		return labelRange{}
	}
	low, high := labels[0], labels[0]
	var mu sync.Mutex
	workers := max(1, min(runtime.GOMAXPROCS(0), len(labels)/minStretch))
	forEachStretch(len(labels), workers, func(from, to int) {
		l, h := labels[from], labels[from]
		for _, v := range labels[from:to] {
			l, h = min(l, v), max(h, v)
		}
		mu.Lock()
		defer mu.Unlock()
		low, high = min(low, l), max(high, h)
	})
	const most = int(^uint(0) >> 1)
	if w := uint(high) - uint(low); w < uint(most) {
		return labelRange{low, int(w) + 1}
	}
	return labelRange{low, most}
}

// values returns the labels of the range as a group without sizes.
func (s labelRange) values() group {
	v := make([]int, s.width)
	for i := range v {
		v[i] = s.low + i
	}
	return group{values: v}
}

// A coded labelling has its labels replaced by 0, 1, … in ascending order; group
// holds the labels themselves. There are at most as many codes as points, and
// more than 2³¹ distinct labels would not fit in memory beside their points.
type coded struct {
	codes []int32
	group group
}

// encode codes labels: by a look-up array where their range is not much wider
// than their number, by hashing otherwise.
func encode(labels []int, s labelRange) coded {
	if s.width <= 2*len(labels)+1024 {
		return encodeNarrow(labels, s)
	}
	codes, values := intern(labels)
	return coded{codes, group{values: values}}
}

func encodeNarrow(labels []int, s labelRange) coded {
	code := make([]int32, s.width)
	for _, v := range labels {
		code[v-s.low] = 1
	}
	var g group
	for i, seen := range code {
		if seen != 0 {
			code[i] = int32(len(g.values))
			g.values = append(g.values, s.low+i)
		}
	}
	codes := make([]int32, len(labels))
	for i, v := range labels {
		codes[i] = code[v-s.low]
	}
	return coded{codes, g}
}

// intern numbers distinct labels by a hash table.
func intern(labels []int) (codes []int32, values []int) {
	seen := make(map[int]int32)
	codes = make([]int32, len(labels))
	for i, v := range labels {
		c, ok := seen[v]
		if !ok {
			c = int32(len(values))
			seen[v] = c
			values = append(values, v)
		}
		codes[i] = c
	}
	return codes, rank(codes, values)
}

// rank renumbers codes, given in order of first appearance, by the ascending
// order of the values they stand for, and returns the values in that order.
func rank(codes []int32, values []int) []int {
	order := make([]int32, len(values))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int { return cmp.Compare(values[i], values[j]) })
	sorted := make([]int, len(values))
	place := make([]int32, len(values))
	for p, i := range order {
		sorted[p], place[i] = values[i], int32(p)
	}
	for i, c := range codes {
		codes[i] = place[c]
	}
	return sorted
}

// histogram counts how often each of the codes 0 to k−1 occurs.
func histogram(codes []int32, k int) []int {
	h := make([]int, k)
	for _, c := range codes {
		h[c]++
	}
	return h
}

// starts returns where each part begins when parts of these sizes follow each
// other.
func starts(sizes []int) []int {
	s := make([]int, len(sizes))
	sum := 0
	for i, n := range sizes {
		s[i] = sum
		sum += n
	}
	return s
}
