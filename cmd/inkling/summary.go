package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/kernel"
	"github.com/inklinghq/inkling/score"
)

// summary is what there is to say about a clustering: with --json it is the
// object on stdout, otherwise tell makes lines for people of it.
type summary struct {
	Schema     string          `json:"schema"`
	Method     string          `json:"method"`
	Parameters json.RawMessage `json:"parameters"`
	N          int             `json:"n"`
	Dim        int             `json:"dim"`
	K          int             `json:"k"`
	KEffective int             `json:"k_effective"`
	Seed       uint64          `json:"seed"`
	Runs       int             `json:"runs"`
	Status     cluster.Status  `json:"status"`
	Iterations int             `json:"iterations"`
	Objective  objective       `json:"objective"`
	Trace      []float64       `json:"trace"`
	Clusters   []string        `json:"clusters"`
	Sizes      []int           `json:"sizes"`
	upheld
	Cuts    *kernel.Values   `json:"cuts,omitempty"`  // of a graph
	Terms   [][]string       `json:"terms,omitempty"` // of documents: the words that tell each cluster from the others
	Dropped int              `json:"dropped"`
	View    *viewCard        `json:"view,omitempty"` // with --view
	Twin    *twin            `json:"twin,omitempty"` // with --twin
	Model   cluster.Findings `json:"model"`          // what places new rows, and what else was learned
	Seconds seconds          `json:"seconds"`
	Notes   []string         `json:"notes,omitempty"` // what people should know of the run
	why     string           // clusters are empty, where that is known
}

// upheld says how far what is known was honoured, the dearest breaches first.
type upheld struct {
	score.Kept
	Soft       int         `json:"soft_seeds"` // rows with weighed labels of several classes: neither kept nor broken
	Violations []violation `json:"violations"`
	Misplaced  []misplaced `json:"misplaced"`
}

type objective struct {
	Total float64            `json:"total"`
	Terms map[string]float64 `json:"terms"`
}

type seconds struct {
	Read  float64 `json:"read"`
	Fit   float64 `json:"fit"`
	Write float64 `json:"write"`
}

// A violation is a given pair that is not honoured. Cost is what honouring it
// would add to the objective, where the method can tell.
type violation struct {
	A      string   `json:"a"`
	B      string   `json:"b"`
	Kind   string   `json:"kind"`
	Weight float64  `json:"weight"`
	Cost   *float64 `json:"cost"`
}

// A misplaced row is not in the cluster named after its label.
type misplaced struct {
	ID      string   `json:"id"`
	Label   string   `json:"label"`
	Cluster string   `json:"cluster"`
	Weight  float64  `json:"weight"`
	Cost    *float64 `json:"cost"`
}

func (o *outcome) summarise() *summary {
	s := &summary{
		Schema: "inkling.cluster/1", Method: o.method, Parameters: o.parameters,
		N: o.p.Len(), K: o.p.K, Seed: o.seed, Runs: o.r.Runs, Status: o.r.Status, Iterations: o.r.Iterations,
		Objective: newObjective(o.r.Objective), Twin: o.twin,
		Clusters: o.names, Sizes: o.r.Sizes(o.p.K),
		upheld:  upheld{score.Satisfied(o.p.Constraints, o.r.Labels), o.know.soft, o.violations(), o.misplaced()},
		Dropped: o.ds.Len() - o.p.Len(),
	}
	s.View = newViewCard(o.p, o.r)
	s.Model = o.r.Findings()
	if n, ok := o.r.Learned.(interface{ Notes() []string }); ok {
		s.Notes = n.Notes()
	}
	if o.p.X != nil {
		s.Dim = o.p.X.Dim()
	}
	if o.p.Graph != nil {
		cuts := kernel.Cuts(o.p.Graph, o.r.Labels, o.p.K)
		s.Cuts = &cuts
	}
	if o.recipe != nil && o.recipe.Text != nil {
		s.Terms = topTerms(o.p.X, o.r.Labels, o.p.K, o.recipe.Columns)
	}
	for _, t := range o.r.Trace {
		s.Trace = append(s.Trace, t.Objective)
	}
	for _, n := range s.Sizes {
		if n > 0 {
			s.KEffective++
		}
	}
	if s.KEffective < s.K && o.p.X != nil {
		s.why = whyEmpty(o.p.X, s.K)
	}
	return s
}

