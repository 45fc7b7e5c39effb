package door

import (
	"context"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/internal/input/columns"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/judge/choose"
)

// tableBeside is t with the columns beside its text; ds is what was read.
func tableBeside(ds *dataio.Dataset, rules columns.Rules, t *Table) (*Table, error) {
	rules.Beside = true
	plan, err := columns.Decide(ds, rules)
	if err != nil {
		return nil, err
	}
	ds.IDs = t.ds.IDs // which NameRows may have given
	out := newTable(ds)
	out.id, out.text, out.missing, out.weight, out.transposed, out.plan = t.id, t.text, t.missing, t.weight, t.transposed, plan
	return out, nil
}

// preparedBy returns t in the form that a recipe takes: with the columns beside its text where the recipe has them.
func (t *Table) preparedBy(encoded bool) (*Table, error) {
	if !encoded || t.ds.Docs == nil || t.beside == nil {
		return t, nil
	}
	return t.beside()
}

// on returns the same constraints on t, which has the rows of their table.
func (c *Constraints) on(t *Table) *Constraints {
	if c.t == t {
		return c
	}
	out := *c
	out.t = t
	return &out
}

// decideBesideText is decide where a text is clustered alone and labels can say whether the columns beside it are better
// left out: the choice is made with them too, and the job with them is taken where that is right about clearly more
// held-out labels, or about no clearly fewer and each of the columns differs between the labelled classes. A label of a row without a word, which has no cluster without the columns, counts as wrong. What is said
// is kept back until it is known of which.
func (j *job) decideBesideText(ctx context.Context) (*job, error) {
	tell := j.notes.tell
	j.notes.tell = nil
	defer func() { j.notes.tell = tell }()
	err := j.decide(ctx)
	taken := j
	if err == nil && j.chosen != nil && len(j.chosen.Named) > 0 {
		if other := j.withColumns(ctx); other != nil {
			taken = other
		}
	}
	said := taken.notes.list
	taken.notes.list, taken.notes.tell = nil, tell
	for _, n := range said {
		taken.notes.pass(n)
	}
	return taken, err
}

// labelsBeside reports whether labels may speak for columns beside a text.
func (j *job) labelsBeside() bool {
	return j.t.beside != nil && j.t.ds.Docs != nil && j.o.automatic() && j.o.KMax == 0 && len(j.o.Views) == 0 && len(j.c.classes) > 1
}

// withColumns returns the job with the columns beside the text, where that is clearly better.
func (j *job) withColumns(ctx context.Context) *job {
	t, err := j.t.beside()
	some, all := tellClasses(t, j.c.knownClasses())
	if err != nil || !some {
		return nil
	}
	o := j.o
	o.Notify, o.Kept = nil, nil
	other, err := newJob(ctx, t, j.c.on(t), o)
	if err != nil || other.decide(ctx) != nil || other.chosen == nil || other.p.K != j.p.K {
		return nil
	}
	with, without := other.namedRows(), j.namedRows()
	var a, b []float64
	for _, e := range j.c.entries {
		right, known := with[e.i]
		if e.kind != labelList || !known {
			continue
		}
		delete(with, e.i) // once for each row
		a, b = append(a, right), append(b, without[e.i])
	}
	if len(a) == 0 || !choose.ClearlyBetter(a, b) && (!all || choose.ClearlyBetter(b, a)) {
		return nil
	}
	var names []string
	for _, c := range t.plan.Columns {
		if c.Used && c.Role != columns.Text {
			names = append(names, c.Name)
		}
	}
	said := slices.Clone(other.notes.list)
	other.notes.list = nil
	why := "the labels speak for it"
	if !choose.ClearlyBetter(a, b) {
		why = "each differs between the labelled classes"
	}
	other.notes.say("%s: %s count beside the text, since %s: right about %.0f %% of %d held-out labels, by the text alone about %.0f %% ({profile} leaves a column out)",
		t.Name(), strings.Join(names, ", "), why, 100*choose.Mean(a), len(a), 100*choose.Mean(b))
	other.notes.list = append(other.notes.list, said...)
	return other
}

// tellClasses reports whether some of the columns of t that are clustered on beside the text differ between the classes, and
// whether all of them do.
func tellClasses(t *Table, class []int) (some, all bool) {
	if t == nil || class == nil {
		return false, false
	}
	all = true
	for i := range t.plan.Columns {
		if c := &t.plan.Columns[i]; c.Used && c.At >= 0 {
			tells := c.TellsClasses(t.ds, class)
			some, all = some || tells, all && tells
		}
	}
	return some, some && all
}

// namedRows returns by row of the table whether its held-out label was right.
func (j *job) namedRows() map[int]float64 {
	out := make(map[int]float64, len(j.chosen.Named))
	for at, right := range j.chosen.Named {
		if j.rows != nil {
			at = j.rows[at]
		}
		out[at] = right
	}
	return out
}
