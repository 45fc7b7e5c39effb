package door

import (
	"cmp"
	"context"
	"encoding/csv"
	"io"
	"slices"
	"strconv"

	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/judge/suspect"
	"github.com/inklinghq/inkling/internal/support/format"
)

// A Suspect is a constraint with how likely it is wrong.
type Suspect = suspect.Suspect

// LooksWrong is the score above which summaries call a constraint a suspect.
const LooksWrong = 0.5

// A SuspectReport ranks the constraints on a table by how likely they are wrong. Its JSON is
// that of `inkling suspect --json`.
type SuspectReport struct {
	N        int       `json:"n"`        // rows
	K        int       `json:"k"`        // clusters, 0 where the number is not known
	Sample   int       `json:"sample"`   // rows that the constraints were judged on; all where it equals n
	Suspects []Suspect `json:"suspects"` // all constraints but beliefs, the likeliest to be wrong first
	Notes    []Note    `json:"-"`

	c     *Constraints
	score map[int]float64 // by entry of c
}

// Suspects ranks the constraints c on t by how likely they are wrong. Each is judged by
// fits that have not seen it; contradictory constraints are judged too. Of the options, K, those
// about preparation, Seed, Workers and Notify count. Package suspect explains the
// method.
func Suspects(ctx context.Context, t *Table, c *Constraints, o Options) (*SuspectReport, error) {
	j, err := newJob(ctx, t, c, o)
	if err != nil {
		return nil, err
	}
	j.scaleAlone()
	if err := j.prepare(ctx); err != nil {
		return nil, err
	}
	verdicts, err := j.judge(ctx, suspect.Options{})
	if err != nil {
		return nil, err
	}
	r := &SuspectReport{N: j.p.Len(), K: j.clusterCount(), Sample: j.p.Len(), c: j.c, score: map[int]float64{}}
	r.Suspects = j.known.suspects(verdicts, r.score)
	if verdicts.Sample > 0 {
		r.Sample = verdicts.Sample
		j.notes.say("judged on %d of %d rows: those with constraints and a random sample", r.Sample, r.N)
	}
	for _, note := range verdicts.Notes {
		j.notes.say("%s", note)
	}
	if n := len(j.known.set.Beliefs); n > 0 {
		j.notes.say("%s not judged: they are doubtful as they are given", format.Count(n, "belief"))
	}
	r.Notes = j.notes.list
	return r, nil
}

// Above returns how many constraints have a score above a bound.
func (r *SuspectReport) Above(bound float64) int { return suspect.CountAbove(r.Suspects, bound) }

// WriteLabels writes the labels whose score is at most a bound as id,label,weight;
// those that could not be judged, on rows left out for missing values, stay.
func (r *SuspectReport) WriteLabels(w io.Writer, bound float64) error {
	return r.write(w, bound, []string{"id", "label", "weight"}, func(e entry) []string {
		return []string{r.c.t.ID(e.i), r.c.classes[e.j], number(e.weight)}
	}, labelList)
}

// WriteLinks writes the must-links and cannot-links whose score is at most a bound as
// a,b,kind,weight. Beliefs have another form and stay in their own files.
func (r *SuspectReport) WriteLinks(w io.Writer, bound float64) error {
	return r.write(w, bound, []string{"a", "b", "kind", "weight"}, func(e entry) []string {
		return []string{r.c.t.ID(e.i), r.c.t.ID(e.j), string(e.kind), number(e.weight)}
	}, mustList, cannotList)
}

