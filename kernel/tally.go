package kernel

// A tally adds up numbers by key, for few keys out of many: a small hash table
// that stays in the cache, and forgets in the time it took to learn. Seen lists
// the keys in the order in which they came.
type tally struct {
	seen []int32
	slot []int32 // by hash: 1 + the place in seen, 0 for free
	sum  []float64
	at   []int32 // the slots in use, as in seen
}

func newTally() *tally { return &tally{slot: make([]int32, 64)} }

// find returns the place of key in seen, or −1 and the free slot for it.
func (t *tally) find(key int32) (place, slot int) {
	mask := uint32(len(t.slot) - 1)
	for h := uint32(key) * 2654435769 >> 7 & mask; ; h = (h + 1) & mask {
		switch p := t.slot[h]; {
		case p == 0:
			return -1, int(h)
		case t.seen[p-1] == key:
			return int(p - 1), int(h)
		}
	}
}

func (t *tally) add(key int32, x float64) {
	place, slot := t.find(key)
	if place >= 0 {
		t.sum[place] += x
		return
	}
	t.seen, t.sum, t.at = append(t.seen, key), append(t.sum, x), append(t.at, int32(slot))
	t.slot[slot] = int32(len(t.seen))
	if 2*len(t.seen) > len(t.slot) {
		t.grow()
	}
}

// get returns the sum of key, 0 where nothing was added.
func (t *tally) get(key int32) float64 {
	if place, _ := t.find(key); place >= 0 {
		return t.sum[place]
	}
	return 0
}

func (t *tally) grow() {
	t.slot = make([]int32, 4*len(t.slot))
	for p, key := range t.seen {
		_, slot := t.find(key)
		t.slot[slot], t.at[p] = int32(p+1), int32(slot)
	}
}

func (t *tally) clear() {
	for _, slot := range t.at {
		t.slot[slot] = 0
	}
	t.seen, t.sum, t.at = t.seen[:0], t.sum[:0], t.at[:0]
}
