package lloyd

import "github.com/inklinghq/inkling/cluster/data"

// StoredRows are dense rows that are not in memory as a whole: files on several
// machines, for example.
type StoredRows interface {
	data.Rows
	// Load returns rows lo to hi as a *data.Dense or a *data.Dense32. Where they cannot
	// be read, Load returns zeros, and the next Assign an error.
	Load(lo, hi int) data.Rows
}

// LoadBlock returns rows lo to hi of x in memory: x itself and lo, or, for StoredRows,
// rows of their own and 0.
func LoadBlock(x data.Rows, lo, hi int) (data.Rows, int) {
	if s, ok := x.(StoredRows); ok {
		return s.Load(lo, hi), 0
	}
	return x, lo
}
