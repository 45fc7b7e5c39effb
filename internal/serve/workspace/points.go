package workspace

import (
	"math/rand/v2"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/contents"
)

// points are the rows of a table as a page numbers them: in a fixed shuffled order, so that the first few are a
// fair sample of all.
type points struct {
	table    *door.Table
	contents *contents.Reader
	order    []int32 // the row of each point
	point    []int32 // the point of each row
}

// newPoints gives rows their numbers: the same for every table of this size.
func newPoints(t *door.Table) *points {
	n := t.Len()
	ps := &points{table: t, contents: t.Contents(), order: make([]int32, n), point: make([]int32, n)}
	for i, row := range rand.New(rand.NewPCG(uint64(n), 7)).Perm(n) {
		ps.order[i], ps.point[row] = int32(row), int32(i)
	}
	return ps
}

// row returns the row of a point; false where there is no such point.
func (ps *points) row(point int) (int, bool) {
	if point < 0 || point >= len(ps.order) {
		return 0, false
	}
	return int(ps.order[point]), true
}

// id returns the id of a point that exists.
func (ps *points) id(point int) string { return ps.table.ID(int(ps.order[point])) }

// pointOf returns the point with an id; -1 where there is none.
func (ps *points) pointOf(id string) int {
	if row, ok := ps.table.Row(id); ok {
		return int(ps.point[row])
	}
	return -1
}

// noPoint says that there is no point of this number.
func noPoint(p int) error { return Refuse(KindNotFound, "there is no point %d", p) }
