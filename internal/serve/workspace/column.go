package workspace

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"github.com/inklinghq/inkling/internal/input/columns"
)

// facetLevels is how many values of a category are told apart; the others are rare.
const facetLevels = 30

// Facet describes a column by which rows can be filtered, coloured and told apart.
type Facet struct {
	Name    string       `json:"name"`
	Holds   string       `json:"holds"`  // number, date or category
	Levels  []FacetLevel `json:"levels"` // of a category, the most frequent first; Column has their places in this list
	Missing int          `json:"missing"`
	Rare    int          `json:"rare"` // rows with other levels than these
}

// FacetLevel is a value of a category.
type FacetLevel struct {
	Name string `json:"name"`
	Rows int    `json:"rows"`
}

// Facet describes a column.
func (v *view) Facet(name string) (*Facet, error) {
	f, _, err := v.facet(name)
	return f, err
}

// Column returns the numbers of a column by point, or the places of its values among the levels of its facet, as bytes: uint32 n, uint32 0,
// float32 values[n], NaN where a cell has none. Dates are days since 1970.
func (v *view) Column(name string) ([]byte, error) {
	_, values, err := v.facet(name)
	if err != nil {
		return nil, err
	}
	out := make([]byte, 8, 8+4*len(v.points.order))
	binary.LittleEndian.PutUint32(out, uint32(len(v.points.order)))
	for _, row := range v.points.order {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(values[row]))
	}
	return out, nil
}

// facet returns a column with its values by row.
func (v *view) facet(name string) (*Facet, []float32, error) {
	f := &Facet{Name: name, Holds: "number", Levels: []FacetLevel{}}
	held := v.points.table.ColumnValues(name)
	if held == nil {
		numbers := v.points.contents.Numbers(name)
		if numbers == nil || v.points.table.Plan() != nil { // only the columns of an array have no roles
			return nil, nil, Refuse(KindNotFound, "there is no column of numbers, dates or categories %q", name)
		}
		held = &columns.Values{Numbers: numbers}
	}
	out := make([]float32, v.points.table.Len())
	if held.Numbers != nil {
		if held.Dates {
			f.Holds = "date"
		}
		for i, y := range held.Numbers {
			if out[i] = float32(y); y != y {
				f.Missing++
			}
		}
		return f, out, nil
	}
	f.Holds = "category"
	count := map[string]int{}
	for _, s := range held.Texts {
		if s != "" {
			count[s]++
		}
	}
	for s, n := range count {
		f.Levels = append(f.Levels, FacetLevel{s, n})
	}
	slices.SortFunc(f.Levels, func(a, b FacetLevel) int { return cmp.Or(cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.Name, b.Name)) })
	f.Levels = f.Levels[:min(len(f.Levels), facetLevels)]
	at := map[string]int{}
	for i, l := range f.Levels {
		at[l.Name] = i
	}
	for i, s := range held.Texts {
		level, ok := at[s]
		switch {
		case s == "":
			f.Missing++
		case !ok:
			f.Rare++
		default:
			out[i] = float32(level)
			continue
		}
		out[i] = float32(math.NaN())
	}
	return f, out, nil
}
