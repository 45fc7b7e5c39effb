package prepare

import (
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/columns"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// fitTable prepares a table by the plan of its columns.
func fitTable(ds *dataio.Dataset, opt Options) (*Recipe, *Prepared, error) {
	r := &Recipe{Missing: opt.Missing, Scale: opt.Scale, Encoding: &Encoding{}}
	if shape := opt.Plan.Shape; opt.Scale == Auto && shape != "" {
		r.Scale = Scale(shape)
	}
	p := &pass{r: r, ds: ds, fit: true, workers: opt.Workers}
	for _, c := range opt.Plan.Columns {
		if c.Used && c.At >= 0 {
			r.Encoding.Columns = append(r.Encoding.Columns, Encoded{Spec: c.Spec})
		}
	}
	list := make([]*series, 0, len(r.Encoding.Columns))
	for i := range r.Encoding.Columns {
		e := &r.Encoding.Columns[i]
		s := readSeries(ds, slices.Index(ds.Columns, e.Name), e)
		s.findOrigin()
		s.transform()
		list = append(list, s)
	}
	countMissing(list)
	n := ds.X.Len()
	telling := make([]holes, len(list))
	for i, s := range list {
		if opt.Missing == Fill && s.texts == nil {
			telling[i] = s.manyHoles()
		}
		s.e.Indicator = telling[i].tellClasses(opt.Known)
	}
	rows, err := p.missingRows(list, n)
	if err != nil {
		return nil, nil, err
	}
	if rows != nil {
		n = len(rows)
	}
	scratch := make([]float64, 0, n)
	for _, s := range list {
		s.fit(n, scratch)
		if s.e.Indicator {
			p.addNote("%s: whether it is missing is a feature, since it differs between the labels", s.e.Name)
		}
	}
	r.Columns = r.Encoding.names()
	x := encode(list, n, len(r.Columns))
	p.chooseScale(x, opt.Plan)
	if r.Scale != Standard {
		for _, s := range list {
			s.e.Clip, s.keepMissing = false, rowwise(r.Scale)
		}
		clear(x.V)
		fill(list, x)
	}
	done := &Prepared{X: x, Rows: rows, telling: telling}
	r.Dim = x.Cols
	p.present = list
	if err := p.scaleTable(done); err != nil {
		return nil, nil, err
	}
	p.noteMissing()
	if ds.Beside != nil {
		if err := p.fitBeside(done, opt); err != nil {
			return nil, nil, err
		}
	}
	done.Notes = p.notes
	return r, done, nil
}

// findOrigin finds where dates begin and what is added before logarithms.
func (s *series) findOrigin() {
	if s.numbers == nil {
		return // a category, or numbers as they stand
	}
	low := math.Inf(1)
	for _, y := range s.numbers {
		if y < low {
			low = y
		}
		s.e.Hours = s.e.Hours || s.e.Role == columns.Date && y == y && y != math.Floor(y)
	}
	switch {
	case s.e.Role == columns.Date && !math.IsInf(low, 0):
		s.e.Origin = math.Floor(low)
	case s.e.Log && low == 0 && s.e.LogScale == 0:
		s.e.LogShift = 1
	}
}

// fit finds what stands for missing cells, and the levels of a category, in n rows; scratch has room for as many numbers.
func (s *series) fit(n int, scratch []float64) {
	if s.e.Role == columns.Category {
		count := s.e.Count(s.texts)
		none := 0
		for _, t := range s.texts {
			if t == "" {
				none++
			}
		}
		rare := 0
		s.e.Levels, rare = columns.Levels(count, n)
		s.e.Other = rare > 0
		if none > 0 {
			s.findShares(count, n-none)
		}
		return
	}
	there := scratch[:0]
	for i := range s.n {
		if y := s.number(i); y == y {
			there = append(there, y)
		}
	}
	if len(there) == 0 {
		return
	}
	if s.e.Clip {
		s.e.Low, s.e.High = columns.Bounds(there)
	}
	for k, y := range there {
		if s.e.Clip {
			y = min(max(y, s.e.Low), s.e.High)
		}
		s.mean += (y - s.mean) / float64(k+1)
		there[k] = y
	}
	for _, y := range there {
		s.sd += (y - s.mean) * (y - s.mean) / float64(len(there))
	}
	s.sd = math.Sqrt(s.sd)
	s.e.Fill = s.mean
}

// findShares finds the shares of the levels among the cells that are there, which stand for a missing one.
func (s *series) findShares(count map[string]int, there int) {
	s.e.Shares = make([]float64, 0, len(s.e.Levels)+1)
	rest := 0
	for _, k := range count {
		rest += k
	}
	for _, level := range s.e.Levels {
		rest -= count[level]
		s.e.Shares = append(s.e.Shares, float64(count[level])/float64(max(there, 1)))
	}
	if s.e.Other {
		s.e.Shares = append(s.e.Shares, min(1, float64(rest)/float64(max(there, 1))))
	}
}

// Where more than manyMissing of the cells are missing, and how many differs between
// the known classes with a chi-squared test at 1 %, being missing is a feature.
const manyMissing = 0.05

// holes are the rows where a column has no value, if these are many but not all; else nil.
type holes []int32

func (s *series) manyHoles() (h holes) {
	if float64(s.missing) <= manyMissing*float64(s.n) || s.missing == s.n {
		return nil
	}
	for i := range s.n {
		if s.isMissing(i) {
			h = append(h, int32(i))
		}
	}
	return h
}

// tellClasses reports whether being missing differs between the known classes.
func (h holes) tellClasses(known []int) bool {
	if len(known) == 0 || h == nil {
		return false
	}
	var with, of []float64
	total, holes := 0.0, 0.0
	for _, class := range known {
		if class < 0 {
			continue
		}
		for len(of) <= class {
			with, of = append(with, 0), append(of, 0)
		}
		of[class]++
		total++
	}
	for _, i := range h {
		if class := known[i]; class >= 0 {
			with[class]++
			holes++
		}
	}
	if holes == 0 || holes == total {
		return false
	}
	share, chi, free := holes/total, 0.0, -1.0
	for class, k := range of {
		if k > 0 {
			e := with[class] - k*share
			chi += e * e / (k * share * (1 - share))
			free++
		}
	}
	return columns.Significant(chi, free)
}

// fitBeside adds the documents beside the columns as a block of features.
func (p *pass) fitBeside(done *Prepared, opt Options) error {
	docs := p.besideRows(done.Rows)
	text, notes, err := fitText(&dataio.Dataset{Name: p.ds.Name, Docs: docs}, opt)
	if err != nil {
		return err
	}
	x := done.X.(*data.Dense)
	p.r.Encoding.Text, p.r.Encoding.TextWeight = text, 1
	rows := p.textBlock(docs)
	spread := 1.0 - squaredMean(rows)
	if v := totalVariance(x, p.workers); v > 0 && spread > 1e-9 {
		p.r.Encoding.TextWeight = math.Sqrt(v / spread)
	}
	p.r.Columns, p.r.Dim = p.r.Encoding.names(), x.Cols+len(text.Vocabulary)
	for range text.Vocabulary {
		if p.r.Shift != nil {
			p.r.Shift, p.r.Factor = append(p.r.Shift, 0), append(p.r.Factor, 1)
		}
	}
	done.X = p.joinText(x, docs)
	p.notes = append(p.notes, notes...)
	p.addNote("the words count together as much as the other columns together")
	return nil
}

// besideRows returns the documents of the rows that are left.
func (p *pass) besideRows(rows []int) []string {
	if rows == nil {
		return p.ds.Beside
	}
	return picked(p.ds.Beside, rows)
}

// textBlock returns documents as TF-IDF rows without notes on them.
func (p *pass) textBlock(docs []string) *data.Sparse {
	block := &pass{r: &Recipe{Text: p.r.Encoding.Text}, ds: &dataio.Dataset{Docs: docs}, workers: p.workers}
	return block.textRows()
}

// joinText puts the weighted TF-IDF rows of documents after the features of x.
func (p *pass) joinText(x *data.Dense, docs []string) data.Rows {
	text := p.textBlock(docs)
	n, d := x.Len(), x.Cols
	out := &data.Sparse{Cols: d + text.Cols, Start: make([]int, 1, n+1)}
	for i := range n {
		for f, y := range x.V[i*d : (i+1)*d] {
			if y != 0 {
				out.Idx, out.Val = append(out.Idx, int32(f)), append(out.Val, y)
			}
		}
		for q := text.Start[i]; q < text.Start[i+1]; q++ {
			out.Idx, out.Val = append(out.Idx, int32(d)+text.Idx[q]), append(out.Val, p.r.Encoding.TextWeight*text.Val[q])
		}
		out.Start = append(out.Start, len(out.Idx))
	}
	return out
}

// squaredMean returns the squared length of the mean row, which is 1 minus the total
// variance of rows of length 1.
func squaredMean(x *data.Sparse) (s float64) {
	mean, n := make([]float64, x.Cols), float64(x.Len())
	for q, f := range x.Idx {
		mean[f] += x.Val[q] / n
	}
	return norm2(mean)
}

// totalVariance returns the sum of the variances of the columns.
func totalVariance(x *data.Dense, workers int) (v float64) {
	for _, sd := range summarise(x, workers).deviations(x, workers) {
		v += sd * sd
	}
	return v
}

// chooseScale settles Auto, and says what is done.
func (p *pass) chooseScale(x *data.Dense, plan *columns.Plan) {
	switch p.r.Scale {
	case "":
		p.r.Scale = None
	case Auto:
		p.r.Scale = None
		if plan.Settled() {
			p.r.Scale = Standard
			what := "columns"
			if plan.MixedKinds() {
				what = "columns of different kinds"
			}
			p.settled = true
			note := hint.Sprintf("%s are standardised, so that each counts alike ({scale=none} leaves them as they are)", what)
			if last := len(p.notes) - 1; last >= 0 { // one line for both
				p.notes[last] = note + "; " + p.notes[last]
				return
			}
			p.notes = append(p.notes, note)
			return
		}
		var note hint.Hint
		p.r.Scale, note = scaleFor(x, p.workers)
		p.notes = append(p.notes, note)
	}
}

// scaleTable scales the encoded rows, which are ours, in place: numbers by the scale
// of the recipe, indicators and parts of dates by fixed factors.
func (p *pass) scaleTable(done *Prepared) error {
	if p.r.Scale != Standard && p.r.Scale != MinMax {
		return p.scaleRows(done)
	}
	x := done.X.(*data.Dense)
	if p.fit {
		quiet := p.notes
		if err := p.findScale(x); err != nil {
			return err
		}
		p.notes = quiet // columns of one value are in the plan
		p.fixFactors(x)
	}
	if err := p.shiftAndDivide(x, done.Rows); err != nil {
		return err
	}
	return p.fillLikely(x)
}

// fixFactors sets the factors of features that are not numbers.
func (p *pass) fixFactors(x *data.Dense) {
	first := 0
	for i := range p.r.Encoding.Columns {
		e := &p.r.Encoding.Columns[i]
		width := len(e.names())
		if s := p.present[i]; e.Role != columns.Category && s.missing > 0 && s.sd > 0 && p.r.Scale == Standard {
			p.r.Shift[first], p.r.Factor[first] = s.mean, s.sd
		}
		switch e.Role {
		case columns.Category:
			factor := math.Sqrt2
			if p.r.Scale == Standard {
				factor = p.indicatorFactor(x, first, width, e.List != "")
			}
			for f := first; f < first+width; f++ {
				p.r.Shift[f], p.r.Factor[f] = 0, factor
			}
		case columns.Date:
			for f := first + 1; f < first+1+2*len(e.parts()); f++ {
				p.r.Shift[f], p.r.Factor[f] = 0, 1
			}
		}
		for f := first; f < first+width && e.Weight > 0; f++ {
			p.r.Factor[f] /= e.Weight
		}
		first += width
	}
}

// indicatorFactor returns √(1 − Σ p²) for the shares p of the levels, and √(Σ p (1 − p)) where a row may have several.
func (p *pass) indicatorFactor(x *data.Dense, first, width int, several bool) float64 {
	sum, all := 0.0, 0.0
	for l := range width {
		share := 0.0
		for i := range x.Len() {
			share += x.V[i*x.Cols+first+l]
		}
		share /= float64(x.Len())
		sum += share * share
		all += share
	}
	if several && all-sum > 1e-12 {
		return math.Sqrt(all - sum)
	}
	if several || sum >= 1-1e-12 {
		return 1
	}
	return math.Sqrt(1 - sum)
}

// tenfold is the ratio of standard deviations from which on columns are
// standardised.
const tenfold = 10

// autoScale settles the scale of a table of numbers, and says so; rows without
// column names are not scaled.
func autoScale(ds *dataio.Dataset, workers int) (Scale, hint.Hint) {
	x, dense := ds.X.(*data.Dense)
	if !dense || ds.Names == nil || x.Cols < 2 {
		return None, ""
	}
	return scaleFor(x, workers)
}

// scaleFor is Standard where the standard deviations of columns differ more than
// tenfold.
func scaleFor(x *data.Dense, workers int) (Scale, hint.Hint) {
	low, high := math.Inf(1), 0.0
	for _, sd := range summarise(x, workers).deviations(x, workers) {
		if sd > 0 && data.Finite(sd) {
			low, high = min(low, sd), max(high, sd)
		}
	}
	if high > tenfold*low {
		return Standard, hint.Sprintf("columns standardised: their standard deviations differ %.0f-fold ({scale=none} leaves them as they are)", high/low)
	}
	return None, "columns not scaled: their standard deviations differ less than tenfold ({scale=standard} scales them)"
}
