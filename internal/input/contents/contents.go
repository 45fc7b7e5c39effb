// Package contents shows rows as people read them: the cells of a table as they stand in
// its file, texts, the neighbours of a node, the colour of a pixel. A Pair is two of them
// side by side, with the differences marked.
package contents

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/columns"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

// A Pair is what two rows hold. Of a table there are fields, of documents texts, of a
// graph or a matrix of similarities neighbours, of an image the places and colours
// of pixels.
type Pair struct {
	Fields     []Field           `json:"fields,omitempty"`
	Texts      *Both[string]     `json:"texts,omitempty"`
	Neighbours *Both[Neighbours] `json:"neighbours,omitempty"`
	Joined     *float64          `json:"joined,omitempty"`  // the weight of the edge between two nodes, or their similarity
	Colours    *Both[[3]uint8]   `json:"colours,omitempty"` // red, green, blue
}

// Both is one thing of each of two rows.
type Both[T any] struct {
	A T `json:"a"`
	B T `json:"b"`
}

// A Field is one column of both rows.
type Field struct {
	Column string `json:"column"`
	A      string `json:"a"`
	B      string `json:"b"`
	// Differs says that the cells are not the same text, or are numbers more than a
	// standard deviation of the column apart.
	Differs bool    `json:"differs"`
	apart   float64 // in standard deviations; infinite for texts that differ
}

// Neighbours are the nodes that a node is joined to, or the rows that a row is most
// similar to: at most MaxNeighbours of them are listed.
type Neighbours struct {
	Count  int         `json:"count"`  // of all
	Common int         `json:"common"` // those that the other one has too
	List   []Neighbour `json:"list"`   // common ones first, then by weight
}

// A Neighbour is a node that is joined to one of the pair, or a row that is similar to it.
type Neighbour struct {
	ID     string  `json:"id"`
	Weight float64 `json:"weight"`
	Common bool    `json:"common"` // a neighbour of both
}

// MaxFields is how many fields a pair has at most: those in which the rows differ most.
const MaxFields = 100

// MaxNeighbours is how many neighbours of a node are listed.
const MaxNeighbours = 12

// A Reader reads pairs of rows of a data set.
type Reader struct {
	ds     *dataio.Dataset
	column []int     // features that are shown
	spread []float64 // of each feature: the standard deviation of its numbers
}

// NewReader prepares ds, whose columns have the roles of plan; nil: none. Columns in which
// all rows are alike, and those of ids and labels, are not shown.
func NewReader(ds *dataio.Dataset, plan *columns.Plan) *Reader {
	r := &Reader{ds: ds}
	if ds.X == nil || ds.Pictures != nil { // measures of a picture say nothing to people
		return r
	}
	hidden := map[string]bool{}
	for _, c := range plan.Lines() {
		switch c.Role {
		case columns.Constant, columns.Empty, columns.ID, columns.Label:
			hidden[c.Name] = true
		}
	}
	for j := range ds.X.Dim() {
		if ds.Columns == nil || !hidden[ds.Columns[j]] {
			r.column = append(r.column, j)
		}
	}
	r.spread = spreads(ds.X)
	return r
}

// spreads returns the standard deviation of each feature, without cells that are not numbers.
func spreads(x data.Rows) []float64 {
	d := x.Dim()
	sum, square, missing := make([]float64, d), make([]float64, d), make([]float64, d)
	buf := make([]float64, d)
	for i := range x.Len() {
		row := x.Row(i, buf)
		for q, y := range row.Val {
			f := row.Feature(q)
			if math.IsNaN(y) {
				missing[f]++
				continue
			}
			sum[f] += y
			square[f] += y * y
		}
	}
	for f := range sum {
		n := float64(x.Len()) - missing[f]
		if n == 0 {
			square[f] = 0
			continue
		}
		mean := sum[f] / n
		square[f] = math.Sqrt(max(0, square[f]/n-mean*mean))
	}
	return square
}

// Pair returns rows a and b side by side.
func (r *Reader) Pair(a, b int) Pair {
	var p Pair
	switch {
	case r.ds.Width > 0:
		p.Fields = r.position(a, b)
		p.Colours = &Both[[3]uint8]{r.colour(a), r.colour(b)}
		return p
	case r.ds.Graph != nil, r.ds.Kernel != nil:
		x, y := r.neighbours(a), r.neighbours(b)
		markCommon(x, y)
		p.Neighbours, p.Joined = &Both[Neighbours]{listed(x), listed(y)}, r.joined(a, b)
		return p
	case r.ds.Docs != nil:
		p.Texts = &Both[string]{r.ds.Docs[a], r.ds.Docs[b]}
		return p
	case r.ds.Beside != nil:
		p.Texts = &Both[string]{r.ds.Beside[a], r.ds.Beside[b]}
	}
	p.Fields = append(p.Fields, r.fields(a, b)...)
	return p
}

