package engine

import (
	"sync"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/judge/active"
)

// questions are about the rows of one table.
type questions struct {
	mu    sync.Mutex
	asker *active.Asker
	known *constraint.Set // given with the data
	row   []int           // of the table, by point
	point map[int]int     // by row
}

// begin gives the asker what was known before the first question.
func (q *questions) begin() {
	if q.known == nil {
		return
	}
	first := map[int]int{} // by class, the first point of it
	var classes []int
	for _, l := range q.known.Labels {
		with, seen := first[l.Class]
		if seen {
			q.asker.Record(l.I, with, active.Same)
			continue
		}
		for _, h := range classes {
			q.asker.Record(l.I, first[h], active.Different)
		}
		first[l.Class], classes = l.I, append(classes, l.Class)
	}
	for _, p := range q.known.Must {
		q.asker.Record(p.I, p.J, active.Same)
	}
	for _, p := range q.known.Cannot {
		q.asker.Record(p.I, p.J, active.Different)
	}
}

func (q *questions) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.asker.Close()
}
