package door

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/support/format"
)

// A ConstraintReport is what CheckConstraints finds. Its JSON is that of
// `inkling check --json`.
type ConstraintReport struct {
	N          int           `json:"n"`
	Labels     int           `json:"labels"`
	Must       int           `json:"must"`
	Cannot     int           `json:"cannot"`
	Beliefs    int           `json:"beliefs"`
	Classes    []string      `json:"classes"`
	Components int           `json:"components"` // of rows that must be together
	Largest    int           `json:"largest"`    // rows in the largest component
	Conflicts  []Conflict    `json:"conflicts"`
	Drop       []Drop        `json:"drop"`
	Feasible   Feasibility   `json:"feasible"`
	Why        string        `json:"why"` // it is not feasible, or unknown
	Problems   []Fault       `json:"problems"`
	Views      []ViewSummary `json:"views,omitempty"`
	// More says that there are more contradictions than are listed.
	More  bool   `json:"-"`
	Point string `json:"-"` // what a row is called: row or node
}

// A Feasibility says whether the constraints can be satisfied. In JSON it is true,
// false or "unknown".
type Feasibility string

// The answers.
const (
	FeasibleYes     Feasibility = "yes"
	FeasibleNo      Feasibility = "no"
	FeasibleUnknown Feasibility = "unknown" // the search was given up
)

// MarshalJSON writes true, false or "unknown".
func (f Feasibility) MarshalJSON() ([]byte, error) {
	if f == FeasibleUnknown {
		return json.Marshal(string(f))
	}
	return json.Marshal(f == FeasibleYes)
}

// A Conflict is a contradiction: a and b cannot be in one cluster, but the chain
// of must-links and equal labels between them says that they must.
type Conflict struct {
	A     string   `json:"a"`
	B     string   `json:"b"`
	Chain []string `json:"chain"`
	Text  string   `json:"text"`
	Where []string `json:"where"`
}

// A Drop is a constraint to remove: a pair, or the label of a, b being its class.
type Drop struct {
	Kind string `json:"kind"` // must, cannot or label
	A    string `json:"a"`
	B    string `json:"b"`
	File string `json:"file"`
	Line int    `json:"line"`
}

func (d Drop) String() string {
	at := Place{d.File, d.Line}
	if d.Kind == "label" {
		return fmt.Sprintf("%s: %s is labelled %s", at, d.A, d.B)
	}
	return fmt.Sprintf("%s: %s and %s %s be together", at, d.A, d.B, d.Kind)
}

// MaxConflicts is how many contradictions a ConstraintReport proves; the rest
// waits until these are resolved.
const MaxConflicts = 100

// CheckConstraints looks for ids that no row has, pairs given twice or as both
// kinds, rows paired with themselves, contradictions, each with the shortest
// chain that proves it, and the fewest constraints found to remove so that none
// is left. With o.K it says whether k clusters can satisfy the constraints, and
// with o.Views whether these have the rows of t. The other options are ignored,
// except Workers and Notify; rows that Source.Missing or Names.Missing drops are
// left out.
func CheckConstraints(ctx context.Context, t *Table, c *Constraints, o Options) (*ConstraintReport, error) {
	if err := contextError(ctx); err != nil {
		return nil, err
	}
	if err := o.Check(); err != nil {
		return nil, err
	}
	said := &notes{tell: o.Notify}
	c, err := constraintsOn(t, c, said)
	if err != nil {
		return nil, err
	}
	n, rows := t.Len(), []int(nil)
	if t.missing == prepare.Drop && t.ds.X != nil {
		_, ready, err := prepare.Fit(t.ds, prepare.Options{Missing: prepare.Drop, Plan: t.plan, Workers: o.Workers})
		if err != nil {
			return nil, err
		}
		n, rows = ready.X.Len(), ready.Rows
	}
	if o.K > n {
		return nil, tooManyClusters(o.K, n, t.point())
	}
	b := c.bind(rows)
	if b.dropped > 0 {
		said.warn("ignored %s on rows dropped for missing values", format.Count(b.dropped, "constraint"))
	}
	r := &ConstraintReport{N: n, Labels: len(b.set.Labels), Must: len(b.set.Must), Cannot: len(b.set.Cannot), Beliefs: len(b.set.Beliefs),
		Classes: b.set.Names, Problems: c.lint(b, n), Conflicts: []Conflict{}, Drop: []Drop{}, Feasible: FeasibleUnknown, Point: t.point()}
	if err := r.addViews(ctx, t, b, n, o); err != nil {
		return nil, err
	}
	if r.Problems == nil {
		r.Problems = []Fault{}
	}
	if r.Classes == nil {
		r.Classes = []string{}
	}
	if err := r.addConflicts(ctx, b, n); err != nil {
		return nil, err
	}
	set := b.set
	if len(r.Conflicts) > 0 { // without cannot-links and labels nothing contradicts
		set = &constraint.Set{Must: set.Must}
	}
	closed, err := constraint.Close(n, set)
	if err != nil {
		return nil, err
	}
	r.Components, r.Largest = closed.Components(), closed.Size(closed.Largest())
	if len(r.Conflicts) == 0 {
		r.judge(ctx, b, closed, o.K)
	}
	return r, ctx.Err()
}

