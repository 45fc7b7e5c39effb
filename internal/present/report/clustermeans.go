package report

import (
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
)

// typicalShown is how many typical rows, and how many borderline rows, a card shows.
const typicalShown = 3

// means are the means of the clusters and of all rows, with the spread of each
// feature.
type means struct {
	of     [][]float64
	norm   []float64
	all    []float64
	size   []float64 // rows of each cluster
	rows   float64   // in all
	spread []float64
	binary []bool // the feature holds zeros and ones alone
}

func newMeans(x data.Rows, labels []int, k int) *means {
	d := x.Dim()
	m := &means{of: make([][]float64, k), norm: make([]float64, k), all: make([]float64, d), spread: make([]float64, d),
		binary: slices.Repeat([]bool{true}, d)}
	size, buf := make([]float64, k), make([]float64, d)
	m.size, m.rows = size, float64(len(labels))
	for h := range m.of {
		m.of[h] = make([]float64, d)
	}
	for i, h := range labels {
		v := x.Row(i, buf)
		data.Add(m.of[h], v, 1)
		size[h]++
	}
	n := float64(len(labels))
	for h, sum := range m.of {
		data.Add(m.all, data.Vec{Val: sum}, 1/n)
		for f := range sum {
			sum[f] /= max(1, size[h])
		}
		m.norm[h] = data.Norm2(sum)
	}
	m.measure(x)
	return m
}

// measure finds the spread of each feature around the mean of all rows: by
// differences, as squares would leave nothing of a small spread around a large
// mean. A cell that is not stored is a zero.
func (m *means) measure(x data.Rows) {
	n, buf := x.Len(), make([]float64, x.Dim())
	stored := make([]int, x.Dim())
	for i := range n {
		v := x.Row(i, buf)
		for q, y := range v.Val {
			f := v.Feature(q)
			m.spread[f] += (y - m.all[f]) * (y - m.all[f])
			stored[f]++
			m.binary[f] = m.binary[f] && (y == 0 || y == 1)
		}
	}
	for f, at := range m.all {
		m.spread[f] = math.Sqrt((m.spread[f] + float64(n-stored[f])*at*at) / float64(n))
	}
}

// nearest returns the rows of cluster h that are nearest to its mean.
func (m *means) nearest(x data.Rows, labels []int, h int) (rows []int) {
	var dist []float64 // of rows, ascending
	buf := make([]float64, x.Dim())
	for i, l := range labels {
		if l != h {
			continue
		}
		d := data.Dist2(x.Row(i, buf), m.of[h], m.norm[h])
		at, _ := slices.BinarySearchFunc(dist, d, func(e, t float64) int {
			if e <= t { // equal ones stay in the order of their rows
				return -1
			}
			return 1
		})
		if at < typicalShown {
			dist, rows = slices.Insert(dist, at, d), slices.Insert(rows, at, i)
			dist, rows = dist[:min(len(dist), typicalShown)], rows[:min(len(rows), typicalShown)]
		}
	}
	return rows
}

// second returns the cluster other than own whose mean is nearest to row i.
func (m *means) second(x data.Rows, i, own int) int {
	v, best, least := x.Row(i, make([]float64, x.Dim())), own, math.Inf(1)
	for h := range m.of {
		if d := data.Dist2(v, m.of[h], m.norm[h]); h != own && d < least {
			best, least = h, d
		}
	}
	return best
}
