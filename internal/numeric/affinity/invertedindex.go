package affinity

import (
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
)

// An invertedIndex holds sparse rows by rows and by features: the rows that hold
// feature f are featureRows[featureStart[f]:featureStart[f+1]], ascending, with
// their values beside them.
type invertedIndex struct {
	rowStart      []int
	rowFeatures   []int32
	rowValues     []float64
	featureStart  []int
	featureRows   []int32
	featureValues []float64
}

// invert makes the lists of the features of n rows of d features.
func (p *invertedIndex) invert(n, d int) {
	p.featureStart = make([]int, d+1)
	for _, f := range p.rowFeatures[p.rowStart[0]:p.rowStart[n]] {
		p.featureStart[f+1]++
	}
	for f := range d {
		p.featureStart[f+1] += p.featureStart[f]
	}
	p.featureRows, p.featureValues = make([]int32, p.featureStart[d]), make([]float64, p.featureStart[d])
	next := slices.Clone(p.featureStart[:d])
	for i := range n {
		idx, val := p.sparseRow(i)
		for q, f := range idx {
			p.featureRows[next[f]], p.featureValues[next[f]] = int32(i), val[q]
			next[f]++
		}
	}
}

func (p *invertedIndex) copyRows(x data.Rows) {
	buf := make([]float64, x.Dim())
	for i := range x.Len() {
		v := x.Row(i, buf)
		for q, y := range v.Val {
			switch {
			case v.Idx != nil:
				p.rowFeatures, p.rowValues = append(p.rowFeatures, v.Idx[q]), append(p.rowValues, y)
			case y != 0:
				p.rowFeatures, p.rowValues = append(p.rowFeatures, int32(q)), append(p.rowValues, y)
			}
		}
		p.rowStart[i+1] = len(p.rowValues)
	}
}

func (p *invertedIndex) sparseRow(i int) (idx []int32, val []float64) {
	lo, hi := p.rowStart[i], p.rowStart[i+1]
	return p.rowFeatures[lo:hi:hi], p.rowValues[lo:hi:hi]
}

// rowProducts writes the products of row i of from with rows lo to hi of p to out,
// each added up in the order of the features.
func (p *invertedIndex) rowProducts(from *invertedIndex, i, lo, hi int, out []float64) {
	clear(out)
	idx, val := from.sparseRow(i)
	for q, f := range idx {
		y, a, b := val[q], p.featureStart[f], p.featureStart[f+1]
		rows, held := p.featureRows[a:b], p.featureValues[a:b]
		if lo > 0 {
			at, _ := slices.BinarySearch(rows, int32(lo))
			rows, held = rows[at:], held[at:]
		}
		held = held[:len(rows)]
		for s, j := range rows {
			if int(j) >= hi {
				break
			}
			out[int(j)-lo] += float64(y * held[s])
		}
	}
}

// rowProduct returns the product of rows i and j of p, with the bits of products.
func (p *invertedIndex) rowProduct(i, j int) (s float64) {
	a, x := p.sparseRow(i)
	b, y := p.sparseRow(j)
	for q, r := 0, 0; q < len(a) && r < len(b); {
		switch {
		case a[q] < b[r]:
			q++
		case a[q] > b[r]:
			r++
		default:
			s += float64(x[q] * y[r])
			q++
			r++
		}
	}
	return s
}
