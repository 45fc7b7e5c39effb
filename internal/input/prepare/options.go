package prepare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/internal/input/columns"
)

// A Scale is a way to scale; "" is None. Standard and MinMax work by column, the others
// by row.
type Scale string

// The ways to scale.
const (
	None     Scale = "none"
	Auto     Scale = "auto"     // Standard where kinds are mixed or standard deviations differ more than tenfold, else None; None without column names
	Standard Scale = "standard" // (x − mean) / population standard deviation
	MinMax   Scale = "minmax"   // (x − min) / (max − min)
	L2       Scale = "l2"       // each row divided by its length; a zero row stays zero
	Rows     Scale = "rows"     // each row less its mean, divided by its standard deviation
	Detrend  Scale = "detrend"  // the same after a straight line is taken off each row
	Shares   Scale = "shares"   // the square root of each value's share of its row
)

// Values returns the ways to scale.
func (Scale) Values() []string {
	return []string{string(Auto), string(None), string(Standard), string(MinMax), string(L2), string(Rows), string(Detrend), string(Shares)}
}

// A Missing says what to do about missing cells, which stand as NaN in the rows.
type Missing string

// What to do about missing cells.
const (
	Refuse Missing = "" // an error that names the first such cell
	// Fill, in tables, puts what similar rows have (see Likely), where columns are not standardised the column's mean,
	// and the shares of a category's levels, and adds an indicator where more than 5 % of a column are missing and how many
	// differs between the known labels. In other rows it is Refuse.
	Fill Missing = "auto"
	Drop Missing = "drop" // leave out the rows that have one
	Mean Missing = "mean" // put the column's mean in the fitted data
)

// Values returns what can be done about missing cells instead of refusing them.
func (Missing) Values() []string { return []string{string(Fill), "error", string(Drop), string(Mean)} }

// Options are the choices of Fit. The zero value takes numbers as they are;
// for documents it leaves out the stop words of their languages and keeps every other word.
// Missing concerns numbers, the fields after it documents.
type Options struct {
	Scale       Scale
	Missing     Missing
	StopWords   string        // languages or words with commas between, or "none"; "" or "auto": the languages of the documents
	Frequent    int           // leave out so many of the most frequent words that are no stop words
	MinDF       int           // a word must stand in at least so many documents; below 1: 1
	MaxDF       float64       // and in at most this fraction of them, in (0, 1]; 0: 1
	MaxFeatures int           // keep only the words in most documents; below 1: all
	NGrams      int           // terms of up to so many words that follow each other, 1 or 2; 0: 1
	Plan        *columns.Plan // the roles of the columns of a table; nil: all are numbers
	Known       []int         // the class of each row, -1 where it is not known; nil: none is
	Workers     int           // goroutines; below 1: one per processor; never changes the answer
}

func (o Options) check() error {
	if all := o.Scale.Values(); o.Scale != "" && !slices.Contains(all, string(o.Scale)) {
		return fmt.Errorf("scale must be one of %s, got %q", strings.Join(all, ", "), string(o.Scale))
	}
	if all := o.Missing.Values(); o.Missing != Refuse && !slices.Contains(all, string(o.Missing)) {
		return fmt.Errorf("missing must be one of %s, got %q", strings.Join(all, ", "), string(o.Missing))
	}
	if o.NGrams < 0 || o.NGrams > maxNGrams {
		return fmt.Errorf("ngrams must be 1 to %d, got %d", maxNGrams, o.NGrams)
	}
	if !(o.MaxDF >= 0 && o.MaxDF <= 1) {
		return fmt.Errorf("max-df must be above 0 and at most 1, got %v", o.MaxDF)
	}
	return nil
}
