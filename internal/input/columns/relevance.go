package columns

import (
	"math"
	"slices"

	"github.com/inklinghq/inkling/internal/input/dataio"
)

// A column is relevant where the rows that are nearest in the other relevant columns predict its values:
// with ŷ the mean of a row's neighbours,
//
//	R² = 1 − Σ (y − ŷ)² / Σ (y − ȳ)²
//
// over a sample of the rows, each without itself; of a category y is the vector of indicators of its levels. The values of a column of lists
// predict each other, as bread does butter; R² is that of all together. Values
// that nothing predicts have R² of about −1/k with k neighbours, and are spread around it by about 1/√m with m rows: a column is
// relevant from 3.6/√m above that, on small samples from leastRelevance.
const (
	leastRelevance  = 0.05
	neighbours      = 10
	relevanceRounds = 4
	relevanceRows   = 120 // below these the measure is too uncertain
	relevanceMost   = 300 // columns; more are not looked at
	relevanceWork   = 1 << 23
)

// A candidate is a column in the form that distances are measured in.
type candidate struct {
	at    int // in the list of columns
	width int
	x     []float64 // rows by features, centred; missing is 0
	given bool      // the user named it: it stays
	r2    float64
	there []bool // by row: it has a value
	part  int    // which value of a column of lists it is, the first of which is 0
	// What the neighbours leave, and what there is: r2 is 1 − residual/spread.
	residual, spread float64
}

// dropIrrelevant leaves out the columns that their neighbours in the others cannot predict. It changes nothing
// where fewer than two would be left.
func (in *inference) dropIrrelevant(list []Column) {
	n := in.ds.X.Len()
	var cands []*candidate
	for i := range list {
		if list[i].Used && list[i].At >= 0 {
			cands = append(cands, nil)
		}
	}
	lists := slices.ContainsFunc(list, func(c Column) bool { return c.Used && c.Spec.List != "" })
	if n < relevanceRows || len(cands) < 3 && !lists || len(cands) > relevanceMost {
		return
	}
	block := map[string]int{}
	for _, c := range list {
		if c.Used {
			block[c.listOf()]++
		}
	}
	m := min(n, max(200, int(math.Sqrt(relevanceWork/float64(len(cands))))))
	cands = cands[:0]
	for i := range list {
		if c := &list[i]; c.Used && c.At >= 0 {
			one := in.candidateOf(c, i, m)
			one.given = one.given || block[c.listOf()] >= blockColumns // questions of one list stay together
			cands = append(cands, one.parts(c)...)
		}
	}
	least := min(leastRelevance, -1.0/neighbours+3.6/math.Sqrt(float64(m)))
	kept := slices.Clone(cands)
	own := byThemselves(cands, m)
	for range relevanceRounds {
		predictAll(cands, kept, m)
		pool(cands)
		for c, r2 := range own {
			c.r2 = max(c.r2, r2)
		}
		next := make([]*candidate, 0, len(cands))
		for _, c := range cands {
			if c.given || c.r2 >= least {
				next = append(next, c)
			}
		}
		if len(next) < 2 {
			for _, c := range cands {
				list[c.at].setRelevance(c.r2)
			}
			return
		}
		same := slices.Equal(next, kept)
		if kept = next; same {
			break
		}
	}
	for _, c := range cands {
		column := &list[c.at]
		if c.part > 0 {
			continue
		}
		column.setRelevance(c.r2)
		if !slices.Contains(kept, c) {
			column.leaveOut(in.ds)
		}
	}
	in.usePresence(list, cands, kept, m)
}

// listOf names the list that a column belongs to: columns with one name and a number after it, or with one mark.
func (c *Column) listOf() string {
	if c.mark != "" {
		return "marks " + c.mark
	}
	return stemOf(c.Name)
}

func (c *Column) setRelevance(r2 float64) {
	r2 = math.Round(1000*r2) / 1000
	c.Relevance = &r2
}

// Relevant counts the columns that others predict, and those of which that was measured: none where texts or lists,
// whose words and values predict each other, are clustered on, or rows compared by their shape.
func (p *Plan) Relevant() (relevant, measured int) {
	if p == nil || p.Shape != "" {
		return 0, 0
	}
	for _, c := range p.Columns {
		if c.Used && (c.Role == Text || c.Spec.List != "") {
			return 0, 0
		}
		if c.Relevance != nil {
			if measured++; *c.Relevance >= leastRelevance {
				relevant++
			}
		}
	}
	return relevant, measured
}

// leaveOut makes a column one that describes clusters.
func (c *Column) leaveOut(ds *dataio.Dataset) {
	c.Used, c.Irrelevant = false, true
	c.Why = "the other columns do not predict it (" + c.Why + ")"
	if c.Tip = useTip(c.Name, c.Role); c.Spec.Since != nil {
		c.Tip = useTip(c.Name, Date)
	}
	c.Shown = c.Spec.ValuesOf(ds, c.At)
}

// candidateOf brings m rows of a column to the form in which distances are measured: numbers
// without extremes have variance 1, the indicators of a category together too.
func (in *inference) candidateOf(c *Column, at, m int) *candidate {
	n := in.ds.X.Len()
	named := in.givenRole(c.Name) != ""
	out := &candidate{at: at, width: 1, given: named, there: make([]bool, m)}
	if c.Role == Category {
		texts := c.Spec.Texts(in.ds, c.At)
		levels, _ := Levels(c.Spec.Count(texts), n)
		place := map[string]int{}
		for l, s := range levels {
			place[s] = l
		}
		out.width = len(levels) + 1
		out.x = make([]float64, m*out.width)
		for s := range m {
			t := texts[s*n/m]
			if t == "" {
				continue
			}
			if c.Spec.List != "" {
				out.there[s] = true
				for _, part := range c.Spec.Members(t) {
					if l, ok := place[part]; ok {
						out.x[s*out.width+l] = 1
					}
				}
				continue
			}
			l, ok := place[t]
			if !ok {
				l = len(levels)
			}
			out.x[s*out.width+l], out.there[s] = 1, true
		}
		out.centre(m)
		return out
	}
	out.x = c.Spec.sample(in.ds, c.At, m)
	if c.Spec.Log {
		for s, y := range out.x {
			out.x[s] = c.Spec.Logarithm(y, 0)
		}
	}
	low, high := Bounds(out.x)
	for s, y := range out.x {
		if out.there[s] = y == y; y == y {
			out.x[s] = min(max(y, low), high)
		}
	}
	out.centre(m)
	return out
}

