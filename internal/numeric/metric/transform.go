package metric

import (
	"context"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

// Transform writes L'v to dst, of length d, where A_h = L L': the squared
// Euclidean distance of two transformed points is (x−y)'A_h(x−y). dst is not that of v.
func (m *Learned) Transform(h int, v data.Vec, dst []float64) {
	dst = dst[:m.d]
	switch m.form.Shape {
	case None:
		v.Write(dst)
	case Diagonal:
		if v.Idx != nil {
			clear(dst)
		}
		root := m.root[m.Index(h)*m.d:]
		for p, y := range v.Val {
			f := v.Feature(p)
			dst[f] = root[f] * y
		}
	default:
		clear(dst)
		lower := m.lower[m.Index(h)*m.d*m.d:][:m.d*m.d]
		if v.Idx == nil {
			simd.Combine(dst, v.Val, lower, m.d)
		} else {
			simd.Gather(dst, v.Idx, v.Val, lower)
		}
	}
}

// TransformRows returns all rows of x transformed for cluster h: x itself under
// None, sparse rows under Diagonal if x is sparse, else new dense rows. A search
// for the nearest of transformed centres among them is one under A_h.
func (m *Learned) TransformRows(ctx context.Context, workers, h int, x data.Rows) (data.Rows, error) {
	if m.form.Shape == None {
		return x, nil
	}
	n := x.Len()
	if s, ok := x.(*data.Sparse); ok && m.form.Shape == Diagonal {
		root := m.root[m.Index(h)*m.d:]
		out := &data.Sparse{Cols: s.Cols, Start: s.Start, Idx: s.Idx, Val: make([]float64, len(s.Val))}
		err := blocks.Tasks(ctx, workers, (n+blocks.Len-1)/blocks.Len, func(b int) {
			for p := s.Start[b*blocks.Len]; p < s.Start[min(n, (b+1)*blocks.Len)]; p++ {
				out.Val[p] = root[s.Idx[p]] * s.Val[p]
			}
		})
		return out, err
	}
	out := &data.Dense{Cols: m.d, V: make([]float64, n*m.d)}
	err := blocks.Tasks(ctx, workers, (n+blocks.Len-1)/blocks.Len, func(b int) {
		buf := make([]float64, m.d)
		for i := b * blocks.Len; i < min(n, (b+1)*blocks.Len); i++ {
			m.Transform(h, x.Row(i, buf), out.V[i*m.d:(i+1)*m.d])
		}
	})
	return out, err
}
