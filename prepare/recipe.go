package prepare

import (
	"fmt"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/dataio"
)

// A Recipe says how rows were prepared. It is plain data, and its JSON keeps
// every number exactly. A value x of column f becomes
// (x − Shift[f]) / Factor[f] when Scale is Standard or MinMax.
type Recipe struct {
	Columns []string  `json:"columns,omitempty"` // the features in order; nil where they have no names
	Dim     int       `json:"dim"`
	Scale   string    `json:"scale"`
	Missing string    `json:"missing,omitempty"`
	Shift   []float64 `json:"shift,omitempty"`
	Factor  []float64 `json:"factor,omitempty"`
	Means   []float64 `json:"means,omitempty"` // in place of missing cells, before scaling
	Text    *TFIDF    `json:"text,omitempty"`  // how documents become rows; nil for numbers
}

// Check tells whether the recipe is whole, as one from a damaged file is not.
func (r *Recipe) Check() error {
	if r.Dim < 1 {
		return fmt.Errorf("recipe of %d columns, at least 1 is needed", r.Dim)
	}
	if err := (Options{Scale: r.Scale, Missing: r.Missing}).check(); err != nil {
		return fmt.Errorf("recipe: %w", err)
	}
	byColumn := r.Scale == Standard || r.Scale == MinMax
	for _, part := range []struct {
		name   string
		length int
		needed bool
	}{
		{"columns", len(r.Columns), r.Columns != nil},
		{"shift", len(r.Shift), byColumn},
		{"factor", len(r.Factor), byColumn},
		{"means", len(r.Means), r.Missing == Mean && r.Text == nil},
	} {
		if part.needed && part.length != r.Dim {
			return fmt.Errorf("recipe of %d columns with %d %s", r.Dim, part.length, part.name)
		}
	}
	for f, y := range r.Factor {
		if y == 0 || !data.Finite(y) {
			return fmt.Errorf("recipe with factor %v of column %d, must be finite and not 0", y, f)
		}
	}
	if r.Text != nil && (len(r.Text.Vocabulary) != r.Dim || len(r.Text.IDF) != r.Dim) {
		return fmt.Errorf("recipe of %d columns with %d words and %d weights", r.Dim, len(r.Text.Vocabulary), len(r.Text.IDF))
	}
	if r.Text != nil {
		for f, y := range r.Text.IDF {
			if !(y > 0 && y < 100) { // ln n + 1 at most
				return fmt.Errorf("recipe with weight %v of word %q, must be above 0 and below 100", y, r.Text.Vocabulary[f])
			}
		}
	}
	return nil
}

// Apply prepares ds as the fitted rows were. Columns are matched by name where
// both sides have names, whatever their order; otherwise by place. Missing and
// additional columns are an error. Sparse rows of a format that does not state
// its width may be narrower than the recipe.
func (r *Recipe) Apply(ds *dataio.Dataset) (*Prepared, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	if err := clusterable(ds); err != nil {
		return nil, err
	}
	if r.Text != nil && ds.X != nil {
		return nil, fault(ds, "the model was made from documents, these are numbers", "say which column holds the text ({text})")
	}
	if r.Text == nil && ds.X == nil {
		return nil, fault(ds, "the model was made from numbers, these are documents", "leave out {text}")
	}
	return (&pass{r: r, ds: ds}).run()
}