// centre subtracts means and divides by the total deviation; missing rows are 0.
func (c *candidate) centre(m int) {
	total, there := 0.0, 0.0
	for _, ok := range c.there {
		if ok {
			there++
		}
	}
	for f := range c.width {
		mean := 0.0
		for s, ok := range c.there {
			if ok {
				mean += c.x[s*c.width+f] / there
			}
		}
		for s, ok := range c.there {
			if !ok {
				c.x[s*c.width+f] = 0
				continue
			}
			c.x[s*c.width+f] -= mean
			total += c.x[s*c.width+f] * c.x[s*c.width+f]
		}
	}
	if total = math.Sqrt(total / max(there, 1)); total > 0 {
		for i := range c.x {
			c.x[i] /= total
		}
	}
}

// distances writes the squared distances of a row to all others in the column into out.
func (c *candidate) distances(a int, out []float64) {
	if c.width == 1 {
		y := c.x[a]
		for b, z := range c.x {
			out[b] = (y - z) * (y - z)
		}
		return
	}
	row := c.x[a*c.width:][:c.width]
	for b := range out {
		d := 0.0
		for f, z := range c.x[b*c.width:][:c.width] {
			d += (row[f] - z) * (row[f] - z)
		}
		out[b] = d
	}
}

// predictAll measures how well each candidate is predicted by the kept ones without itself.
func predictAll(cands, kept []*candidate, m int) {
	k := min(neighbours, max(3, m/20))
	sum := make([]float64, m)
	residual, spread := make([]float64, len(cands)), make([]float64, len(cands))
	in := make(map[*candidate]bool, len(kept))
	for _, c := range kept {
		in[c] = true
	}
	own := make([][]float64, len(cands)) // squared distances of the row to the others, by candidate
	for at := range own {
		own[at] = make([]float64, m)
	}
	near := make([]int, 0, k)
	dist := make([]float64, 0, k)
	for a := range m {
		clear(sum)
		for at, c := range cands {
			c.distances(a, own[at])
			if in[c] {
				for b, d := range own[at] {
					sum[b] += d
				}
			} else {
				clear(own[at])
			}
		}
		for at, c := range cands {
			if !c.there[a] {
				continue
			}
			near, dist = near[:0], dist[:0]
			worst, mine := math.Inf(1), own[at]
			for b, d := range sum {
				if d -= mine[b]; d >= worst || b == a || !c.there[b] {
					continue
				}
				if len(dist) < k {
					near, dist = append(near, 0), append(dist, 0)
				}
				q := len(dist) - 1
				for ; q > 0 && dist[q-1] > d; q-- {
					near[q], dist[q] = near[q-1], dist[q-1]
				}
				near[q], dist[q] = b, d
				if len(dist) == k {
					worst = dist[k-1]
				}
			}
			if len(near) == 0 {
				continue
			}
			for f := range c.width {
				mean := 0.0
				for _, b := range near {
					mean += c.x[b*c.width+f]
				}
				y := c.x[a*c.width+f]
				e := y - mean/float64(len(near))
				residual[at] += e * e
				spread[at] += y * y
			}
		}
	}
	for at, c := range cands {
		c.r2, c.residual, c.spread = 0, residual[at], spread[at]
		if spread[at] > 0 {
			c.r2 = 1 - residual[at]/spread[at]
		}
	}
}

// parts returns the values of a column of lists as candidates of their own; any other column as it is.
func (c *candidate) parts(column *Column) []*candidate {
	if column.Spec.List == "" {
		return []*candidate{c}
	}
	m := len(c.there)
	out := make([]*candidate, c.width)
	for f := range out {
		one := &candidate{at: c.at, width: 1, given: c.given, there: c.there, part: f, x: make([]float64, m)}
		for s := range m {
			one.x[s] = c.x[s*c.width+f]
		}
		out[f] = one
	}
	return out
}

// byThemselves returns the R² of the values of each column of lists, predicted by one another alone: many columns beside them that have
// nothing to do with them would hide what they share.
func byThemselves(cands []*candidate, m int) map[*candidate]float64 {
	out := map[*candidate]float64{}
	for _, values := range groups(cands) {
		if len(values) > 1 {
			predictAll(values, values, m)
			pool(values)
			for _, c := range values {
				out[c] = c.r2
			}
		}
	}
	return out
}

// groups divides candidates by their columns.
func groups(cands []*candidate) (out [][]*candidate) {
	for at := 0; at < len(cands); {
		end := at + 1
		for end < len(cands) && cands[end].part > 0 {
			end++
		}
		out = append(out, cands[at:end])
		at = end
	}
	return out
}

// pool gives the values of each column of lists the R² of all of them.
func pool(cands []*candidate) {
	for _, values := range groups(cands) {
		residual, spread := 0.0, 0.0
		for _, c := range values {
			residual, spread = residual+c.residual, spread+c.spread
		}
		for _, c := range values {
			if len(values) > 1 && spread > 0 {
				c.r2 = 1 - residual/spread
			}
		}
	}
}
