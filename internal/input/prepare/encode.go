package prepare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/columns"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/support/format"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// A series is one column as it was read: numbers or texts, by row.
type series struct {
	e       *Encoded
	n       int
	width   int         // its features
	table   *data.Dense // has the numbers in its column at, where they are taken as they stand
	at      int
	rows    []int     // of the table, that are kept; nil: all
	numbers []float64 // elsewhere; NaN is missing
	texts   []string  // "" is missing
	missing int       // cells without a value that can be used
	bad     int       // of them, cells that are there but cannot be read
	unseen  map[string]int

	keepMissing bool    // missing numbers stay NaN in the rows
	mean, sd    float64 // of the numbers that are there, without extremes
}

// readSeries reads feature j of ds. A number that has no logarithm counts as missing.
func readSeries(ds *dataio.Dataset, j int, e *Encoded) *series {
	s := &series{e: e, n: ds.X.Len()}
	if e.Role == columns.Category {
		s.texts = e.Texts(ds, j)
		for _, t := range s.texts {
			if t == "" {
				s.missing++
			}
		}
		return s
	}
	if x, dense := ds.X.(*data.Dense); dense && !e.Log && e.AsTheyStand(ds, j) {
		s.table, s.at = x, j
		return s
	}
	var bad []int
	s.numbers, bad = e.Numbers(ds, j)
	s.bad = len(bad)
	return s
}

// number returns the number of row i.
func (s *series) number(i int) float64 {
	if s.table == nil {
		return s.numbers[i]
	}
	if s.rows != nil {
		i = s.rows[i]
	}
	return s.table.V[i*s.table.Cols+s.at]
}

// transform takes logarithms, puts dates after their origin, and counts what is
// missing.
func (s *series) transform() {
	if s.e.Role == columns.Category {
		return
	}
	for i, y := range s.numbers {
		switch {
		case s.e.Role == columns.Date:
			y -= s.e.Origin
		case s.e.Log && y == y:
			if y = s.e.Logarithm(y, s.e.LogShift); y != y {
				s.bad++
			}
		}
		if s.numbers[i] = y; y != y {
			s.missing++
		}
	}
}

// isMissing reports whether row i has no value.
func (s *series) isMissing(i int) bool {
	if s.texts != nil {
		return s.texts[i] == ""
	}
	y := s.number(i)
	return y != y
}

// pick keeps some rows.
func (s *series) pick(rows []int) {
	s.n = len(rows)
	switch {
	case s.texts != nil:
		s.texts = picked(s.texts, rows)
	case s.table != nil:
		s.rows = rows
	default:
		s.numbers = picked(s.numbers, rows)
	}
}

func picked[T any](all []T, rows []int) []T {
	out := make([]T, len(rows))
	for at, i := range rows {
		out[at] = all[i]
	}
	return out
}

// fill writes the features of the column into the rows from lo to hi of x from column first on.
func (s *series) fill(x *data.Dense, first, lo, hi int) {
	if s.e.Role == columns.Category {
		s.fillLevels(x, first, lo, hi)
		return
	}
	parts := s.e.parts()
	for i := lo; i < hi; i++ {
		row, y := x.V[i*x.Cols+first:][:s.width], s.number(i)
		if s.e.Clip && y == y {
			y = min(max(y, s.e.Low), s.e.High)
		}
		if y != y {
			row[0] = s.e.Fill
			if s.keepMissing {
				row[0] = math.NaN()
			}
			if s.e.Indicator {
				row[s.width-1] = 1
			}
			continue
		}
		row[0] = y
		for p, part := range parts {
			angle := 2 * math.Pi * part.phase(y+s.e.Origin)
			row[1+2*p], row[2+2*p] = math.Sin(angle), math.Cos(angle)
		}
	}
}

