package report

import (
	"slices"

	"github.com/inklinghq/inkling/internal/input/columns"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/input/prepare"
)

// AddTable adds the columns of a table of several kinds in their own units, as recipe
// read them, and those that plan only describes clusters by. rows are those that are left
// of the table; nil: all.
func (c *Clustering) AddTable(ds *dataio.Dataset, plan *columns.Plan, recipe *prepare.Recipe, rows []int) {
	c.Rows = rows
	if recipe != nil && recipe.Encoding != nil {
		for _, e := range recipe.Encoding.Columns {
			if j := slices.Index(ds.Columns, e.Name); j >= 0 {
				c.Fields = append(c.Fields, newColumn(e.Name, e.Unit, e.ValuesOf(ds, j), rows))
			}
		}
	} else if slices.Equal(ds.Columns, c.Columns) { // a saved model may have them in another order
		c.Values = ds.X
	}
	for _, column := range plan.Lines() {
		if column.Shown != nil {
			c.Profile = append(c.Profile, newColumn(column.Name, column.Spec.Unit, column.Shown, rows))
		}
	}
}

func newColumn(name, unit string, v *columns.Values, rows []int) Column {
	c := Column{Name: name, Unit: unit, Numbers: v.Numbers, Texts: v.Texts, Dates: v.Dates}
	if rows != nil {
		c.Numbers, c.Texts = pickRows(v.Numbers, rows), pickRows(v.Texts, rows)
	}
	return c
}

func pickRows[T any](all []T, rows []int) (out []T) {
	if all == nil {
		return nil
	}
	for _, i := range rows {
		out = append(out, all[i])
	}
	return out
}
