// Package prepare goes from what was read to what is clustered, and does it
// the same way for rows that come later.
//
// Fit looks at a dataset, decides a Recipe (which columns, what to do about
// missing cells, how to scale, which words count) and applies it. The Recipe
// is plain data: it is saved with a model, and Apply brings new rows to the
// same form. Applied to the rows it was fitted on, a Recipe gives the very
// bits that Fit gave.
//
// In comments n is the number of rows and d the number of features.
package prepare

import (
	"fmt"
	"slices"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/dataio"
	"github.com/inklinghq/inkling/hint"
)

// Ways to scale. Standard and MinMax work by column, L2 by row.
const (
	None     = "none"
	Standard = "standard" // (x − mean) / population standard deviation
	MinMax   = "minmax"   // (x − min) / (max − min)
	L2       = "l2"       // each row divided by its length; a zero row stays zero
)

// What to do about missing cells, which stand as NaN in the rows.
const (
	Refuse = ""     // an error that names the first such cell
	Drop   = "drop" // leave out the rows that have one
	Mean   = "mean" // put the column's mean in the fitted data
)

// Options are the choices of Fit. The zero value takes numbers as they are;
// for documents it leaves out English stop words and keeps every other word.
// Missing concerns numbers, the fields after it documents.
type Options struct {
	Scale       string  // None, Standard, MinMax or L2; "" is None
	Missing     string  // Refuse, Drop or Mean
	StopWords   string  // "english", "none" or words with commas between; "" is "english"
	MinDF       int     // a word must stand in at least so many documents; below 1: 1
	MaxDF       float64 // and in at most this fraction of them, in (0, 1]; 0: 1
	MaxFeatures int     // keep only the words in most documents; below 1: all
	Workers     int     // goroutines; below 1: one per processor; never changes the answer
}

func (o Options) check() error {
	if !slices.Contains([]string{"", None, Standard, MinMax, L2}, o.Scale) {
		return fmt.Errorf("scale %q, must be none, standard, minmax or l2", o.Scale)
	}
	if !slices.Contains([]string{Refuse, Drop, Mean}, o.Missing) {
		return fmt.Errorf("missing %q, must be drop or mean", o.Missing)
	}
	if !(o.MaxDF >= 0 && o.MaxDF <= 1) {
		return fmt.Errorf("max document frequency %v, must be a fraction in (0, 1]", o.MaxDF)
	}
	return nil
}

// A Prepared is what a dataset became.
type Prepared struct {
	X     data.Rows
	Rows  []int       // Rows[i] is the row of the dataset that X's row i came from; nil: all, in order
	Notes []hint.Hint // what was done, for people
}

// Fit decides how to prepare ds and prepares it. Rows of ds are never changed;
// where nothing has to be done, X is ds.X itself. Trouble with the data is a
// *dataio.Error.
func Fit(ds *dataio.Dataset, opt Options) (*Recipe, *Prepared, error) {
	if err := opt.check(); err != nil {
		return nil, nil, err
	}
	if err := clusterable(ds); err != nil {
		return nil, nil, err
	}
	if ds.Len() == 0 {
		return nil, nil, fault(ds, "there are no rows", "")
	}
	r := &Recipe{Scale: opt.Scale, Missing: opt.Missing}
	if r.Scale == "" {
		r.Scale = None
	}
	var notes []hint.Hint
	if ds.X == nil {
		var err error
		if r.Text, notes, err = fitText(ds, opt); err != nil {
			return nil, nil, err
		}
		r.Columns, r.Dim = r.Text.Vocabulary, len(r.Text.Vocabulary)
	} else {
		r.Columns, r.Dim = slices.Clone(ds.Columns), ds.X.Dim()
	}
	p, err := (&pass{r: r, ds: ds, fit: true, workers: opt.Workers}).run()
	if err != nil {
		return nil, nil, err
	}
	p.Notes = append(notes, p.Notes...)
	return r, p, nil
}

// clusterable refuses datasets that are not rows or documents.
func clusterable(ds *dataio.Dataset) error {
	switch {
	case ds == nil:
		return fmt.Errorf("no dataset")
	case ds.Graph != nil || ds.Kernel != nil:
		return fault(ds, "a graph or a matrix of similarities has no columns to prepare", "it is clustered as it is")
	case ds.X == nil && ds.Docs == nil:
		return fault(ds, "there are no rows", "")
	case ds.X != nil && ds.Columns != nil && len(ds.Columns) != ds.X.Dim():
		return fault(ds, fmt.Sprintf("%d column names for %d columns", len(ds.Columns), ds.X.Dim()), "")
	}
	if x, ok := ds.X.(interface{ Check() error }); ok {
		if err := x.Check(); err != nil {
			return fmt.Errorf("%w", err)
		}
	}
	return nil
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
