package prepare

import "github.com/inklinghq/inkling/internal/input/columns"

// encodedAt returns the column that feature f comes from, and which of its features it is; nil where features are
// the columns themselves, or words.
func (r *Recipe) encodedAt(f int) (*Encoded, int) {
	if r.Encoding == nil {
		return nil, 0
	}
	for i := range r.Encoding.Columns {
		e := &r.Encoding.Columns[i]
		width := len(e.names())
		if f < width {
			return e, f
		}
		f -= width
	}
	return nil, 0
}

// FeatureColumns returns for each feature the number of the column that it comes from, a word and a value of lists counting as
// one; nil where every feature is a column.
func (r *Recipe) FeatureColumns() (column []int) {
	if r.Encoding == nil {
		return nil
	}
	at := len(r.Encoding.Columns)
	for i := range r.Encoding.Columns {
		e := &r.Encoding.Columns[i]
		for range e.names() {
			if e.List == "" {
				column = append(column, i)
				continue
			}
			column = append(column, at)
			at++
		}
	}
	for ; len(column) < r.Dim; at++ {
		column = append(column, at)
	}
	return column
}

// Original returns a prepared value of feature f in the unit of the data: scaling, weights and logarithms are undone.
func (r *Recipe) Original(f int, y float64) float64 {
	if r.Factor != nil && r.Text == nil {
		y = y*r.Factor[f] + r.Shift[f]
	}
	if e, at := r.encodedAt(f); e != nil && at == 0 && e.Role == columns.Number && e.Log {
		y = e.Unlog(y, e.LogShift)
	}
	return y
}

// OriginalName returns what a feature whose values are in the unit of the data is called.
func (r *Recipe) OriginalName(f int) string {
	e, at := r.encodedAt(f)
	if e == nil || at > 0 || e.Role != columns.Number {
		return r.Name(f)
	}
	if e.Since != nil {
		return e.Name + " (" + e.Unit + " since " + e.Since.Column + ")"
	}
	if e.Unit != "" && e.Unit != ":" {
		return e.Name + " (" + e.Unit + ")"
	}
	return e.Name
}

// CanBe reports whether a column of numbers can have the value y, in the unit of the data, by what was seen: a category has
// levels and no such values, and extremes are not looked at.
func (r *Recipe) CanBe(f int, y float64) bool {
	if rowwise(r.Scale) {
		return false // a value changes its whole row
	}
	e, at := r.encodedAt(f)
	switch {
	case e == nil:
		return true
	case at > 0 || e.Role == columns.Category:
		return false
	case !e.Clip:
		return true
	}
	if e.Log && e.Role == columns.Number {
		y = e.Logarithm(y, e.LogShift)
	}
	return y >= e.Low && y <= e.High
}