func (r *ConstraintReport) addConflicts(ctx context.Context, b *bound, n int) error {
	for at, c := range constraint.Conflicts(n, b.set, MaxConflicts+1) {
		if r.More = at == MaxConflicts; r.More {
			break
		}
		r.Conflicts = append(r.Conflicts, b.conflict(c))
	}
	if len(r.Conflicts) == 0 {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	r.Drop = b.repair(n)
	r.Feasible, r.Why = FeasibleNo, "the constraints contradict each other"
	return nil
}

func (b *bound) conflict(c *constraint.ConflictError) Conflict {
	out := Conflict{A: b.name(c.A), B: b.name(c.B), Chain: []string{b.name(c.A)}, Text: b.proof(c), Where: []string{}}
	for _, s := range c.Chain {
		out.Chain = append(out.Chain, b.name(s.To))
	}
	for _, p := range b.where(c) {
		out.Where = append(out.Where, p.String())
	}
	return out
}

// judge says whether k clusters, or as many as there are rows, can satisfy the
// constraints.
func (r *ConstraintReport) judge(ctx context.Context, b *bound, closed *constraint.Closure, k int) {
	if k == 0 {
		r.Feasible = FeasibleYes // every component in a cluster of its own
		return
	}
	_, v := closed.Colour(ctx, k)
	switch v.Answer {
	case constraint.Yes:
		r.Feasible = FeasibleYes
	case constraint.No:
		r.Feasible, r.Why = FeasibleNo, b.infeasible(closed, v)
	default:
		r.Why = v.Why
	}
}

// Err returns an error for the worst that was found: an *InputError for an id
// that does not exist, a *ConstraintError for a contradiction or too few clusters,
// else nil.
func (r *ConstraintReport) Err() error {
	for _, p := range r.Problems {
		if p.Kind == FaultUnknownID || p.Kind == FaultUnknownKind || p.Kind == FaultWeight || p.Kind == FaultView {
			return &InputError{File: cmp.Or(p.File, "constraints"), Line: p.Line, Msg: p.Message, Hint: p.Hint}
		}
	}
	if len(r.Conflicts) > 0 {
		return &ConstraintError{Msg: "the constraints contradict each other: " + r.Conflicts[0].Text}
	}
	if r.Feasible == FeasibleNo {
		return &ConstraintError{Msg: "the constraints cannot be satisfied: " + strings.TrimSpace(r.Why)}
	}
	return nil
}

// lint returns everything that is wrong with single constraints.
func (c *Constraints) lint(b *bound, n int) []Fault {
	out := append([]Fault(nil), c.unknown...)
	for _, p := range constraint.Lint(n, b.set) {
		at := b.places[list(p.List)][p.Index]
		out = append(out, Fault{Kind: FaultKind(p.Kind), File: at.File, Line: at.Line, Message: p.Describe(b.name)})
	}
	return out
}

// repair returns constraints, as few as are found, without which the others do
// not contradict each other.
func (b *bound) repair(n int) []Drop {
	d := constraint.Repair(n, b.set)
	out := make([]Drop, 0, d.Len())
	add := func(kind string, of list, at int, x, y string) {
		p := b.places[of][at]
		out = append(out, Drop{kind, x, y, p.File, p.Line})
	}
	for _, at := range d.Must {
		p := b.set.Must[at]
		add("must", mustList, at, b.name(p.I), b.name(p.J))
	}
	for _, at := range d.Cannot {
		p := b.set.Cannot[at]
		add("cannot", cannotList, at, b.name(p.I), b.name(p.J))
	}
	for _, at := range d.Labels {
		l := b.set.Labels[at]
		add("label", labelList, at, b.name(l.I), b.set.Name(l.Class))
	}
	return out
}
