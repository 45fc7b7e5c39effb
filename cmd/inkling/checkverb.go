package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/prepare"
)

// checkCard is what there is to say about knowledge.
type checkCard struct {
	Schema     string         `json:"schema"`
	N          int            `json:"n"`
	Labels     int            `json:"labels"`
	Must       int            `json:"must"`
	Cannot     int            `json:"cannot"`
	Beliefs    int            `json:"beliefs"`
	Classes    []string       `json:"classes"`
	Components int            `json:"components"`
	Largest    int            `json:"largest"`
	Conflicts  []conflictCard `json:"conflicts"`
	Drop       []dropCard     `json:"drop"`
	Feasible   any            `json:"feasible"` // true, false or "unknown"
	Why        string         `json:"why"`
	Problems   []fault        `json:"problems"`
	Views      []checkedView  `json:"views,omitempty"`
	point      string         // what a row is called
	more       bool           // there are more contradictions than are listed
}

// A conflictCard is a contradiction: a and b, and the chain of ids that joins
// them; text says it in words, where has the file and line of each piece.
type conflictCard struct {
	A     string   `json:"a"`
	B     string   `json:"b"`
	Chain []string `json:"chain"`
	Text  string   `json:"text"`
	Where []string `json:"where"`
}

// maxConflicts is how many contradictions are proved; the rest wait for these
// to be mended. maxShown is how many of a kind are shown to people.
const (
	maxConflicts = 100
	maxShown     = 10
)

