package workspace

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// Limits of a list of rows.
const (
	defaultRows = 100
	maxRows     = 500
)

// Rows lists rows.
func (v *view) Rows(ctx context.Context, q RowQuery) (*RowList, error) {
	if q.Offset < 0 || q.Limit < 0 {
		return nil, Refuse(KindOption, "offset and limit must not be below 0")
	}
	if q.Limit == 0 {
		q.Limit = defaultRows
	}
	f := v.kept.Latest()
	called := v.names.called(f)
	labels, err := v.record.labels()
	if err != nil {
		return nil, err
	}
	points, err := v.chosen(ctx, q, f, called)
	if err != nil {
		return nil, err
	}
	if err := v.sort(points, q, f, called, labels); err != nil {
		return nil, err
	}
	out := &RowList{Total: len(points), Columns: append([]string{}, v.rowColumns()...), Rows: []Row{}}
	from := min(q.Offset, len(points))
	for _, p := range points[from:min(len(points), from+min(q.Limit, maxRows))] {
		out.Rows = append(out.Rows, v.rowOf(p, f, called, labels))
	}
	return out, nil
}

// rowColumns returns the columns of Row.Cells.
func (v *view) rowColumns() []string {
	if names := v.points.contents.Columns(); len(names) > 0 {
		return names
	}
	if v.points.table.HasTexts() {
		return []string{"text"}
	}
	return nil
}

// cells returns what a row holds, in the columns of rowColumns.
func (v *view) cells(row int) []string {
	if cells := v.points.contents.Cells(row); cells != nil {
		return cells
	}
	if text := v.points.contents.Text(row); text != "" {
		return []string{text}
	}
	return []string{}
}

func (v *view) rowOf(p int, f *Fit, called map[string]string, labels []string) Row {
	row := int(v.points.order[p])
	r := Row{Point: p, ID: v.points.table.ID(row), Label: labels[row], Cells: v.cells(row)}
	if f != nil {
		r.Cluster, r.Confidence, r.Violates = f.clusterOf(row, called), f.confidence(row), f.marks[row]&flagViolated != 0
		if h := f.certain.Load().next[row]; h >= 0 {
			r.Next = f.nameOf(int(h), called)
		}
	}
	return r
}

// chosen returns the points that a query asks for.
func (v *view) chosen(ctx context.Context, q RowQuery, f *Fit, called map[string]string) ([]int, error) {
	points := q.Points
	if points == nil {
		points = make([]int, len(v.points.order))
		for i := range points {
			points[i] = i
		}
	} else {
		points = slices.Clone(points)
		for _, p := range points {
			if _, ok := v.points.row(p); !ok {
				return nil, noPoint(p)
			}
		}
	}
	if q.Cluster != "" || q.Unassigned {
		want := unassigned
		if !q.Unassigned {
			if f == nil {
				return nil, Refuse(KindNotFound, "there is no group %q yet", q.Cluster)
			}
			if want = f.find(q.Cluster, called); want < 0 {
				return nil, Refuse(KindNotFound, "there is no group %q", q.Cluster)
			}
		}
		points = slices.DeleteFunc(points, func(p int) bool { return f != nil && int(f.label[v.points.order[p]]) != want })
	}
	if q.Q != "" {
		return v.matching(ctx, points, q.Q)
	}
	return points, nil
}

// matching returns those of points whose rows have the words.
func (v *view) matching(ctx context.Context, points []int, words string) ([]int, error) {
	holds := v.points.contents.Holds(words)
	out := []int{}
	err := blocks.Each(ctx, v.jobs.workers, len(points), func(low, high int) (found []int) {
		for _, p := range points[low:high] {
			if holds(int(v.points.order[p])) {
				found = append(found, p)
			}
		}
		return found
	}, func(_, _ int, found []int) { out = append(out, found...) })
	return out, err
}

// Search returns the points whose rows have the words.
func (v *view) Search(ctx context.Context, words string) (*PointList, error) {
	if strings.TrimSpace(words) == "" {
		return &PointList{Points: []int{}}, nil
	}
	points, err := v.chosen(ctx, RowQuery{Q: words}, nil, nil)
	return &PointList{Points: points}, err
}

// sort puts points into the order that a query asks for.
func (v *view) sort(points []int, q RowQuery, f *Fit, called map[string]string, labels []string) error {
	var compare func(a, b int) int // of rows
	switch {
	case q.Sort == "" || q.Sort == "point":
		return nil
	case q.Sort == "id":
		compare = func(a, b int) int { return natural(v.points.table.ID(a), v.points.table.ID(b)) }
	case q.Sort == "label":
		compare = func(a, b int) int { return cmp.Compare(labels[a], labels[b]) }
	case f != nil && q.Sort == "cluster":
		compare = func(a, b int) int { return natural(f.clusterOf(a, called), f.clusterOf(b, called)) }
	case f != nil && q.Sort == "next":
		next := f.certain.Load().next
		compare = func(a, b int) int { return cmp.Compare(next[a], next[b]) }
	case f != nil && q.Sort == "confidence":
		sure := f.certain.Load().sure
		compare = func(a, b int) int { return cmp.Compare(sure[a], sure[b]) }
	default:
		var err error
		if compare, err = v.byColumn(q.Sort); err != nil {
			return err
		}
	}
	slices.SortStableFunc(points, func(p, q2 int) int {
		c := compare(int(v.points.order[p]), int(v.points.order[q2]))
		if q.Desc {
			c = -c
		}
		return cmp.Or(c, cmp.Compare(v.points.order[p], v.points.order[q2]))
	})
	return nil
}

// byColumn compares rows by a column: by its numbers, cells without one last, or by its
// texts.
func (v *view) byColumn(name string) (func(a, b int) int, error) {
	at := slices.Index(v.rowColumns(), name)
	if at < 0 {
		return nil, Refuse(KindOption, "there is no column %q to sort by", name)
	}
	numbers := v.points.contents.Numbers(name)
	some := slices.ContainsFunc(numbers, func(v float64) bool { return !math.IsNaN(v) })
	if some {
		return func(a, b int) int { return cmp.Compare(numbers[a], numbers[b]) }, nil
	}
	texts := make([]string, v.points.table.Len())
	for i := range texts {
		texts[i] = v.cells(i)[at]
	}
	return func(a, b int) int { return cmp.Compare(texts[a], texts[b]) }, nil
}

// natural compares texts so that numbers in them are in their order: c9 before c10.
func natural(a, b string) int {
	digits := func(s string) int {
		n := 0
		for n < len(s) && s[n] >= '0' && s[n] <= '9' {
			n++
		}
		return n
	}
	for a != "" && b != "" {
		if n, m := digits(a), digits(b); n > 0 && m > 0 {
			x, y := strings.TrimLeft(a[:n], "0"), strings.TrimLeft(b[:m], "0")
			if c := cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)); c != 0 {
				return c
			}
			a, b = a[n:], b[m:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}
