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

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/support/hint"
)

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
	if opt.Missing == "error" {
		opt.Missing = Refuse
	}
	if opt.Plan != nil && !opt.Plan.Plain && ds.X != nil {
		return fitTable(ds, opt)
	}
	r := &Recipe{Scale: opt.Scale, Missing: opt.Missing}
	if r.Scale == "" {
		r.Scale = None
	}
	if r.Missing == Fill && (opt.Plan == nil || ds.X == nil) {
		r.Missing = Refuse
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
	if r.Scale == Auto {
		var note hint.Hint
		if r.Scale, note = autoScale(ds, opt.Workers); note != "" {
			notes = append(notes, note)
		}
	}
	p, err := (&pass{r: r, ds: ds, fit: true, workers: opt.Workers}).prepareRows()
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

// Apply prepares ds as the fitted rows were. Columns are matched by name where
// both sides have names, whatever their order; otherwise by place. Columns that are not
// there count as missing where missing cells are filled in, else they are an error, as
// are additional ones. Sparse rows of a format that does not state
// its width may be narrower than the recipe.
func (r *Recipe) Apply(ds *dataio.Dataset) (*Prepared, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	if err := clusterable(ds); err != nil {
		return nil, err
	}
	ds, absent := r.withAbsent(ds)
	if r.Encoding != nil {
		return r.applyTable(ds, absent)
	}
	if ds.Cells != nil && r.Text == nil {
		return nil, r.notNumbers(ds)
	}
	if r.Text != nil && ds.X != nil {
		return nil, fault(ds, "the model was made from documents, these are numbers", "say which column holds the text ({text})")
	}
	if r.Text == nil && ds.X == nil {
		return nil, fault(ds, "the model was made from numbers, these are documents", "leave out {text}")
	}
	p := &pass{r: r, ds: ds, absent: absent}
	p.noteAbsent()
	return p.prepareRows()
}

// maxDense bounds n·d where sparse rows are filled up to be scaled by column:
// 5e7 numbers are 400 MB.
const maxDense = 50_000_000

func (p *pass) prepareRows() (*Prepared, error) {
	x, c := p.ds.X, copying{workers: p.workers}
	if p.r.Text != nil {
		x = p.textRows()
	} else if !p.fit {
		to, err := p.matchColumns()
		if err != nil {
			return nil, err
		}
		c.to = to
	}
	holes, err := p.handleMissing(x, &c)
	if err != nil {
		return nil, err
	}
	kind, err := p.storageKind(x, c.keep)
	if err != nil {
		return nil, err
	}
	done := &Prepared{X: x, Rows: c.keep}
	// Rows made from documents are ours: they need no copy to be changed.
	own := p.r.Text != nil && kind == sparse
	if p.r.Scale != None && !own || c.needed() || x.Dim() != p.r.Dim {
		done.X = c.copyRows(x, p.r.Dim, kind)
	} else if holes == 0 && p.r.Scale == None {
		done.Finite = x
	}
	if err := p.scaleRows(done); err != nil {
		return nil, err
	}
	done.Notes = p.notes
	return done, nil
}

// storageKind says how the prepared rows are to be held.
func (p *pass) storageKind(x data.Rows, keep []int) (kind, error) {
	k := kindOf(x)
	switch {
	case p.r.Scale == None:
		return k, nil
	case p.r.Scale == L2 && k == sparse:
		return sparse, nil
	case k != sparse:
		return dense, nil
	}
	n := x.Len()
	if keep != nil {
		n = len(keep)
	}
	if float64(n)*float64(p.r.Dim) > maxDense {
		return k, fault(p.ds, fmt.Sprintf("scaling by %s would fill up %d×%d sparse rows, the bound is %d numbers", p.r.Scale, n, p.r.Dim, maxDense), "use {scale=l2}, which keeps them sparse, or {scale=none}")
	}
	p.addNote("sparse rows filled up (%d×%d numbers) to scale them by column", n, p.r.Dim)
	return dense, nil
}