func (a *app) checkVerb() *cobra.Command {
	var in input
	var known sources
	var others views
	k := 0
	cmd := &cobra.Command{
		Use:   "check DATA",
		Short: "find what is wrong with labels and links, before clustering",
		Long: `Look for ids that no row has, pairs given twice or as both kinds, rows paired with
themselves, and contradictions, each with the shortest chain that proves it, and the few
pieces to drop so that none is left; with -k, tell whether k clusters can honour it all.
Of views, look for ids that they or DATA lack.
Exit codes: 3 an id is unknown, 4 contradictory or infeasible, else 0.`,
		Example: `  inkling check example:iris.csv --labels example:iris-labels.csv --links example:iris-links.csv -k 3
  inkling check example:text.csv --text text --links example:text-links.csv
  inkling check example:wine.csv --links example:wine-links.csv --view example:wine.csv --json`,
		Args: exactly(1, "one DATA: a file, a folder of documents, or - for stdin"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := in.check(); err != nil {
				return err
			}
			if err := enough(cmd, k); err != nil {
				return err
			}
			if err := others.check(""); err != nil {
				return err
			}
			if err := once(slices.Concat(known.files(), others.files, args)...); err != nil {
				return err
			}
			return a.check(args[0], &in, &known, &others, k)
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().IntVarP(&k, "k", "k", 0, "number of clusters that are to honour it (default: any number)")
	known.flags(cmd)
	others.flags(cmd)
	in.reading(cmd)
	in.preparing(cmd)
	return cmd
}

func (a *app) check(path string, in *input, from *sources, others *views, k int) error {
	in.read.Missing = true // missing values are not what is being checked
	ds, _, err := a.open(path, in.read)
	if err != nil {
		return err
	}
	n, rows := ds.Len(), []int(nil)
	if in.prep.Missing == prepare.Drop && ds.X != nil {
		_, ready, err := prepare.Fit(ds, prepare.Options{Missing: prepare.Drop, Workers: in.prep.Workers})
		if err != nil {
			return err
		}
		n, rows = ready.X.Len(), ready.Rows
	}
	know, err := a.load(from, ds, rows)
	if err != nil {
		return err
	}
	if k > n {
		return tooMany(k, n, know.point)
	}
	set := know.set
	card := &checkCard{
		Schema: "inkling.check/1", N: n, Labels: len(set.Labels), Must: len(set.Must), Cannot: len(set.Cannot), Beliefs: len(set.Beliefs),
		Classes: set.Names, Problems: know.lint(n), Conflicts: []conflictCard{}, Drop: []dropCard{}, Feasible: "unknown", point: know.point,
	}
	look := &viewer{app: a, in: in, views: others, ds: ds, know: know, n: n}
	if err := look.checkAll(card); err != nil {
		return err
	}
	if card.Problems == nil {
		card.Problems = []fault{}
	}
	if card.Classes == nil {
		card.Classes = []string{}
	}
	for at, c := range constraint.Conflicts(n, set, maxConflicts+1) {
		if card.more = at == maxConflicts; card.more {
			break
		}
		card.Conflicts = append(card.Conflicts, newConflictCard(c, know))
	}
	if len(card.Conflicts) > 0 {
		_, _ = a.timed("looking for what to drop", func() error {
			card.Drop = know.repair(n)
			return nil
		})
		card.Feasible, card.Why = false, "what is known contradicts itself"
		// Without the cannot-links and labels there is nothing to contradict.
		set = &constraint.Set{Must: set.Must}
	}
	closed, err := constraint.Close(n, set)
	if err != nil {
		return err
	}
	card.Components, card.Largest = closed.Components(), closed.Size(closed.Largest())
	if len(card.Conflicts) == 0 {
		card.judge(know, closed, n, k)
	}
	if a.json {
		if err := a.printJSON(card); err != nil {
			return err
		}
	} else {
		card.print(a, k)
	}
	return card.verdict()
}

// judge tells whether k clusters, or as many as there are rows, can honour it.
func (c *checkCard) judge(know *knowledge, closed *constraint.Closure, n, k int) {
	if k == 0 {
		c.Feasible = true // every component in a cluster of its own
		return
	}
	v := closed.Feasible(k)
	switch v.Answer {
	case constraint.Yes:
		c.Feasible = true
	case constraint.No:
		c.Feasible, c.Why = false, know.infeasible(closed, v)
	default:
		c.Why = v.Why
	}
}

func newConflictCard(c *constraint.ConflictError, k *knowledge) conflictCard {
	out := conflictCard{A: k.name(c.A), B: k.name(c.B), Chain: []string{k.name(c.A)}, Text: k.proved(c), Where: []string{}}
	for _, s := range c.Chain {
		out.Chain = append(out.Chain, k.name(s.To))
	}
	for _, p := range k.where(c) {
		out.Where = append(out.Where, p.String())
	}
	return out
}

// print writes the card for people; it is the result, so it goes to stdout.
func (c *checkCard) print(a *app, k int) {
	out := a.stdout
	fmt.Fprintf(out, "%s\n", count(c.N, c.point))
	fmt.Fprintf(out, "labels        %d", c.Labels)
	if len(c.Classes) > 0 {
		fmt.Fprintf(out, ", classes %s", printable(few(c.Classes, 10)))
	}
	fmt.Fprintf(out, "\nmust-links    %d\ncannot-links  %d\n", c.Must, c.Cannot)
	if c.Beliefs > 0 {
		fmt.Fprintf(out, "beliefs       %d\n", c.Beliefs)
	}
	for _, v := range c.Views {
		fmt.Fprintf(out, "view          %s\n", printable(v.String()))
	}
	fmt.Fprintf(out, "components    %d, the largest of %s\n", c.Components, count(c.Largest, c.point))
	c.printProblems(a)
	c.printConflicts(a)
	switch {
	case len(c.Conflicts) > 0:
	case c.Feasible == false:
		fmt.Fprintf(out, "not feasible with k = %d: %s\n", k, printable(c.Why))
	case c.Feasible == true && k > 0:
		fmt.Fprintf(out, "feasible with k = %d\n", k)
	case c.Feasible == true && len(c.Problems) == 0:
		fmt.Fprintln(out, "no contradictions")
	case c.Feasible == "unknown":
		fmt.Fprintf(out, "whether k = %d clusters can honour it is not known: %s\n", k, c.Why)
	}
}

// printProblems writes what is wrong with single pieces: the harmless last, and
// of each kind the first few unless more is asked for.
func (c *checkCard) printProblems(a *app) {
	var first, last []fault
	for _, p := range c.Problems {
		if p.Kind == string(constraint.Duplicate) {
			last = append(last, p)
		} else {
			first = append(first, p)
		}
	}
	shown, left := map[string]int{}, map[string]int{}
	for _, p := range append(first, last...) {
		if shown[p.Kind] == maxShown && !a.verbose {
			left[p.Kind]++
			continue
		}
		shown[p.Kind]++
		fmt.Fprintf(a.stdout, "%s\n", printable(p.String()))
	}
	for _, kind := range slices.Sorted(maps.Keys(left)) {
		fmt.Fprintf(a.stdout, "… and %d more of the kind %s (-v or --json lists all)\n", left[kind], kind)
	}
}

// printConflicts writes the contradictions, and what to drop so that none is
// left.
func (c *checkCard) printConflicts(a *app) {
	out := a.stdout
	for i, x := range c.Conflicts {
		if i == maxShown && !a.verbose {
			fmt.Fprintf(out, "… and %d more contradictions (-v or --json lists them)\n", len(c.Conflicts)-i)
			break
		}
		fmt.Fprintf(out, "contradiction: %s\n", printable(x.Text))
	}
	if c.more {
		fmt.Fprintf(out, "… and others, beyond the first %d\n", maxConflicts)
	}
	if len(c.Drop) == 0 {
		return
	}
	fmt.Fprintf(out, "drop %s, and nothing contradicts itself any more:\n", count(len(c.Drop), "piece"))
	for i, d := range c.Drop {
		if i == 5*maxShown && !a.verbose {
			fmt.Fprintf(out, "  … and %d more (-v or --json lists all)\n", len(c.Drop)-i)
			break
		}
		fmt.Fprintf(out, "  %s\n", printable(d.String()))
	}
}

// verdict returns the error, told already or in one line, to leave by.
func (c *checkCard) verdict() error {
	for _, p := range c.Problems {
		if p.Kind == "unknown-id" || p.Kind == viewFault {
			return &exitError{code: exitInput, err: fmt.Errorf("%s", p)}
		}
	}
	if len(c.Conflicts) > 0 {
		return &exitError{code: exitConflict, err: fmt.Errorf("what is known contradicts itself: %s", c.Conflicts[0].Text)}
	}
	if c.Feasible == false {
		return &exitError{code: exitConflict, err: fmt.Errorf("what is known cannot be honoured: %s", strings.TrimSpace(c.Why))}
	}
	return nil
}
