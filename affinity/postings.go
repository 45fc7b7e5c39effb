package affinity

import (
	"context"
	"fmt"
	"slices"

	"github.com/inklinghq/inkling/data"
)

// postings are sparse rows, by rows and by features: the rows that hold feature
// f are rows[lists[f]:lists[f+1]], rising, with their values beside them.
type postings struct {
	start []int
	idx   []int32
	val   []float64
	lists []int
	rows  []int32
	held  []float64
}

// fillSparse copies the rows of x and turns them around.
func (t *table) fillSparse(ctx context.Context, x data.Rows) error {
	p := &postings{start: make([]int, t.n+1)}
	t.postings = p
	if s, ok := x.(*data.Sparse); ok { // read-only, so it need not be copied
		p.start, p.idx, p.val = s.Start, s.Idx, s.Val
	} else {
		p.copyRows(x)
	}
	for i := range t.n {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		idx, val := p.sparse(i)
		t.norm[i] = length2(val)
		if t.norm[i]-t.norm[i] != 0 {
			if err := (data.Vec{Idx: idx, Val: val}).CheckFinite(i); err != nil {
				return fmt.Errorf("%w", err)
			}
		}
	}
	p.turn(t.n, t.d)
	return nil
}

// turn makes the lists of n rows of d features.
func (p *postings) turn(n, d int) {
	p.lists = make([]int, d+1)
	for _, f := range p.idx[p.start[0]:p.start[n]] {
		p.lists[f+1]++
	}
	for f := range d {
		p.lists[f+1] += p.lists[f]
	}
	p.rows, p.held = make([]int32, p.lists[d]), make([]float64, p.lists[d])
	next := slices.Clone(p.lists[:d])
	for i := range n {
		idx, val := p.sparse(i)
		for q, f := range idx {
			p.rows[next[f]], p.held[next[f]] = int32(i), val[q]
			next[f]++
		}
	}
}

func (p *postings) copyRows(x data.Rows) {
	buf := make([]float64, x.Dim())
	for i := range x.Len() {
		v := x.Row(i, buf)
		for q, y := range v.Val {
			switch {
			case v.Idx != nil:
				p.idx, p.val = append(p.idx, v.Idx[q]), append(p.val, y)
			case y != 0:
				p.idx, p.val = append(p.idx, int32(q)), append(p.val, y)
			}
		}
		p.start[i+1] = len(p.val)
	}
}

func (p *postings) sparse(i int) (idx []int32, val []float64) {
	lo, hi := p.start[i], p.start[i+1]
	return p.idx[lo:hi:hi], p.val[lo:hi:hi]
}

// products writes the products of row i of from with rows lo to hi of p to out,
// each added up in the order of the features.
func (p *postings) products(from *postings, i, lo, hi int, out []float64) {
	clear(out)
	idx, val := from.sparse(i)
	for q, f := range idx {
		y, a, b := val[q], p.lists[f], p.lists[f+1]
		rows, held := p.rows[a:b], p.held[a:b]
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

// product returns the product of rows i and j of p, with the bits of products.
func (p *postings) product(i, j int) (s float64) {
	a, x := p.sparse(i)
	b, y := p.sparse(j)
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

// gap returns the squared distance of row i of p and row j of o by the differences
// of their features, for rows whose squared lengths leave nothing of it.
func gap(p *postings, i int, o *postings, j int) (s float64) {
	a, x := p.sparse(i)
	b, y := o.sparse(j)
	for q, r := 0, 0; q < len(a) || r < len(b); {
		var e float64
		switch {
		case r == len(b) || q < len(a) && a[q] < b[r]:
			e = x[q]
			q++
		case q == len(a) || b[r] < a[q]:
			e = y[r]
			r++
		default:
			e = x[q] - y[r]
			q++
			r++
		}
		s += float64(e * e)
	}
	return s
}
