package metric

import (
	"fmt"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/cluster/data"
)

// ParseDivergence returns the divergence of that name. No centre holds less than
// floor of a feature, so that a point that holds some of it is not infinitely far;
// 0 stands for DefaultFloor. The cosine needs none.
func ParseDivergence(name string, floor float64) (Divergence, error) {
	if floor == 0 {
		floor = DefaultFloor
	}
	if !(floor > 0) || !data.Finite(floor) {
		return nil, fmt.Errorf("the floor must be finite and above 0, got %v", floor)
	}
	switch name {
	case Cosine:
		return cosine{}, nil
	case KL, IDivergence:
		return &bregman{name: name, floor: floor, part: iPart}, nil
	case ItakuraSaito:
		return &bregman{name: name, floor: floor, part: isPart}, nil
	}
	return nil, fmt.Errorf("the divergence must be one of %s, got %q", strings.Join(Divergences(), ", "), name)
}

// PrepareRows returns x as v reads it: x itself if no row changes, else a copy,
// sparse where x is.
func PrepareRows(v Divergence, x data.Rows) data.Rows {
	if v.Name() == IDivergence || v.Name() == ItakuraSaito {
		return x
	}
	buf, out := make([]float64, x.Dim()), make([]float64, x.Dim())
	if s, ok := x.(*data.Sparse); ok {
		t := &data.Sparse{Cols: s.Cols, Start: s.Start, Idx: s.Idx, Val: slices.Clone(s.Val)}
		for i := range s.Len() {
			copy(t.Val[s.Start[i]:], v.Prepare(s.Row(i, nil), out).Val)
		}
		return t
	}
	t := &data.Dense{Cols: x.Dim(), V: make([]float64, 0, x.Len()*x.Dim())}
	for i := range x.Len() {
		t.V = append(t.V, v.Prepare(x.Row(i, buf), out).Val...)
	}
	return t
}
