package columns

import (
	"context"
	"fmt"
	"slices"

	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/support/hint"
	"github.com/inklinghq/inkling/internal/support/suggest"
)

// decided reports whether a rule changes what becomes of features.
func (r *Rules) decided() bool {
	return len(r.Number)+len(r.Category)+len(r.Date)+len(r.Profile)+len(r.Edits) > 0 || len(r.Log) > 0 && r.Log[0] != None
}

// Decide gives each column of ds its role. Where a column of ids is found, the ids
// of ds are set; where only the documents beside the columns are left, ds becomes
// those documents.
func Decide(ds *dataio.Dataset, rules Rules) (*Plan, error) {
	if ds.Columns == nil || ds.X == nil {
		if len(rules.Profile) > 0 {
			return nil, noColumn(ds, "profile", rules.Profile[0])
		}
		return documentsPlan(ds, rules), nil
	}
	several, err := divide(ds, rules)
	if err != nil {
		return nil, err
	}
	if err := rules.check(ds); err != nil {
		return nil, err
	}
	in := newInference(ds, rules)
	p := &Plan{Several: several, Plain: ds.Cells == nil && !rules.decided() && ds.Beside == nil && !in.anyMissing()}
	in.plain = p.Plain
	decided, err := in.decideEach()
	if err != nil {
		return nil, err
	}
	if !rules.Any {
		if err := in.takeTimes(decided); err != nil {
			return nil, err
		}
		in.refine(p, decided)
		in.takeUnrelatedNumbers(decided)
		in.preferProse(p, decided)
	}
	used := 0
	for j, c := range decided {
		if slices.Contains(rules.Profile, c.Name) {
			c.Used, c.Why, c.Tip, c.Shown = false, "described in the report, not clustered on", "", c.Spec.ValuesOf(ds, j)
		}
		decided[j] = c
		if c.Used {
			used++
		}
	}
	if textAlone(ds, rules, decided) {
		p.TextAlone, used = used > 0, 0
	}
	p.Columns = inFileOrder(ds, rules, decided)
	if used == 0 && ds.Beside == nil && !rules.Any {
		takeOnlyText(ds, p)
	}
	switch {
	case used == 0 && ds.Beside != nil:
		ds.Docs, ds.X, ds.Columns, ds.Cells, ds.Beside = ds.Beside, nil, nil, nil, nil
	case used == 0 && !rules.Any && ds.Docs == nil:
		return nil, &dataio.Error{File: ds.Name, Msg: "no column is left to cluster by", Hint: p.whyNothing()}
	}
	return p, nil
}

// decideEach gives each column its role by its own cells. Columns are looked at side by side as if none before them held
// the ids; where one does, those after it whose role depends on that are looked at again.
func (in *inference) decideEach() ([]Column, error) {
	decided, failed := make([]Column, len(in.ds.Columns)), make([]error, len(in.ds.Columns))
	_ = blocks.Tasks(context.Background(), 0, len(decided), func(j int) { // without an end before its time
		alone := *in
		decided[j], failed[j] = alone.decide(j)
	})
	before := in.idFound
	for j := range decided {
		if in.idFound != before && (failed[j] != nil || decided[j].Role == ID || namesID(decided[j].Name)) {
			decided[j], failed[j] = in.decide(j)
		}
		if failed[j] != nil {
			return nil, failed[j]
		}
		if decided[j].Role == ID {
			in.ds.IDs, in.idFound = rawTexts(in.ds, j), true
		}
	}
	if !in.idFound {
		in.takeOnlyCodes(decided)
	}
	return decided, nil
}

// takeUnrelatedNumbers makes the first column the ids where none were found and it holds whole numbers, another one in every row, that
// the other columns do not predict.
func (in *inference) takeUnrelatedNumbers(decided []Column) {
	c := &decided[0]
	if in.idFound || in.rules.NoID || !c.Irrelevant || c.Role != Number || c.Missing > 0 || slices.Contains(in.rules.Profile, c.Name) {
		return
	}
	if s := describe(columnOf(in.ds, 0)); s.whole && s.low >= 0 && s.n == in.ds.X.Len() && s.distinct == s.n {
		c.Irrelevant, c.Shown = false, nil
		in.useIDs(c)
		in.ds.IDs, in.idFound = rawTexts(in.ds, 0), true
	}
}

// takeOnlyCodes makes the column of codes that is another one in every row the ids where none was found and there is only one.
func (in *inference) takeOnlyCodes(decided []Column) {
	only := -1
	for j, c := range decided {
		if c.Role != Unique || c.Why != ownValue || in.givenRole(c.Name) != "" || slices.Contains(in.rules.Profile, c.Name) {
			continue
		}
		codes := rawTexts(in.ds, j)
		if slices.ContainsFunc(codes, func(s string) bool { return !looksLikeID(s) }) {
			continue
		}
		if only >= 0 {
			return
		}
		only = j
	}
	if only >= 0 && !in.rules.NoID {
		in.useIDs(&decided[only])
		in.ds.IDs, in.idFound = rawTexts(in.ds, only), true
	}
}

