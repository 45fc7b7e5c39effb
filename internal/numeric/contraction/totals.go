package contraction

// Totals adds up numbers by key, for few keys out of many: a small hash table that
// stays in the cache, and is reset in time proportional to the keys in it.
type Totals struct {
	Keys []int32   // in the order in which they came
	Sums []float64 // of the keys

	slots     []int32 // by hash: 1 + the place in Keys, 0 for free
	usedSlots []int32 // the slots in use, as in Keys
}

// NewTotals returns a table without keys.
func NewTotals() *Totals { return &Totals{slots: make([]int32, 64)} }

// findKey returns the place of key in Keys, or −1 and the free slot for it.
func (t *Totals) findKey(key int32) (place, slot int) {
	mask := uint32(len(t.slots) - 1)
	for h := uint32(key) * 2654435769 >> 7 & mask; ; h = (h + 1) & mask {
		switch p := t.slots[h]; {
		case p == 0:
			return -1, int(h)
		case t.Keys[p-1] == key:
			return int(p - 1), int(h)
		}
	}
}

// AddTo adds x to the total of key, and returns the place of key in Keys and Sums.
func (t *Totals) AddTo(key int32, x float64) (place int) {
	place, slot := t.findKey(key)
	if place >= 0 {
		t.Sums[place] += x
		return place
	}
	t.Keys, t.Sums, t.usedSlots = append(t.Keys, key), append(t.Sums, x), append(t.usedSlots, int32(slot))
	t.slots[slot] = int32(len(t.Keys))
	if 2*len(t.Keys) > len(t.slots) {
		t.growTable()
	}
	return len(t.Keys) - 1
}

// TotalOf returns the total of key, 0 if nothing was added.
func (t *Totals) TotalOf(key int32) float64 {
	if place, _ := t.findKey(key); place >= 0 {
		return t.Sums[place]
	}
	return 0
}

func (t *Totals) growTable() {
	t.slots = make([]int32, 4*len(t.slots))
	for p, key := range t.Keys {
		_, slot := t.findKey(key)
		t.slots[slot], t.usedSlots[p] = int32(p+1), int32(slot)
	}
}

// Reset removes all keys.
func (t *Totals) Reset() {
	for _, slot := range t.usedSlots {
		t.slots[slot] = 0
	}
	t.Keys, t.Sums, t.usedSlots = t.Keys[:0], t.Sums[:0], t.usedSlots[:0]
}
