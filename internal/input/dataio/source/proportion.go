package source

// Rows cost memory even where nothing stands in them. Columns cost it later,
// in what is made of the rows; hashed features are commonly below 2²⁴.
const (
	FreeRows    = 1 << 20
	FreeColumns = 1 << 24
)

// OutOfProportion reports a size that the entries read do not justify: a forged
// or mistaken number that would cost memory. A size up to free costs little.
func OutOfProportion(size, free, entries int) bool { return size > free && size/64 > entries }

// Implausible reports whether a size is large and out of proportion to the entries.
func Implausible(size, entries int) bool { return OutOfProportion(size, 1<<22, entries) }