// fillLevels writes the indicators of a category. A level that is neither known nor
// pooled has none.
func (s *series) fillLevels(x *data.Dense, first, lo, hi int) {
	at := make(map[string]int, len(s.e.Levels))
	for l, level := range s.e.Levels {
		at[level] = l
	}
	other, none := -1, -1
	last := len(s.e.Levels)
	if s.e.Other {
		other = last
		last++
	}
	if s.e.NoValue {
		none = last
	}
	for i := lo; i < hi; i++ {
		t := s.texts[i]
		if s.e.List != "" && t != "" {
			s.fillMembers(x.V[i*x.Cols+first:], at, other, t)
			continue
		}
		l, known := at[t]
		switch {
		case t == "" && s.e.Shares != nil:
			copy(x.V[i*x.Cols+first:][:len(s.e.Shares)], s.e.Shares)
			continue
		case t == "":
			l = none
		case !known:
			l = other
			if s.unseen != nil {
				s.unseen[t]++
			}
		}
		if l >= 0 {
			x.V[i*x.Cols+first+l] = 1
		}
	}
}

// fillMembers writes the indicators of what a cell lists.
func (s *series) fillMembers(row []float64, at map[string]int, other int, cell string) {
	for _, part := range s.e.Members(cell) {
		l, known := at[part]
		if !known {
			l = other
			if s.unseen != nil {
				s.unseen[part]++
			}
		}
		if l >= 0 {
			row[l] = 1
		}
	}
}

// encode makes the rows of all series.
func encode(list []*series, n, d int) *data.Dense {
	x := &data.Dense{Cols: d, V: make([]float64, n*d)}
	fill(list, x)
	return x
}

// rowsAtOnce is how many rows of a table are looked at, all their columns one after the other, while they are near the processor.
const rowsAtOnce = 256

// fill writes the features of all series into rows of zeros.
func fill(list []*series, x *data.Dense) {
	first := 0
	for _, s := range list {
		s.width = len(s.e.names())
		if s.table == nil {
			s.fill(x, first, 0, s.n)
		}
		first += s.width
	}
	eachRows(list, func(lo, hi int) {
		first := 0
		for _, s := range list {
			if s.table != nil {
				s.fill(x, first, lo, hi)
			}
			first += s.width
		}
	})
}

// countMissing counts the missing numbers of series that are taken as they stand.
func countMissing(list []*series) {
	eachRows(list, func(lo, hi int) {
		for _, s := range list {
			for i := lo; i < hi && s.table != nil; i++ {
				if s.isMissing(i) {
					s.missing++
				}
			}
		}
	})
}

func eachRows(list []*series, do func(lo, hi int)) {
	if len(list) == 0 {
		return
	}
	for lo, n := 0, list[0].n; lo < n; lo += rowsAtOnce {
		do(lo, min(lo+rowsAtOnce, n))
	}
}

// complete returns the rows in which every series has a value, nil if all have.
func complete(list []*series, n int) []int {
	var keep []int
	for i := range n {
		if !slices.ContainsFunc(list, func(s *series) bool { return s.isMissing(i) }) {
			keep = append(keep, i)
		}
	}
	if len(keep) == n {
		return nil
	}
	return keep
}

// applyTable prepares the rows of a table as the fitted ones were.
func (r *Recipe) applyTable(ds *dataio.Dataset, absent []string) (*Prepared, error) {
	if ds.X == nil || ds.Columns == nil {
		return nil, fault(ds, "the model was made from a table with named columns, these are documents or an array", "give the columns the model was fitted on")
	}
	p := &pass{r: r, ds: ds, absent: absent}
	p.noteAbsent()
	var list []*series
	var lacking []string
	for i := range r.Encoding.Columns {
		e := &r.Encoding.Columns[i]
		j := slices.Index(ds.Columns, e.Name)
		if j < 0 {
			lacking = append(lacking, e.Name)
			continue
		}
		s := readSeries(ds, j, e)
		s.unseen = map[string]int{}
		s.transform()
		s.keepMissing = rowwise(r.Scale)
		list = append(list, s)
	}
	if err := p.wrongColumns(lacking, nil); err != nil {
		return nil, err
	}
	if r.Encoding.Text != nil && ds.Beside == nil {
		return nil, fault(ds, "the model was fitted with documents beside the columns", "name their column with {text}")
	}
	countMissing(list)
	rows, err := p.missingRows(list, ds.X.Len())
	if err != nil {
		return nil, err
	}
	x := encode(list, list[0].n, r.Dim-r.Encoding.words())
	p.noteUnseen(list)
	p.present = list
	done := &Prepared{X: x, Rows: rows}
	if err := p.scaleTable(done); err != nil {
		return nil, err
	}
	p.noteMissing()
	if r.Encoding.Text != nil {
		done.X = p.joinText(x, p.besideRows(rows))
	}
	done.Notes = p.notes
	return done, nil
}

