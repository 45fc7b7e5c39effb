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

// proseWords is the mean number of words of cells that are documents, rather than titles or addresses.
const proseWords = 8

// preferProse leaves out the columns of a table of which none predicts another where a column of documents stands beside them, as
// the date and the state of a message beside what it says: takeOnlyText then takes the documents. It does not where the user named columns.
func (in *inference) preferProse(p *Plan, list []Column) {
	if in.rules.decided() || p.Plain || p.Shape != "" || in.ds.Beside != nil || !slices.ContainsFunc(list, func(c Column) bool { return c.Role == Text && in.isProse(c) }) {
		return
	}
	for _, c := range list {
		if c.Used && (c.Relevance == nil || *c.Relevance >= leastRelevance) {
			return
		}
	}
	for i := range list {
		if list[i].Used {
			list[i].leaveOut(in.ds)
		}
	}
}

// isProse reports whether nearly every row has a text of its own, of so many words on average.
func (in *inference) isProse(c Column) bool {
	words, texts, different := 0, 0, map[string]bool{}
	for _, s := range c.Spec.Texts(in.ds, c.At) {
		if s != "" {
			words += len(strings.Fields(s))
			texts++
			different[s] = true
		}
	}
	return words >= proseWords*texts && float64(len(different)) >= mostly*float64(in.ds.X.Len())
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
