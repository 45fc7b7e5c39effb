package contraction

// A rowIndex finds the entry of a row by its group, for the rows of a block one after
// the other: a small hash table that stays in the cache. A slot holds one more than the
// place of an entry. If that place is before the row the slot is free, so that nothing
// need be reset between rows.
type rowIndex struct{ slots []int32 }

// slotsFor returns at least twice as many slots as a row has different groups.
func (x *rowIndex) slotsFor(groups int) []int32 {
	size := 64
	for size < 2*groups {
		size *= 2
	}
	if len(x.slots) < size {
		x.slots = make([]int32, size)
	}
	return x.slots[:size]
}
