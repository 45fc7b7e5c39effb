package prepare

import (
	"fmt"
	"strings"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// A Prepared is what a dataset became.
type Prepared struct {
	X data.Rows
	// Finite is X where it was searched for NaN and infinities, and has none; otherwise nil.
	Finite data.Rows
	Rows   []int       // Rows[i] is the row of the dataset that X's row i came from; nil: all, in order
	Notes  []hint.Hint // what was done, for people

	telling []holes // of each column: what decides whether being missing is a feature
}

// A pass takes one dataset through a recipe. When fit is set it also finds the
// recipe's numbers.
type pass struct {
	r       *Recipe
	ds      *dataio.Dataset
	fit     bool
	workers int
	notes   []hint.Hint
	present []*series // of a table
	absent  []string  // columns that a later table lacks
	missing string    // which cells are missing, where rows keep them
	settled bool      // the last note says that columns are standardised
}

func (p *pass) addNote(format string, a ...any) {
	p.notes = append(p.notes, hint.Sprintf(format, a...))
}

func (p *pass) columnName(names []string, f int) string {
	if f < len(names) {
		return fmt.Sprintf("%q", names[f])
	}
	return fmt.Sprint(f)
}

func (p *pass) tooLarge(f int) error {
	return fault(p.ds, fmt.Sprintf("the values of column %s are too large to scale or average", p.columnName(p.r.Columns, f)), "divide them by a power of ten, or leave out the column ({drop})")
}

func (p *pass) featureName(f int) string {
	if p.r.Columns != nil {
		return p.r.Columns[f]
	}
	return fmt.Sprint(f)
}

// quoteNames quotes the first few names and counts the rest.
func quoteNames(names []string) string {
	const most = 5
	var b strings.Builder
	for i, name := range names[:min(most, len(names))] {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", name)
	}
	if len(names) > most {
		fmt.Fprintf(&b, " and %d more", len(names)-most)
	}
	return b.String()
}

// fault is an error in ds: what is wrong and what to do about it.
func fault(ds *dataio.Dataset, msg string, advice hint.Hint) error {
	name := ds.Name
	if name == "" {
		name = "data"
	}
	return &dataio.Error{File: name, Msg: msg, Hint: advice}
}

// counted returns "1 word" or "3 words".
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
