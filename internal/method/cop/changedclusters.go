package cop

// changedClusters records which clusters have changed recently. A chunklet whose own
// cluster has not changed can only gain by a move to one of these.
type changedClusters struct {
	current, next     []int32 // clusters changed since the previous pass began; since this one began
	inCurrent, inNext []bool
	dirty             []bool // by cluster: changed since the centres were last moved to their means
}

func (t *changedClusters) markChanged(h int32) {
	t.dirty[h] = true
	if !t.inNext[h] {
		t.inNext[h] = true
		t.next = append(t.next, h)
	}
	if !t.inCurrent[h] {
		t.inCurrent[h] = true
		t.current = append(t.current, h)
	}
}

// beginPass begins a pass: current becomes what changed since the previous one began.
func (t *changedClusters) beginPass() {
	for _, h := range t.current {
		t.inCurrent[h] = false
	}
	t.current, t.next = t.next, t.current[:0]
	t.inCurrent, t.inNext = t.inNext, t.inCurrent
}

func (t *changedClusters) forgetChanges() {
	t.current, t.next = t.current[:0], t.next[:0]
	clear(t.inCurrent)
	clear(t.inNext)
	clear(t.dirty)
}
