package columns

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// Two dates of one row, such as those of an invoice and of its payment, mostly say when the row was made, twice; what tells rows apart is the time
// between them. A date that follows another one in almost every row, and more closely than it is spread itself, is taken as the time since that one. The first
// of them stays a date.
const (
	sinceRows   = 20   // with both dates, at least
	sinceBoth   = 0.5  // of the rows with the later date have the earlier one
	sinceOrder  = 0.95 // of these rows have them in order
	sinceSpread = 0.5  // the times between are spread at most so much as the date: from one twentieth to the other
)

// A Since says which date a time is counted from, and in which unit.
type Since struct {
	Column   string  `json:"column"`
	DayFirst bool    `json:"day_first,omitempty"`
	ByDay    float64 `json:"by_day"` // units in a day
}

// timeUnits are what times between dates are counted in: the first of which the middle time has at least two.
var timeUnits = []struct {
	name  string
	byDay float64
}{{"days", 1}, {"hours", 24}, {"minutes", 1440}, {"seconds", 86400}}

// timesSince returns the time from the other date to this one, NaN where either is missing.
func (s Spec) timesSince(ds *dataio.Dataset, j int) (out []float64, bad []int) {
	own := Spec{Role: Date, Reading: s.Reading, DayFirst: s.DayFirst, Gone: s.Gone}
	out, bad = own.Numbers(ds, j)
	from := slices.Repeat([]float64{math.NaN()}, len(out))
	if k := slices.Index(ds.Columns, s.Since.Column); k >= 0 {
		from, _ = Spec{Role: Date, Reading: s.Reading, DayFirst: s.Since.DayFirst}.Numbers(ds, k)
	}
	for i := range out {
		out[i] = (out[i] - from[i]) * s.Since.ByDay
	}
	return out, bad
}

// takeTimes makes dates that follow others closely the times between them, and those of which the plan says so.
func (in *inference) takeTimes(list []Column) error {
	values := map[int][]float64{}
	for i, c := range list {
		if c.Role == Date && c.At >= 0 && (c.Used || in.rules.Edits[c.Name].Since != "") {
			values[i], _ = c.Spec.Numbers(in.ds, c.At)
		}
	}
	since := map[int]int{}
	for i := range list {
		if values[i] == nil {
			continue
		}
		if name := in.rules.Edits[list[i].Name].Since; name != "" {
			k := slices.IndexFunc(list, func(c Column) bool { return strings.EqualFold(c.Name, name) })
			if k < 0 || k == i || values[k] == nil {
				return &dataio.Error{File: in.ds.Name, Msg: fmt.Sprintf("column %q is counted since %q, which must be another column of dates", list[i].Name, name)}
			}
			since[i] = k
			continue
		}
		if in.givenRole(list[i].Name) != "" {
			continue
		}
		best := 0.0
		for k := range values {
			if k == i {
				continue
			}
			if w, ok := follows(values[i], values[k]); ok && (best == 0 || w < best || w == best && k < since[i]) {
				best, since[i] = w, k
			}
		}
	}
	for i := range list {
		if k, ok := since[i]; ok {
			if err := in.asTime(&list[i], &list[k]); err != nil {
				return err
			}
		}
	}
	return nil
}

// follows reports whether dates follow earlier ones closely, and how widely the times between are spread.
func follows(date, from []float64) (spread float64, ok bool) {
	var own, between []float64
	there, ordered, sum := 0, 0, 0.0
	for i, y := range date {
		if y == y {
			there++
		}
		if d := y - from[i]; d == d {
			own, between = append(own, y), append(between, d)
			if sum += d; d >= 0 {
				ordered++
			}
		}
	}
	n := len(between)
	if n < sinceRows || float64(n) < sinceBoth*float64(there) || float64(ordered) < sinceOrder*float64(n) || sum <= 0 {
		return 0, false
	}
	slices.Sort(own)
	slices.Sort(between)
	spread = quantile(between, .95) - quantile(between, .05)
	return spread, spread > 0 && spread <= sinceSpread*(quantile(own, .95)-quantile(own, .05))
}

// asTime makes a column of dates the time since another.
func (in *inference) asTime(c, from *Column) error {
	c.Spec.Since = &Since{Column: from.Name, DayFirst: from.Spec.DayFirst, ByDay: 1}
	c.Role, c.Spec.Role, c.Spec.Parts, c.Used = Number, Number, false, true
	values, _ := c.Spec.Numbers(in.ds, c.At)
	sorted := present(values)
	if len(sorted) == 0 {
		return &dataio.Error{File: in.ds.Name, Msg: fmt.Sprintf("no row has both %q and %q", c.Name, from.Name)}
	}
	unit := timeUnits[0]
	for _, u := range timeUnits {
		if unit = u; quantile(sorted, .5)*u.byDay >= 2 {
			break
		}
	}
	if quantile(sorted, .5) == 0 {
		unit = timeUnits[0]
	}
	c.Spec.Since.ByDay, c.Spec.Unit = unit.byDay, unit.name
	values, _ = c.Spec.Numbers(in.ds, c.At)
	s := describe(values)
	c.Missing = len(values) - s.n
	c.Why = fmt.Sprintf("%s since %s, from %s to %s", unit.name, from.Name, shortNumber(s.low), shortNumber(s.high))
	if in.rules.Edits[c.Name].Since == "" {
		c.Tip = hint.Sprintf("{date=%s} uses the date itself", c.Name)
	}
	return in.decideLog(c, values, s)
}

// shortNumber returns a number with at most one decimal.
func shortNumber(y float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", y), ".0") }
