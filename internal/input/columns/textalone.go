package columns

import (
	"slices"
	"strings"

	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// textAlone leaves out the columns beside a column of documents that was named, unless others were
// named too: a date or a category beside a text says little about what it is about, and weighs as
// much. The other columns describe, unless the labels speak for them (Rules.Beside). It reports whether it did so.
func textAlone(ds *dataio.Dataset, rules Rules, decided []Column) bool {
	if ds.Beside == nil || rules.Beside || len(rules.Number)+len(rules.Category)+len(rules.Date)+len(rules.Log) > 0 {
		return false
	}
	tip := hint.Hint("the text alone is clustered; {number}, {category} or {date} adds columns")
	for j := range decided {
		if c := &decided[j]; c.Used || c.Irrelevant {
			c.Used, c.Irrelevant, c.Why, c.Shown = false, false, "beside the text", c.Spec.ValuesOf(ds, j)
			c.Tip, tip = tip, ""
		}
	}
	return true
}

// takeOnlyText makes the documents of a table without other columns to cluster by its points: of
// several columns of free text the one with most words.
func takeOnlyText(ds *dataio.Dataset, p *Plan) {
	best, most := -1, 0
	var docs []string
	for at, c := range p.Columns {
		if c.Role != Text || c.At < 0 {
			continue
		}
		texts, words := rawTexts(ds, slices.Index(ds.Columns, c.Name)), 0
		for _, s := range texts {
			words += len(strings.Fields(s))
		}
		if words > most {
			best, most, docs = at, words, texts
		}
	}
	if best < 0 {
		return
	}
	c := &p.Columns[best]
	c.Used, c.Why, c.Tip, c.At = true, "the only column to cluster by: documents, compared by TF-IDF", "{drop} leaves it out", -1
	ds.Docs, ds.X, ds.Columns, ds.Cells = docs, nil, nil, nil
}