func (o *outcome) violations() []violation {
	out := []violation{}
	for _, v := range score.Violations(o.p.Constraints, o.r.Labels) {
		price := o.r.CostApart
		if v.Kind == score.Must || v.Kind == score.Belief && v.Weight > 0 {
			price = o.r.CostTogether
		}
		out = append(out, violation{o.know.name(v.A), o.know.name(v.B), string(v.Kind), v.Weight, known(price(o.p, v.A, v.B))})
	}
	slices.SortStableFunc(out, func(a, b violation) int { return byCost(a.Cost, b.Cost) })
	return out
}

func (o *outcome) misplaced() []misplaced {
	out := []misplaced{}
	for _, l := range score.Misplaced(o.p.Constraints, o.r.Labels) {
		var cost *float64
		home := slices.Index(o.names, o.p.Constraints.Name(l.Class))
		if home >= 0 {
			cost = known(o.r.CostMove(o.p, l.I, home))
		}
		out = append(out, misplaced{o.know.name(l.I), o.p.Constraints.Name(l.Class), o.names[o.r.Labels[l.I]], l.W, cost})
	}
	slices.SortStableFunc(out, func(a, b misplaced) int { return byCost(a.Cost, b.Cost) })
	return out
}

// known returns a number that may not be known as a pointer.
func known(x float64, ok bool) *float64 {
	if !ok || math.IsInf(x, 0) || math.IsNaN(x) {
		return nil
	}
	return &x
}

// byCost puts the dearest first and what has no price last.
func byCost(a, b *float64) int {
	price := func(p *float64) float64 {
		if p == nil {
			return math.Inf(-1)
		}
		return *p
	}
	return cmp.Compare(price(b), price(a))
}

// broken returns how many pieces of knowledge were not honoured.
func (u *upheld) broken() int { return len(u.Violations) + len(u.Misplaced) }

// clusterNames names each cluster: after the class whose labelled rows it
// holds, else cluster-0, cluster-1, …; by its number where there are no labels.
func clusterNames(labels []int, p *cluster.Problem) []string {
	names := make([]string, p.K)
	if p.Constraints == nil || len(p.Constraints.Labels) == 0 {
		for h := range names {
			names[h] = strconv.Itoa(h)
		}
		return names
	}
	next := 0
	for h, class := range score.NameClusters(labels, p.K, p.Constraints) {
		if class >= 0 {
			names[h] = p.Constraints.Name(class)
			continue
		}
		for names[h] == "" || isClass(p.Constraints, names[h]) {
			names[h] = fmt.Sprintf("cluster-%d", next)
			next++
		}
	}
	return names
}

func isClass(s *constraint.Set, name string) bool { return slices.Contains(s.Names, name) }

// tell says it all to people.
func (s *summary) tell(a *app) {
	a.say("")
	a.say("%s, k = %d: %s after %s, %s, %.2g s", s.Method, s.K, s.Status, count(s.Iterations, "iteration"), runs(s.Runs), s.Seconds.Fit)
	a.say("objective %s%s", number(s.Objective.Total), terms(s.Objective.Terms))
	if c := s.Cuts; c != nil {
		a.say("normalized cut %s, ratio cut %s, ratio association %s", number(c.NormalizedCut), number(c.RatioCut), number(c.RatioAssociation))
	}
	if sentence := s.Model.String(); sentence != "" {
		a.say("%s", sentence)
	}
	if s.KEffective < s.K {
		a.warn("%s empty%s", count(s.K-s.KEffective, "cluster"), s.why)
	}
	a.say("")
	for _, line := range s.bars() {
		a.say("  %s", line)
	}
	if s.Terms != nil {
		a.say("")
		for h, terms := range s.Terms {
			if h == clustersShown && !a.verbose {
				a.say("  … and of %d more (-v or --json lists all)", len(s.Terms)-h)
				break
			}
			if len(terms) == 0 {
				terms = []string{"(no words)"}
			}
			a.say("  %s: %s", s.Clusters[h], strings.Join(terms, ", "))
		}
	}
	if s.Dropped > 0 {
		a.warn("%s dropped for missing values, not in the result", count(s.Dropped, "row"))
	}
	for _, note := range s.Notes {
		a.warn("%s", note)
	}
	if s.View != nil {
		s.View.tell(a)
	}
	s.tellKnowledge(a)
	if s.Twin != nil {
		s.Twin.tell(a, s)
	}
	switch s.Status {
	case cluster.Timeout, cluster.Interrupted:
		a.warn("stopped early (%s): this is the best so far", s.Status)
	case cluster.IterLimit:
		a.warn("the objective was still falling at the limit of iterations; --max-iter allows more")
	}
}