// refine looks at the columns together: which are relevant, whether their rows are compared by shape,
// and whether a table of plain numbers needs any of it.
func (in *inference) refine(p *Plan, list []Column) {
	in.shareSentinels(list)
	in.jointLogs(list)
	extents := in.extents(list)
	spread := in.commonSpread(extents)
	for i, c := range list {
		p.Extremes = p.Extremes || !c.Spec.Log && extents[i].hasExtremes(spread)
	}
	if in.plain {
		p.Plain = !p.Extremes && !slices.ContainsFunc(list, func(c Column) bool { return c.Role != Number || len(c.Spec.Sentinels) > 0 || c.Spec.Log })
	}
	if !p.Plain {
		in.dropTotals(list)
	}
	in.decideShape(p, list)
	if p.Plain {
		for i := range list {
			list[i].Spec = Spec{Name: list[i].Name, Role: Number}
		}
		return
	}
	if p.Shape == "" {
		in.dropRestated(list)
		in.dropRenamed(list)
		in.dropDerived(list)
		in.dropIrrelevant(list)
		in.weighIndicators(list)
	}
}

// whyNothing says why no column is used.
func (p *Plan) whyNothing() hint.Hint {
	var why []string
	for _, c := range p.Columns {
		why = append(why, fmt.Sprintf("%s: %s", c.Name, c.Why))
	}
	return hint.Sprintf("%s; {number}, {category}, {date} and {text} name columns to use", shortList(why, 5))
}

// documentsPlan is the plan of documents without columns beside them; nil where
// there is no table at all.
func documentsPlan(ds *dataio.Dataset, rules Rules) *Plan {
	if ds.Docs == nil || ds.Names == nil {
		return nil
	}
	return &Plan{Plain: true, Columns: inFileOrder(ds, rules, nil)}
}

// inFileOrder puts the columns that are not features beside those that are.
func inFileOrder(ds *dataio.Dataset, rules Rules, decided []Column) []Column {
	if ds.Names == nil {
		return decided
	}
	at := map[string]int{}
	for j, c := range decided {
		at[c.Name] = j
	}
	var out []Column
	for _, name := range ds.Names {
		if j, ok := at[name]; ok {
			out = append(out, decided[j])
			delete(at, name)
			continue
		}
		c := Column{Name: name, Role: Dropped, Why: "left out on request", At: -1}
		switch name {
		case rules.ID:
			c.Role, c.Why = ID, "named as the ids of the rows"
		case rules.Label:
			c.Role, c.Why = Label, "known labels"
		case rules.Text:
			c.Role, c.Used, c.Why = Text, true, "documents, compared by TF-IDF"
		}
		if isList(name, decided) {
			continue
		}
		out = append(out, c)
	}
	for _, c := range decided { // features of lists, and columns without names
		if _, left := at[c.Name]; left {
			out = append(out, c)
		}
	}
	return out
}

// isList reports whether a column holds lists, whose features are name.0, name.1, …
func isList(name string, decided []Column) bool {
	return slices.ContainsFunc(decided, func(c Column) bool { return c.Name == name+".0" })
}

// check refuses rules about columns that are not there, and two for one column.
func (r *Rules) check(ds *dataio.Dataset) error {
	role := map[string]string{}
	for _, list := range []struct {
		option string
		names  []string
	}{{"number", r.Number}, {"category", r.Category}, {"date", r.Date}} {
		for _, name := range list.names {
			if !slices.Contains(ds.Columns, name) {
				return noColumn(ds, list.option, name)
			}
			if was := role[name]; was != "" && was != list.option {
				return &dataio.Error{File: ds.Name, Msg: fmt.Sprintf("column %q cannot be a %s and a %s", name, was, list.option)}
			}
			role[name] = list.option
		}
	}
	for _, name := range r.Profile {
		if !slices.Contains(ds.Columns, name) {
			return noColumn(ds, "profile", name)
		}
	}
	for _, name := range r.Drop {
		if !slices.Contains(ds.Columns, name) && !slices.Contains(ds.Names, name) {
			return noColumn(ds, "drop", name)
		}
	}
	for _, name := range r.Log {
		if (name == Auto || name == None) && len(r.Log) == 1 {
			continue
		}
		if !slices.Contains(ds.Columns, name) {
			return noColumn(ds, "log", name)
		}
		if was := role[name]; was != "" && was != "number" {
			return &dataio.Error{File: ds.Name, Msg: fmt.Sprintf("column %q is a %s, which has no logarithm", name, was)}
		}
	}
	return nil
}

func noColumn(ds *dataio.Dataset, option, name string) error {
	e := &dataio.Error{File: ds.Name, Msg: fmt.Sprintf("there is no column %q to be a %s", name, option)}
	if option == "log" {
		e.Msg = fmt.Sprintf("there is no column %q to take the logarithm of", name)
	}
	if option == "drop" {
		e.Msg = fmt.Sprintf("there is no column %q to leave out", name)
	}
	if option == "profile" {
		e.Msg = fmt.Sprintf("there is no column %q to describe clusters by", name)
	}
	if slices.Contains(ds.Names, name) {
		as := "be a " + option
		switch option {
		case "log":
			as = "be replaced by its logarithm"
		case "profile":
			as = "describe clusters"
		}
		e.Msg = fmt.Sprintf("column %q has another use already, so it cannot %s", name, as)
	}
	if near := suggest.DidYouMean(name, ds.Columns); near != "" {
		e.Hint = hint.Sprintf("%s", near)
		return e
	}
	e.Hint = hint.Sprintf("the columns are %s", shortList(ds.Columns, 12))
	return e
}
