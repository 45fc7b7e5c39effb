package engine

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"math"
	"slices"

	"github.com/inklinghq/inkling/internal/door"
)

// A Fitted is the reply to fit.
type Fitted struct {
	Result  *door.Result `json:"result"`            // as `inkling cluster --json` has it
	Labels  *Array       `json:"labels"`            // <i4, the cluster of each row of the data; -1: left out
	Centers *Array       `json:"centers,omitempty"` // <f8, k × d, of the prepared rows
	Model   []byte       `json:"model,omitempty"`   // for predict and explain; none for methods that learn none
	Handle  uint64       `json:"handle,omitempty"`  // for details and report, while the engine keeps the result
	Details *Details     `json:"details,omitempty"` // where they were asked for

	Interrupted bool   `json:"interrupted,omitempty"` // the request was cancelled: this is the best so far
	Notes       []note `json:"notes"`

	// The numbers of the rows that the lists of the same names in Result are about.
	Violations [][2]int `json:"violations"`
	Misplaced  []int    `json:"misplaced"`
	Suspects   [][]int  `json:"suspects"` // a row for a label, two for a link
}

// Details are how sure rows are of their clusters, by row of the data; NaN and -1 for rows
// that were left out.
type Details struct {
	Confidence *Array                `json:"confidence"`        // <f8
	Second     *Array                `json:"second"`            // <i4, the next best cluster, -1 where there is none
	Margin     *Array                `json:"margin"`            // <f8, NaN where it is not known
	Outlier    *Array                `json:"outlier,omitempty"` // <f8, how far outside of all clusters, for methods that say it
	Source     door.ConfidenceSource `json:"source"`
}

func (c *call) fit() (any, error) {
	t, known, o, err := c.given()
	if err != nil {
		return nil, err
	}
	o.Progress = c.progress()
	r, err := door.Cluster(c.ctx, t, known, o)
	if r == nil {
		return nil, err
	}
	out := &Fitted{Result: r, Interrupted: err != nil, Notes: c.notes(r.Notes)}
	out.addLabels(t)
	if err := out.addModel(); err != nil {
		return nil, err
	}
	out.addRows(t)
	if c.Request.Details && !out.Interrupted {
		rows, source, err := r.Details(c.ctx)
		if err != nil {
			return nil, err
		}
		out.Details = newDetails(t, r.Clusters, rows, source)
	}
	out.Handle = c.kept.add(&keptResult{mem: c.mem, table: t, known: known, o: o, result: r}, c.Request.Keep)
	return out, nil
}

// addLabels adds the cluster of each row.
func (f *Fitted) addLabels(t *door.Table) {
	if f.Result.N == t.Len() {
		f.Labels = newArray(f.Result.Assignment32(), t.Len())
		return
	}
	f.Labels = labelsOf(t, f.Result.N, f.Result.Rows())
}

// labelsOf returns the clusters of n rows by row of the table, which may have more: -1 for
// these.
func labelsOf(t *door.Table, n int, rows iter.Seq[door.Row]) *Array {
	out := make([]int32, t.Len())
	if n == len(out) {
		i := 0
		for r := range rows {
			out[i] = int32(r.ClusterIndex)
			i++
		}
		return newArray(out, n)
	}
	for i := range out {
		out[i] = -1
	}
	for r := range rows {
		if i, ok := t.Row(r.ID); ok {
			out[i] = int32(r.ClusterIndex)
		}
	}
	return newArray(out, len(out))
}

// addModel adds the model, and the centres that it has.
func (f *Fitted) addModel() error {
	m, err := f.Result.Model()
	if none := (*door.OptionError)(nil); errors.As(err, &none) {
		return nil
	}
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := m.Save(&b); err != nil {
		return err
	}
	f.Model = b.Bytes()
	learned := m.Learned()
	at, ok := learned.(interface{ At(h int) []float64 })
	if !ok {
		return nil
	}
	v := make([]float64, 0, learned.Clusters()*learned.Dim())
	for h := range learned.Clusters() {
		v = append(v, at.At(h)...)
	}
	f.Centers = newArray(v, learned.Clusters(), learned.Dim())
	return nil
}