func runs(n int) string {
	if n == 1 {
		return "one start"
	}
	return fmt.Sprintf("best of %d starts", n)
}

// clustersShown is how many clusters people are told about one by one.
const clustersShown = 30

// bars returns a line for each cluster: name, size, share and a bar.
func (s *summary) bars() (lines []string) {
	const width = 24
	wide, largest := 7, 1
	for h, name := range s.Clusters {
		wide, largest = max(wide, utf8.RuneCountInString(printable(name))), max(largest, s.Sizes[h])
	}
	wide = min(wide, 40)
	for h, name := range s.Clusters {
		if h == clustersShown {
			return append(lines, fmt.Sprintf("… and %d more", len(s.Clusters)-h))
		}
		n := s.Sizes[h]
		bar := strings.Repeat("█", (n*width+largest-1)/largest)
		lines = append(lines, fmt.Sprintf("%-*s %8d  %5.1f %%  %s", wide, clip(printable(name), wide), n, 100*float64(n)/float64(s.N), bar))
	}
	return lines
}

// tellKnowledge says how far what is known was honoured, the dearest breaches
// by name.
func (s *summary) tellKnowledge(a *app) {
	if s.Labels.Given+s.Soft+s.Must.Given+s.Cannot.Given+s.Beliefs.Given == 0 {
		return
	}
	a.say("")
	line := func(what string, kept, given int) {
		if given > 0 {
			a.say("  %-13s %d of %d honoured", what, kept, given)
		}
	}
	line("labels", s.Labels.Kept, s.Labels.Given)
	if s.Soft > 0 {
		a.say("  %-13s %d, weighed and not counted", "soft seeds", s.Soft)
	}
	line("must-links", s.Must.Satisfied, s.Must.Given)
	line("cannot-links", s.Cannot.Satisfied, s.Cannot.Given)
	line("beliefs", s.Beliefs.Satisfied, s.Beliefs.Given)
	if s.broken() == 0 {
		return
	}
	most := 3
	if a.verbose {
		most = math.MaxInt
	}
	a.say("")
	a.say("not honoured, with what honouring it would add to the objective:")
	for i, m := range s.Misplaced {
		if i == most {
			a.say("  … and %d more labels (-v or --json lists all)", len(s.Misplaced)-most)
			break
		}
		a.say("  %s is labelled %s, but lies in %s%s", clip(m.ID, 60), clip(m.Label, 60), clip(m.Cluster, 60), price(m.Cost))
	}
	for i, v := range s.Violations {
		if i == most {
			a.say("  … and %d more pairs (-v or --json lists all)", len(s.Violations)-most)
			break
		}
		a.say("  %s and %s: %s%s", clip(v.A, 60), clip(v.B, 60), v.Kind, price(v.Cost))
	}
}

func price(p *float64) string {
	if p == nil {
		return ""
	}
	if *p < 0 { // what holds it where it is are other pairs
		return "  " + number(*p)
	}
	return "  +" + number(*p)
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

func terms(t map[string]float64) string {
	if len(t) < 2 {
		return ""
	}
	var parts []string
	for name, x := range t {
		parts = append(parts, name+" "+number(x))
	}
	slices.Sort(parts)
	return " (" + strings.Join(parts, ", ") + ")"
}
