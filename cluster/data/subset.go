package data

// Subset returns the rows of x that index lists, in its order, as a view: unlike
// Pick it copies nothing, and reads x whenever a row is asked for.
func Subset(x Rows, index []int) Rows { return subset{x, index} }

type subset struct {
	Rows
	index []int
}

func (s subset) Len() int                     { return len(s.index) }
func (s subset) Row(i int, buf []float64) Vec { return s.Rows.Row(s.index[i], buf) }
