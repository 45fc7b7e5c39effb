package simd

// A Block receives the labels of a block of rows, and holds the memory that
// finding them needs. The zero Block is ready; used again, it allocates
// nothing. It serves one goroutine at a time.
type Block struct {
	// Bounds asks for Least, Most and Second.
	Bounds bool
	// Rough leaves rows without a label, -1, whose label would have to be proven
	// otherwise than by integers; Least then bounds all distances, and Most
	// and Second say nothing.
	Rough bool
	// Label[i] is the centre nearest to row i, the lowest on ties.
	Label []int32
	// Second[i], if asked for, is at most the Dist2 of row i to any centre but
	// Label[i]. It is close to the least of them, and may differ in the last
	// digits from level to level. Least[i] and Most[i] are on both sides of the
	// Dist2 of row i to Label[i], and as close to it.
	Least, Most, Second []float64
	// Singled counts the rows of the last call that scores in integers left
	// open. Doubled and Exact count those that float32 scores left open: Doubled
	// were then proven by float64 scores, Exact by Dist2.
	Singled, Doubled, Exact int

	integers    intScratch
	postponed   *Block // for rows in integers that wait for float32
	postponed32 []float32
	postponed64 []float64
	single      scratch[float32]
	double      scratch[float64]
	open        []int32
	dist        []float64 // of one row to all centres
	row         []float64 // one row widened
}

func (b *Block) reset(n int) {
	b.Label = grow(b.Label, n)
	b.Least, b.Most, b.Second = b.Least[:0], b.Most[:0], b.Second[:0]
	if b.Bounds {
		b.Least, b.Most, b.Second = grow(b.Least, n), grow(b.Most, n), grow(b.Second, n)
	}
	b.Singled, b.Doubled, b.Exact = 0, 0, 0
}
