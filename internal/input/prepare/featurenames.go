package prepare

import (
	"strconv"
)

// Name returns what feature f is called: its word, its column, or its number.
func (r *Recipe) Name(f int) string {
	switch {
	case f >= 0 && r.Text != nil && f < len(r.Text.Vocabulary):
		return r.Text.Vocabulary[f]
	case f >= 0 && f < len(r.Columns):
		return r.Columns[f]
	}
	return strconv.Itoa(f)
}