// fields returns the cells of both rows, in the order of the columns; of more than
// MaxFields those that differ most.
func (r *Reader) fields(a, b int) []Field {
	if r.ds.X == nil {
		return nil
	}
	x, y := r.values(a), r.values(b)
	_, sparse := r.ds.X.(*data.Sparse)
	out := make([]Field, 0, len(r.column))
	for _, j := range r.column {
		if sparse && x[j] == 0 && y[j] == 0 {
			continue
		}
		f := Field{Column: r.name(j), A: r.cell(a, j, x[j]), B: r.cell(b, j, y[j])}
		switch {
		case math.IsNaN(x[j]) || math.IsNaN(y[j]):
			if f.A != f.B {
				f.apart = math.Inf(1)
			}
		case r.spread[j] > 0:
			f.apart = math.Abs(x[j]-y[j]) / r.spread[j]
		}
		f.Differs = f.apart > 1
		out = append(out, f)
	}
	return MostDifferent(out, MaxFields)
}

// MostDifferent returns at most n of the fields, those that differ most, in their order.
func MostDifferent(fields []Field, n int) []Field {
	if len(fields) <= n {
		return fields
	}
	order := make([]int, len(fields))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(fields[j].apart, fields[i].apart) })
	order = order[:n]
	slices.Sort(order)
	out := make([]Field, n)
	for i, at := range order {
		out[i] = fields[at]
	}
	return out
}

// values returns the numbers of a row, NaN where a cell is not a number.
func (r *Reader) values(row int) []float64 {
	buf := make([]float64, r.ds.X.Dim())
	full := make([]float64, r.ds.X.Dim())
	v := r.ds.X.Row(row, buf)
	for q, y := range v.Val {
		full[v.Feature(q)] = y
	}
	return full
}

func (r *Reader) name(j int) string {
	if r.ds.Columns != nil {
		return r.ds.Columns[j]
	}
	return "column " + strconv.Itoa(j)
}

// cell returns the text of a cell; "" is a missing one.
func (r *Reader) cell(row, j int, y float64) string {
	if !math.IsNaN(y) {
		if _, single := r.ds.X.(*data.Dense32); single {
			return strconv.FormatFloat(y, 'g', -1, 32)
		}
		return strconv.FormatFloat(y, 'g', -1, 64)
	}
	if r.ds.Cells == nil {
		return ""
	}
	c := r.ds.Cells[j]
	if at, ok := slices.BinarySearch(c.Rows, int32(row)); ok {
		return c.Text[at]
	}
	return ""
}

// position returns where two pixels are.
func (r *Reader) position(a, b int) []Field {
	f := func(what string, x, y int) Field {
		return Field{Column: what, A: strconv.Itoa(x), B: strconv.Itoa(y)}
	}
	w := r.ds.Width
	return []Field{f("from the left", a%w, b%w), f("from the top", a/w, b/w)}
}

func (r *Reader) colour(row int) (c [3]uint8) {
	for i, y := range r.values(row)[:min(3, r.ds.X.Dim())] {
		c[i] = uint8(max(0, min(255, math.Round(y))))
	}
	return c
}

// neighbours returns the nodes that are joined to one, or the rows that are most similar
// to it, those of the greatest weight first.
func (r *Reader) neighbours(i int) (out []Neighbour) {
	if g := r.ds.Graph; g != nil {
		to, w := g.Neighbours(i)
		for q, j := range to {
			if int(j) != i {
				out = append(out, Neighbour{ID: r.ds.ID(int(j)), Weight: w[q]})
			}
		}
	} else {
		for j, y := range r.similarities(i) {
			if j != i && y > 0 {
				out = append(out, Neighbour{ID: r.ds.ID(j), Weight: y})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Neighbour) int { return cmp.Compare(b.Weight, a.Weight) })
	if r.ds.Graph == nil { // every row is a neighbour to some degree
		out = out[:min(len(out), MaxNeighbours)]
	}
	return out
}

// similarities returns a row of the matrix of similarities.
func (r *Reader) similarities(i int) []float64 {
	k := r.ds.Kernel
	return k.V[i*k.Cols : (i+1)*k.Cols]
}

// joined returns the weight of the edge between two nodes or the similarity of two rows;
// nil where there is no edge.
func (r *Reader) joined(a, b int) *float64 {
	if r.ds.Graph == nil {
		y := r.similarities(a)[b]
		return &y
	}
	to, w := r.ds.Graph.Neighbours(a)
	if at := slices.Index(to, int32(b)); at >= 0 {
		y := w[at]
		return &y
	}
	return nil
}

// markCommon marks the neighbours that both lists have.
func markCommon(a, b []Neighbour) {
	in := map[string]int{} // where in a
	for i := range a {
		in[a[i].ID] = i
	}
	for i := range b {
		if at, ok := in[b[i].ID]; ok {
			a[at].Common, b[i].Common = true, true
		}
	}
}

// listed counts neighbours and lists some of them, the common ones first.
func listed(all []Neighbour) Neighbours {
	out := Neighbours{Count: len(all), List: []Neighbour{}}
	for _, n := range all {
		if n.Common {
			out.Common++
			out.List = append(out.List, n)
		}
	}
	for _, n := range all {
		if !n.Common {
			out.List = append(out.List, n)
		}
	}
	out.List = out.List[:min(len(out.List), MaxNeighbours)]
	return out
}
