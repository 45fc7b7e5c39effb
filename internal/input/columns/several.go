package columns

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// sampledCells is how many cells of a column are looked at before all are.
const sampledCells = 200

// A division says how each cell of a column holds several numbers: a vector such as [0.12, -0.5, 0.33], or a few numbers such as 120/80. Such
// a column becomes one column for each of them: name.0, name.1, … of a vector, as of the lists of formats that have lists, else name_1 and name_2.
type division struct {
	between  string // what stands between the few numbers; "" in vectors
	brackets bool   // around vectors
	width    int    // numbers in each cell; 0: the column is not divided
}

// names returns the names of the columns that column name becomes.
func (d division) names(name string) []string {
	out := make([]string, d.width)
	for k := range out {
		if out[k] = fmt.Sprintf("%s.%d", name, k); d.between != "" {
			out[k] = fmt.Sprintf("%s_%d", name, k+1)
		}
	}
	return out
}

// read appends the numbers of a cell to into. ok is false where the cell is written in another form; it may have any number of numbers.
func (d division) read(cell string, into []float64) (numbers []float64, ok bool) {
	if d.between == "" {
		v, ok := vectorOf(cell, into)
		return v.numbers, ok && (v.brackets == d.brackets || len(v.numbers) == 0)
	}
	f, ok := fewOf(cell, d.between, into)
	return f.numbers, ok
}

// divide replaces the columns whose cells hold several numbers by one for each of them, and says so. Those that rules name stay as they are.
func divide(ds *dataio.Dataset, rules Rules) (said []hint.Hint, err error) {
	divided := map[int]division{}
	for j, name := range ds.Columns {
		if ds.Cells == nil || rules.name(name) {
			continue
		}
		d, err := divisionOf(ds, j)
		if err != nil {
			return nil, err
		}
		parts := d.names(name)
		if d.width == 0 || slices.ContainsFunc(parts, func(part string) bool { return slices.Contains(ds.Columns, part) }) {
			continue
		}
		list := fmt.Sprintf("%s to %s", parts[0], parts[d.width-1])
		if d.width == 2 {
			list = strings.Join(parts, " and ")
		}
		divided[j] = d
		said = append(said, hint.Sprintf("%d numbers in each cell of %s, so columns %s ({drop=%s} leaves them out)", d.width, name, list, name))
	}
	replace(ds, divided)
	return said, nil
}

// DivideAs divides the columns of ds as they were where features come from.
func DivideAs(ds *dataio.Dataset, features []string) error {
	if ds.X == nil || ds.Cells == nil {
		return nil
	}
	parts := map[string]bool{} // by column, whether it was one of vectors
	for _, f := range features {
		if stem := stemOfPart(f); stem != "" {
			parts[stem] = f[len(stem)] == '.'
		}
	}
	divided := map[int]division{}
	for j, name := range ds.Columns {
		vectors, was := parts[name]
		if !was || slices.Contains(features, name) {
			continue
		}
		d := formOf(ds.Cells[j].Text, vectors)
		if d.width == 0 {
			continue
		}
		if bad := d.misfits(ds, j); len(bad) > 0 && vectors {
			return d.refuse(ds, j, bad[0])
		}
		divided[j] = d
	}
	replace(ds, divided)
	return nil
}

// stemOfPart returns the column whose cells hold several numbers that a name such as name.0 or name_1 can be one of; "" for other names.
func stemOfPart(name string) string {
	if at := strings.LastIndexAny(name, "._"); at > 0 && allDigits(name[at+1:]) {
		return name[:at]
	}
	return ""
}

// name reports whether rules say what column name is for.
func (r *Rules) name(column string) bool {
	_, edited := r.Edits[column]
	return edited || slices.ContainsFunc([][]string{r.Number, r.Category, r.Date, r.Log, r.Profile, r.Named}, func(list []string) bool { return slices.Contains(list, column) })
}

// formOf finds the form of the first cell that has one.
func formOf(texts []string, vectors bool) division {
	for _, cell := range texts {
		if missingToken(cell) {
			continue
		}
		if vectors {
			if v, ok := vectorOf(cell, nil); ok && len(v.numbers) > 1 {
				return division{brackets: v.brackets, width: len(v.numbers)}
			}
			continue
		}
		for _, between := range betweenFew {
			if f, ok := fewOf(cell, between, nil); ok {
				return division{between: between, width: len(f.numbers)}
			}
		}
	}
	return division{}
}

// divisionOf decides whether and how a column is divided.
func divisionOf(ds *dataio.Dataset, j int) (division, error) {
	texts := ds.Cells[j].Text
	sample := make([]string, 0, sampledCells)
	for q := range min(len(texts), sampledCells) {
		if s := texts[q*len(texts)/min(len(texts), sampledCells)]; !missingToken(s) {
			sample = append(sample, s)
		}
	}
	if len(sample) == 0 {
		return division{}, nil
	}
	if d := vectorsOf(sample); d.width > 0 {
		bad := d.misfits(ds, j)
		filled := len(texts) - countMissing(texts)
		switch {
		case len(bad) == 0:
			return d, nil
		case d.brackets && float64(filled-len(bad)) >= mostly*float64(filled) && !wholeSets(texts):
			return d, d.refuse(ds, j, bad[0])
		}
		return division{}, nil
	}
	for _, between := range betweenFew {
		d := division{between: between}
		if d.width = fewNumbersOf(sample, between); d.width > 0 && areFew(texts, between, d.width) && len(d.misfits(ds, j)) == 0 {
			return d, nil
		}
	}
	return division{}, nil
}