func (r *SuspectReport) write(w io.Writer, bound float64, head []string, line func(entry) []string, kinds ...list) error {
	lines := [][]string{head}
	for i, e := range r.c.entries {
		if slices.Contains(kinds, e.kind) && !(r.score[i] > bound) {
			lines = append(lines, line(e))
		}
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// WriteText writes the ranking for people: constraints with a score above a bound with the
// evidence, then a few others, or all. printable, if not nil, makes what comes from files
// harmless for a terminal.
func (r *SuspectReport) WriteText(w io.Writer, bound float64, all bool, printable func(string) string) error {
	return suspect.WriteText(w, r.Suspects, bound, all, printable)
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// clusterCount returns the number of clusters as far as it is known.
func (j *job) clusterCount() int {
	if j.p.K > 0 {
		return j.p.K
	}
	return j.known.set.Classes()
}

// judge judges the constraints on the prepared rows.
func (j *job) judge(ctx context.Context, o suspect.Options) (*suspect.Report, error) {
	p := *j.p
	p.K, p.Constraints, p.Views = j.clusterCount(), j.known.set, nil
	o.Seed, o.Workers, o.Memory = j.settings.Seed, j.settings.Workers, j.memory
	o.Progress = func(what string, done, total int) {
		j.progress(Progress{Stage: StageJudging, Method: what, Run: done, Runs: total})
	}
	r, err := suspect.Judge(ctx, &p, o)
	if err != nil && ctx.Err() == nil {
		return nil, j.failure(err)
	}
	return r, err
}

// suspects returns the verdicts on the constraints of b, the likeliest to be wrong first,
// and enters them in score, where it is not nil, by their entries.
func (b *bound) suspects(r *suspect.Report, score map[int]float64) []Suspect {
	out := []Suspect{}
	add := func(of list, at int, s Suspect, v suspect.Verdict) {
		place := b.places[of][at]
		s.Score, s.Why, s.File, s.Line = v.Wrong, v.Why, place.File, place.Line
		if score != nil {
			score[b.entries[of][at]] = v.Wrong
		}
		out = append(out, s)
	}
	for i, l := range b.set.Labels {
		add(labelList, i, Suspect{Kind: "label", ID: b.name(l.I), Label: b.set.Name(l.Class), Weight: l.W}, r.Labels[i])
	}
	for i, p := range b.set.Must {
		add(mustList, i, Suspect{Kind: "must", A: b.name(p.I), B: b.name(p.J), Weight: p.W}, r.Must[i])
	}
	for i, p := range b.set.Cannot {
		add(cannotList, i, Suspect{Kind: "cannot", A: b.name(p.I), B: b.name(p.J), Weight: p.W}, r.Cannot[i])
	}
	slices.SortStableFunc(out, func(a, b Suspect) int { return cmp.Compare(b.Score, a.Score) })
	return out
}

// Bounds of the search for suspects that is part of Cluster: below fewConstraints
// nothing can be said, and it works on at most clusterSample rows so that it stays short.
// A graph cannot be sampled.
const (
	fewConstraints = 10
	clusterSample  = 1000
	maxNodes       = 20000
	maxJudged      = 1500
)

// findSuspects judges the constraints beside a fit, unless that was switched off or
// would take long.
func (j *job) findSuspects(ctx context.Context) {
	count := len(j.known.set.Labels) + len(j.known.set.Must) + len(j.known.set.Cannot)
	if j.o.NoSuspects || j.verdicts != nil || count < fewConstraints {
		return
	}
	if count > maxJudged || j.p.X == nil && j.p.Len() > maxNodes {
		j.notes.say("constraints not judged, that would take longer than the fit; `inkling suspect` does it")
		return
	}
	r, err := j.judge(ctx, suspect.Options{MaxRows: clusterSample})
	if err == nil {
		j.verdicts = r
	} else if ctx.Err() != nil {
		j.notes.say("constraints not judged, no time was left; `inkling suspect` does it")
	}
}

// beRobust reweights or drops doubtful constraints before the fit, where that was asked
// for.
func (j *job) beRobust(ctx context.Context) error {
	if j.o.Robust == "" || j.o.Robust == suspect.RuleNone || j.known.set.Empty() {
		return nil
	}
	r, err := j.judge(ctx, suspect.Options{})
	if err != nil {
		return err
	}
	j.verdicts, j.judged = r, j.known
	known := *j.known
	known.set = r.Reweight(j.known.set, j.o.Robust)
	if j.o.Robust == suspect.RuleDrop {
		known.places = map[list][]Place{labelList: suspect.Undoubted(j.known.places[labelList], r.Labels), mustList: suspect.Undoubted(j.known.places[mustList], r.Must),
			cannotList: suspect.Undoubted(j.known.places[cannotList], r.Cannot), beliefList: j.known.places[beliefList]}
		count := r.Above(suspect.DropAbove)
		j.notes.warn("{robust=drop} left out %s with a score above %v; `inkling suspect` lists them", format.Count(count, "constraint"), suspect.DropAbove)
	} else {
		j.notes.say("{robust=weight} multiplies the weight of each constraint by (1 - score)^4; %s with a score above %v", format.Count(r.Above(LooksWrong), "constraint"), LooksWrong)
	}
	known.soft = len(known.set.SoftSeeds())
	j.known = &known
	return nil
}

// Obeyed says how many suspects a method that never violates constraints satisfied,
// and what that costs.
type Obeyed struct {
	Suspects int `json:"suspects"`
	// Cost is by how much the objective would fall if each row of a suspect were
	// in its cheapest cluster; nil where the method has no costs for single rows.
	Cost *float64 `json:"cost"`
}

// addSuspects enters the suspects into the result.
func (r *Result) addSuspects(j *job) {
	r.Suspects = []Suspect{}
	if j.verdicts == nil {
		return
	}
	judged := j.known
	if j.judged != nil {
		judged = j.judged
	}
	all := judged.suspects(j.verdicts, nil)
	r.Judged = len(all)
	r.Suspects = append(r.Suspects, all[:suspect.CountAbove(all, LooksWrong)]...)
	if j.method.Hard() && j.judged == nil {
		r.Obeyed = j.obeyed()
	}
}

// obeyed counts the suspects that the fit satisfies.
func (j *job) obeyed() *Obeyed {
	o, cost, known := &Obeyed{}, 0.0, true
	rows := map[int]bool{}
	satisfied := func(v suspect.Verdict, holds bool, points ...int) {
		if v.Wrong > LooksWrong && holds {
			o.Suspects++
			for _, i := range points {
				rows[i] = true
			}
		}
	}
	set, labels := j.known.set, j.fitted.Labels
	names := score.ClusterNames(labels, j.p.K, j.p.Constraints)
	for i, l := range set.Labels {
		satisfied(j.verdicts.Labels[i], names[labels[l.I]] == set.Name(l.Class), l.I)
	}
	for i, p := range set.Must {
		satisfied(j.verdicts.Must[i], labels[p.I] == labels[p.J], p.I, p.J)
	}
	for i, p := range set.Cannot {
		satisfied(j.verdicts.Cannot[i], labels[p.I] != labels[p.J], p.I, p.J)
	}
	if o.Suspects == 0 {
		return nil
	}
	for i := range rows {
		best, ok := j.fitted.CheapestMove(j.p, i)
		known = known && ok
		cost -= min(best, 0)
	}
	if known {
		o.Cost = &cost
	}
	return o
}