func (c *Encoding) words() int {
	if c.Text == nil {
		return 0
	}
	return len(c.Text.Vocabulary)
}

// noteUnseen says which levels were not in the fitted rows.
func (p *pass) noteUnseen(list []*series) {
	for _, s := range list {
		count := 0
		for _, k := range s.unseen {
			count += k
		}
		if count == 0 {
			continue
		}
		var levels []string
		for level := range s.unseen {
			levels = append(levels, level)
		}
		slices.SortFunc(levels, func(a, b string) int {
			if s.unseen[a] != s.unseen[b] {
				return s.unseen[b] - s.unseen[a]
			}
			return strings.Compare(a, b)
		})
		p.addNote("%s: %s with values that were rare or absent in the fitted rows, counted as other: %s", s.e.Name, counted(count, "cell"), quoteNames(levels))
	}
}

// missingRows deals with missing cells, and returns the rows that are left; nil: all.
func (p *pass) missingRows(list []*series, n int) ([]int, error) {
	var words []string
	for _, s := range list {
		if s.missing == 0 || slices.Contains(p.absent, s.e.Name) {
			continue
		}
		if p.r.Missing == Refuse {
			return nil, p.refuseMissing(s)
		}
		words = append(words, fmt.Sprintf("%s %d", s.e.Name, s.missing))
	}
	if len(words) == 0 {
		return nil, nil
	}
	const most = 6
	if left := len(words) - most; left > 0 {
		words = append(words[:most], fmt.Sprintf("and %s", format.Count(left, "more column")))
	}
	cells := strings.Join(words, ", ")
	if p.r.Missing == Drop {
		rows := complete(list, n)
		if len(rows) == 0 {
			return nil, fault(p.ds, "every row has a missing cell, so none is left", "use {missing=auto}, or leave out the emptiest columns ({drop})")
		}
		for _, s := range list {
			s.pick(rows)
		}
		p.addNote("%d of %d rows dropped because they have missing cells: %s", n-len(rows), n, cells)
		return rows, nil
	}
	p.missing = cells
	return nil, nil
}

// noteMissing says what became of missing cells, once rows are scaled; in one line with how.
func (p *pass) noteMissing() {
	if p.missing == "" {
		return
	}
	note := hint.Sprintf("missing cells: %s; they count as average ({missing=drop} leaves out their rows)", p.missing)
	switch {
	case rowwise(p.r.Scale):
		note = hint.Sprintf("missing cells: %s; they count as the mean of their row", p.missing)
	case p.r.Encoding.Likely != nil:
		note = hint.Sprintf("missing cells: %s; filled in from similar rows ({missing=mean} takes the average, {missing=drop} leaves out their rows)", p.missing)
	}
	if last := len(p.notes) - 1; p.settled {
		p.notes[last] += "; " + note
		return
	}
	p.notes = append(p.notes, note)
}

// refuseMissing names the first missing cell of a column.
func (p *pass) refuseMissing(s *series) error {
	for i := range s.n {
		if s.isMissing(i) {
			e := &dataio.Error{File: p.ds.Name, Msg: fmt.Sprintf("row %s, column %q is missing or cannot be read", p.ds.ID(i), s.e.Name), Hint: "use {missing=auto}, {missing=drop} or {missing=mean}"}
			if p.ds.Lines != nil {
				e.Line = p.ds.Lines(i)
			}
			return e
		}
	}
	return nil
}

// notNumbers refuses a table with cells that are not numbers for a model of numbers.
func (r *Recipe) notNumbers(ds *dataio.Dataset) error {
	for j, cells := range ds.Cells {
		if len(cells.Rows) == 0 {
			continue
		}
		e := &dataio.Error{File: ds.Name, Msg: fmt.Sprintf("row %s, column %q: %q is not a number, and the model was fitted on numbers", ds.ID(int(cells.Rows[0])), ds.Columns[j], cells.Text[0]),
			Hint: "correct the cell, or leave out the column ({drop})"}
		if ds.Lines != nil {
			e.Line = ds.Lines(int(cells.Rows[0]))
		}
		return e
	}
	return fault(ds, "there are cells that are not numbers", "")
}