// addRows adds the rows that lists of the result are about.
func (f *Fitted) addRows(t *door.Table) {
	at := func(id string) int {
		i, _ := t.Row(id)
		return i
	}
	f.Violations, f.Misplaced, f.Suspects = [][2]int{}, []int{}, [][]int{}
	for _, v := range f.Result.Violations {
		f.Violations = append(f.Violations, [2]int{at(v.A), at(v.B)})
	}
	for _, m := range f.Result.Misplaced {
		f.Misplaced = append(f.Misplaced, at(m.ID))
	}
	f.Suspects = suspectRows(t, f.Result.Suspects)
}

func suspectRows(t *door.Table, list []door.Suspect) [][]int {
	out := make([][]int, len(list))
	for i, s := range list {
		for _, id := range []string{s.ID, s.A, s.B} {
			if row, ok := t.Row(id); ok && id != "" {
				out[i] = append(out[i], row)
			}
		}
	}
	return out
}

func newDetails(t *door.Table, names []string, rows []door.RowDetail, source door.ConfidenceSource) *Details {
	n := t.Len()
	confidence, second, margin := make([]float64, n), make([]int32, n), make([]float64, n)
	for i := range n {
		confidence[i], second[i], margin[i] = math.NaN(), -1, math.NaN()
	}
	var outlier []float64
	number := make(map[string]int32, len(names))
	for h, name := range names {
		number[name] = int32(h)
	}
	for at, d := range rows {
		i := at
		if len(rows) < n {
			i, _ = t.Row(d.ID)
		}
		if d.Outlier != nil {
			if outlier == nil {
				outlier = slices.Repeat([]float64{math.NaN()}, n)
			}
			outlier[i] = *d.Outlier
		}
		if d.ClusterIndex < 0 {
			continue
		}
		confidence[i] = d.Confidence
		if d.Second != "" {
			second[i] = number[d.Second]
		}
		if d.Margin != nil {
			margin[i] = *d.Margin
		}
	}
	out := &Details{Confidence: newArray(confidence, n), Second: newArray(second, n), Margin: newArray(margin, n), Source: source}
	if outlier != nil {
		out.Outlier = newArray(outlier, n)
	}
	return out
}

// details are those of a result that the engine keeps.
func (c *call) details() (any, error) {
	k, err := c.kept.result(c.Handle)
	if err != nil {
		return nil, err
	}
	defer k.mem.release()
	rows, source, err := k.result.Details(c.ctx)
	if err != nil {
		return nil, err
	}
	return newDetails(k.table, k.result.Clusters, rows, source), nil
}

// A Judged is the reply to suspects.
type Judged struct {
	Report *door.SuspectReport `json:"report"` // as `inkling suspect --json` has it
	Rows   [][]int             `json:"rows"`   // of each constraint: a row for a label, two for a link
	Notes  []note              `json:"notes"`
}

// suspects judges the constraints of a request, or those of a fit that the engine keeps.
func (c *call) suspects() (any, error) {
	t, known, o, err := c.judged()
	if err != nil {
		return nil, err
	}
	o.Progress = c.progress()
	r, err := door.Suspects(c.ctx, t, known, o)
	if err != nil {
		return nil, err
	}
	return &Judged{r, suspectRows(t, r.Suspects), c.notes(r.Notes)}, nil
}

// judged returns what the constraints to be judged are on. Of a fit it holds the memory
// until the call ends.
func (c *call) judged() (*door.Table, *door.Constraints, door.Options, error) {
	if c.Handle == 0 {
		return c.given()
	}
	k, err := c.kept.result(c.Handle)
	if err != nil {
		return nil, nil, door.Options{}, err
	}
	c.mem.maps = append(c.mem.maps, k.mem.release)
	o := k.o
	o.K, o.KMin, o.KMax = k.result.K, 0, 0
	return k.table, k.known, o, nil
}

// report returns a page about a result that the engine keeps.
func (c *call) report() (any, error) {
	k, err := c.kept.result(c.Handle)
	if err != nil {
		return nil, err
	}
	defer k.mem.release()
	page, notes, err := k.result.Report(c.ctx, door.ReportOptions{})
	if err != nil {
		return nil, err
	}
	if c.Title != "" {
		page.Title = c.Title
	}
	var b bytes.Buffer
	if err := page.Write(&b); err != nil {
		return nil, err
	}
	return map[string]any{"html": b.String(), "notes": c.notes(notes)}, context.Cause(c.ctx)
}
