package scan

import (
	"testing"
)

func TestLineMap(t *testing.T) {
	var m LineMap
	lines := []int{3, 4, 5, 9, 10, 20}
	for i, line := range lines {
		m.AddLine(i, line)
	}
	for i, line := range lines {
		if got := m.LineOf(i); got != line {
			t.Errorf("item %d on line %d, got %d", i, line, got)
		}
	}
	if len(m.item) != 3 {
		t.Errorf("%d jumps kept of 3", len(m.item))
	}
}
