package prepare

import (
	"fmt"
	"slices"

	"github.com/inklinghq/inkling/internal/input/dataio"
)

// matchColumns returns where each column of the dataset goes, nil if each is
// in its place already.
func (p *pass) matchColumns() ([]int32, error) {
	want, have := p.r.Columns, p.ds.Columns
	if want == nil || have == nil {
		return nil, p.matchWidth()
	}
	if slices.Equal(want, have) {
		return nil, nil
	}
	at := make(map[string]int32, len(want))
	for f, name := range want {
		at[name] = int32(f)
	}
	to := make([]int32, len(have))
	seen := make(map[string]bool, len(have))
	var extra, missing []string
	for f, name := range have {
		g, ok := at[name]
		if ok && seen[name] {
			return nil, fault(p.ds, fmt.Sprintf("column %q is there twice", name), "give each column its own name")
		}
		if !ok {
			extra = append(extra, name)
		}
		seen[name], to[f] = true, g
	}
	for _, name := range want {
		if !seen[name] {
			missing = append(missing, name)
		}
	}
	if err := p.wrongColumns(missing, extra); err != nil {
		return nil, err
	}
	if len(at) != len(want) {
		return nil, fault(p.ds, "the model has two columns of one name, so columns can be matched only in their order", "bring them into the order of the fitted data")
	}
	p.addNote("columns are in another order than in the fitted data; matched by name")
	return to, nil
}

func (p *pass) wrongColumns(missing, extra []string) error {
	switch {
	case len(missing) > 0 && len(extra) > 0:
		return fault(p.ds, fmt.Sprintf("columns missing: %s; columns the model does not know: %s", quoteNames(missing), quoteNames(extra)), "give the columns the model was fitted on")
	case len(missing) > 0:
		return fault(p.ds, "columns missing: "+quoteNames(missing), "the model was fitted with them")
	case len(extra) > 0:
		return fault(p.ds, "columns the model does not know: "+quoteNames(extra), "leave them out ({drop}), or say which one is the id ({id})")
	}
	return nil
}

// matchWidth checks the number of columns, where names cannot.
func (p *pass) matchWidth() error {
	d := p.ds.X.Dim()
	if d < p.r.Dim && p.ds.Format == dataio.SVM {
		// The format states no width: the last features just do not occur.
		p.addNote("features %d to %d do not occur; taken as 0", d, p.r.Dim-1)
		return nil
	}
	if d != p.r.Dim {
		return fault(p.ds, fmt.Sprintf("%d columns, the model was fitted on %d", d, p.r.Dim), "give the columns the model was fitted on")
	}
	if (p.r.Columns == nil) != (p.ds.Columns == nil) {
		p.addNote("only one of the model and the data has column names; matched by place")
	}
	return nil
}
