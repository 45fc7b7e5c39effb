package kernel

// A keyTotals adds up numbers by key, for few keys out of many: a small hash
// table that stays in the cache, and is reset in time proportional to the keys in
// it. The keys are listed in the order in which they came.
type keyTotals struct {
	keys      []int32
	slots     []int32 // by hash: 1 + the place in keys, 0 for free
	sums      []float64
	usedSlots []int32 // the slots in use, as in keys
}

func newKeyTotals() *keyTotals { return &keyTotals{slots: make([]int32, 64)} }

// findKey returns the place of key in keys, or −1 and the free slot for it.
func (t *keyTotals) findKey(key int32) (place, slot int) {
	mask := uint32(len(t.slots) - 1)
	for h := uint32(key) * 2654435769 >> 7 & mask; ; h = (h + 1) & mask {
		switch p := t.slots[h]; {
		case p == 0:
			return -1, int(h)
		case t.keys[p-1] == key:
			return int(p - 1), int(h)
		}
	}
}

// addTo adds x to the total of key.
func (t *keyTotals) addTo(key int32, x float64) {
	place, slot := t.findKey(key)
	if place >= 0 {
		t.sums[place] += x
		return
	}
	t.keys, t.sums, t.usedSlots = append(t.keys, key), append(t.sums, x), append(t.usedSlots, int32(slot))
	t.slots[slot] = int32(len(t.keys))
	if 2*len(t.keys) > len(t.slots) {
		t.growTable()
	}
}

// totalOf returns the total of key, 0 if nothing was added.
func (t *keyTotals) totalOf(key int32) float64 {
	if place, _ := t.findKey(key); place >= 0 {
		return t.sums[place]
	}
	return 0
}

func (t *keyTotals) growTable() {
	t.slots = make([]int32, 4*len(t.slots))
	for p, key := range t.keys {
		_, slot := t.findKey(key)
		t.slots[slot], t.usedSlots[p] = int32(p+1), int32(slot)
	}
}

// reset removes all keys.
func (t *keyTotals) reset() {
	for _, slot := range t.usedSlots {
		t.slots[slot] = 0
	}
	t.keys, t.sums, t.usedSlots = t.keys[:0], t.sums[:0], t.usedSlots[:0]
}