func countMissing(texts []string) (n int) {
	for _, s := range texts {
		if missingToken(s) {
			n++
		}
	}
	return n
}

// misfits returns the rows whose cells are neither missing nor have the form and the width of d: plain numbers and other texts.
func (d division) misfits(ds *dataio.Dataset, j int) (rows []int) {
	for i, y := range columnOf(ds, j) {
		if y == y {
			return []int{i}
		}
	}
	cells := ds.Cells[j]
	_ = blocks.Each(context.Background(), 0, len(cells.Text), func(lo, hi int) []int {
		var bad []int
		var buf []float64
		for q := lo; q < hi; q++ {
			if missingToken(cells.Text[q]) {
				continue
			}
			var ok bool
			if buf, ok = d.read(cells.Text[q], buf[:0]); !ok || len(buf) != d.width && (d.between != "" || len(buf) > 0) {
				bad = append(bad, q)
			}
		}
		return bad
	}, func(_, _ int, bad []int) {
		for _, q := range bad {
			rows = append(rows, int(cells.Rows[q]))
		}
	})
	return rows
}

// refuse names the cell of a column of vectors that is none or has another length.
func (d division) refuse(ds *dataio.Dataset, j, row int) error {
	name := ds.Columns[j]
	e := &dataio.Error{File: ds.Name, Msg: fmt.Sprintf("column %q: row %s is not %d numbers, as others are", name, ds.ID(row), d.width), Hint: hint.Sprintf("correct the cell, or leave out the column: {drop=%s}", name)}
	q, odd := slices.BinarySearch(ds.Cells[j].Rows, int32(row))
	if odd {
		numbers, ok := d.read(ds.Cells[j].Text[q], nil)
		if e.Msg = fmt.Sprintf("column %q: %q is not %d numbers, as others are", name, clip(ds.Cells[j].Text[q]), d.width); ok {
			e.Msg = fmt.Sprintf("column %q: the cell has %s, others have %d", name, countNumbers(len(numbers)), d.width)
		}
	}
	if ds.Lines == nil {
		return e
	}
	if e.Line = ds.Lines(row); odd && q < len(ds.Cells[j].At) {
		e.Line, e.Col = e.Line+int(ds.Cells[j].At[q].Line), int(ds.Cells[j].At[q].Col)
	}
	return e
}

func countNumbers(n int) string {
	if n == 1 {
		return "1 number"
	}
	return fmt.Sprintf("%d numbers", n)
}

// replace puts the columns of the numbers in the place of those that are divided. What ds held before is not changed.
func replace(ds *dataio.Dataset, divided map[int]division) {
	if len(divided) == 0 {
		return
	}
	var names []string
	var cells []dataio.Cells
	at := make([]int, len(ds.Columns)) // where each column begins
	odd := false
	for j, name := range ds.Columns {
		at[j] = len(names)
		if d, ok := divided[j]; ok {
			names, cells = append(names, d.names(name)...), append(cells, make([]dataio.Cells, d.width)...)
			if place := slices.Index(ds.Names, name); place >= 0 {
				ds.Names = slices.Replace(slices.Clone(ds.Names), place, place+1, d.names(name)...)
			}
			continue
		}
		names, cells = append(names, name), append(cells, ds.Cells[j])
		odd = odd || len(ds.Cells[j].Rows) > 0
	}
	n, cols := ds.X.Len(), len(names)
	x := &data.Dense{Cols: cols, V: make([]float64, n*cols)}
	_ = blocks.Each(context.Background(), 0, n, func(lo, hi int) struct{} {
		buf := make([]float64, ds.X.Dim())
		var numbers []float64
		for i := lo; i < hi; i++ {
			row, out := ds.X.Row(i, buf), x.V[i*cols:(i+1)*cols]
			for q, y := range row.Val {
				if _, is := divided[row.Feature(q)]; !is {
					out[at[row.Feature(q)]] = y
				}
			}
			for j, d := range divided {
				part := out[at[j]:][:d.width]
				for k := range part {
					part[k] = math.NaN()
				}
				if q, is := slices.BinarySearch(ds.Cells[j].Rows, int32(i)); is {
					if numbers, is = d.read(ds.Cells[j].Text[q], numbers[:0]); is && len(numbers) == d.width {
						copy(part, numbers)
					}
				}
			}
		}
		return struct{}{}
	}, func(int, int, struct{}) {})
	ds.X, ds.Columns, ds.Cells = x, names, nil
	if odd {
		ds.Cells = cells
	}
}
