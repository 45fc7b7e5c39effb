package scan

import (
	"sort"
)

// A LineMap remembers on which line each item stood. Items mostly stand on
// consecutive lines, so only the jumps are kept.
type LineMap struct {
	item, line []int
}

// AddLine says that item, one more than the last, stands on line.
func (m *LineMap) AddLine(item, line int) {
	if k := len(m.item) - 1; k >= 0 && line-item == m.line[k]-m.item[k] {
		return
	}
	m.item = append(m.item, item)
	m.line = append(m.line, line)
}

// LineOf returns the line of item, 0 if it was not added.
func (m *LineMap) LineOf(item int) int {
	k := sort.SearchInts(m.item, item+1) - 1
	if k < 0 {
		return 0
	}
	return m.line[k] + item - m.item[k]
}
