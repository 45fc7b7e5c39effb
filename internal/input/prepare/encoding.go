package prepare

import (
	"fmt"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/columns"
)

// An Encoding says how the columns of a mixed table become features.
//
// A number or a date, in days after Origin, is one feature; where it is standardised, extremes
// are pulled in to where a normal tail would end. A category with levels
// of shares p₁ … p_L in the fitted rows is L indicators; where rows are standardised
// each is divided by
//
//	√(1 − Σ p²)
//
// Then the mean squared distance of two fitted rows in the column is 2, as in a
// standardised number: on average a category counts as much as a number, whatever
// the number of its levels. A category whose cells are lists has an indicator for each value, and the divisor
// √(Σ p (1 − p)) over a weight with which the values vary along their main direction as one number does.
// Where numbers are scaled to [0, 1] the divisor is √2, so
// that two levels are 1 apart. The month, the weekday and the hour of a date are points on
// circles of radius 1, which are not scaled: their mean squared distance is 2 too
// where they are spread evenly. Documents beside the columns are TF-IDF rows
// times TextWeight, which gives them the mean squared distance of all other
// features together.
type Encoding struct {
	Columns    []Encoded `json:"columns"`
	Likely     *Likely   `json:"likely,omitempty"` // fills missing numbers; nil: they are average
	Text       *TFIDF    `json:"text,omitempty"`   // of the documents beside the columns
	TextWeight float64   `json:"text_weight,omitempty"`
}

// An Encoded is one column of an Encoding.
type Encoded struct {
	columns.Spec
	Fill      float64  `json:"fill"`                // in place of missing numbers, before scaling
	LogShift  float64  `json:"log_shift,omitempty"` // added before the logarithm
	Origin    float64  `json:"origin,omitempty"`    // of a date, days since 1970
	Hours     bool     `json:"hours,omitempty"`     // the parts of a date include its hour
	Indicator bool     `json:"indicator,omitempty"` // a feature says whether the number is missing
	Levels    []string `json:"levels,omitempty"`    // of a category
	Other     bool     `json:"other,omitempty"`     // rare levels are pooled
	NoValue   bool     `json:"no_value,omitempty"`  // missing cells are a level
	// Shares are those of the levels, which stand for a missing cell; nil where NoValue says what does.
	Shares []float64 `json:"shares,omitempty"`
	// Low and High are where extremes are pulled in to, with Clip, after the logarithm.
	Low  float64 `json:"low,omitempty"`
	High float64 `json:"high,omitempty"`
}

// The names of levels that are not in the data.
const (
	otherLevel   = "(other)"
	missingLevel = "(missing)"
)

// names returns the names of the features that a column becomes.
func (e *Encoded) names() (out []string) {
	switch e.Role {
	case columns.Category:
		for _, level := range e.Levels {
			out = append(out, e.Name+"="+level)
		}
		if e.Other {
			out = append(out, e.Name+"="+otherLevel)
		}
		if e.NoValue {
			out = append(out, e.Name+"="+missingLevel)
		}
		return out
	case columns.Date:
		out = append(out, e.Name+" (days)")
		for _, part := range e.parts() {
			out = append(out, e.Name+" ("+part.name+" sin)", e.Name+" ("+part.name+" cos)")
		}
	default:
		name := e.Name
		if e.Log {
			name = "log " + name
		}
		out = append(out, name)
	}
	if e.Indicator {
		out = append(out, e.Name+" missing")
	}
	return out
}

// A cycle is a part of a date that comes round again.
type cycle struct {
	name  string
	phase func(days float64) float64 // in [0, 1)
}

// parts returns the cycles of a date that are features.
func (e *Encoded) parts() []cycle {
	if !e.Parts {
		return nil
	}
	out := []cycle{
		{"month", func(days float64) float64 { return float64(columns.Month(days)-1) / 12 }},
		{"weekday", func(days float64) float64 { w := math.Mod(math.Floor(days)+3, 7); return math.Mod(w+7, 7) / 7 }},
	}
	if e.Hours {
		out = append(out, cycle{"hour", func(days float64) float64 { return days - math.Floor(days) }})
	}
	return out
}

// check returns what is wrong with an encoding of d features, such as one from a
// damaged file.
func (c *Encoding) check(d int) error {
	width := 0
	if len(c.Columns) == 0 {
		return fmt.Errorf("recipe with an encoding of no columns")
	}
	for i := range c.Columns {
		e := &c.Columns[i]
		if !slices.Contains([]columns.Role{columns.Number, columns.Category, columns.Date}, e.Role) {
			return fmt.Errorf("recipe with a column %q of role %q", e.Name, e.Role)
		}
		if len(e.Shares) > len(e.names()) || !data.Finite(e.Low) || !data.Finite(e.High) || e.Weight < 0 || !data.Finite(e.Weight) {
			return fmt.Errorf("recipe with shares, bounds or a weight of column %q that cannot be", e.Name)
		}
		if !data.Finite(e.Fill) || !data.Finite(e.LogShift) || !data.Finite(e.Origin) {
			return fmt.Errorf("recipe with numbers of column %q that are not finite", e.Name)
		}
		width += len(e.names())
	}
	if t := c.Text; t != nil {
		if len(t.IDF) != len(t.Vocabulary) || !(c.TextWeight > 0) || math.IsInf(c.TextWeight, 0) {
			return fmt.Errorf("recipe of documents with %d words, %d weights and factor %v", len(t.Vocabulary), len(t.IDF), c.TextWeight)
		}
		width += len(t.Vocabulary)
	}
	if width != d {
		return fmt.Errorf("recipe of %d columns with an encoding to %d", d, width)
	}
	return c.Likely.check(d - c.words())
}

// names returns the names of all features.
func (c *Encoding) names() (out []string) {
	for i := range c.Columns {
		out = append(out, c.Columns[i].names()...)
	}
	if c.Text != nil {
		for _, w := range c.Text.Vocabulary {
			out = append(out, "word "+w)
		}
	}
	return out
}

// Sources returns the columns that a recipe reads; nil where the features are the
// columns.
func (r *Recipe) Sources() (out []string) {
	if r.Encoding == nil {
		return r.Columns
	}
	for _, e := range r.Encoding.Columns {
		out = append(out, e.Name)
	}
	for _, e := range r.Encoding.Columns {
		if e.Since != nil && !slices.Contains(out, e.Since.Column) {
			out = append(out, e.Since.Column)
		}
	}
	return out
}
