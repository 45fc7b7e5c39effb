package inkling

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/internal/format"
	"github.com/inklinghq/inkling/report"
)

// violationsShown is how many violations a page lists.
const violationsShown = 20

// Report returns a page about the result: plain data, which Page.Write writes as
// one HTML file and Page.Charts as charts.
func (r *Result) Report(ctx context.Context, f ReportOptions) (*report.Page, []Note, error) {
	var said notes
	p, err := r.a.page(ctx, r, f, &said)
	return p, said.list, err
}

// page gathers what a page shows.
func (o *assignment) page(ctx context.Context, s *Result, f ReportOptions, said *notes) (*report.Page, error) {
	p := &report.Page{
		Title: fmt.Sprintf("%s in %s", filepath.Base(strings.TrimPrefix(o.t.Name(), BuiltinPrefix)), format.Count(s.K, "cluster")), Facts: o.facts(s, f), Points: o.t.point() + "s",
		Command: f.Command, Labels: o.fitted.Labels, Trace: s.Trace, Links: drawn(o.p.Constraints, o.fitted.Labels),
	}
	for h, name := range s.Clusters {
		c := report.Cluster{Name: name, Size: s.Sizes[h]}
		if s.Terms != nil {
			c.Terms = s.Terms[h]
		}
		p.Clusters = append(p.Clusters, c)
	}
	p.Constraints, p.Violations, p.MoreViolations = s.satisfied()
	if err := o.compareAll(p, f, said); err != nil {
		return nil, err
	}
	err := o.draw(ctx, p, s, said)
	p.Verdict, p.Figures = o.verdict(s, p), o.figures(s, p)
	return p, err
}

// draw adds what can be said of rows or of a graph.
func (o *assignment) draw(ctx context.Context, p *report.Page, s *Result, said *notes) error {
	switch {
	case o.p.X != nil:
		return o.drawRows(ctx, p, s)
	case o.p.Graph != nil:
		m, err := report.GraphProjection(ctx, o.p.Graph, o.workers)
		if err != nil { // the page is worth having without
			said.warn("no map of the graph: %v", err)
		} else if m != nil {
			p.Maps = append(p.Maps, m)
		}
	}
	return nil
}

// verdict says the most important in plain words.
func (o *assignment) verdict(s *Result, p *report.Page) []string {
	given := s.Labels.Given + s.Must.Given + s.Cannot.Given + s.Beliefs.Given
	known := format.Count(given, "constraint")
	out := []string{fmt.Sprintf("%s grouped %s into %s.", s.Method, many(s.N, o.t.point()), format.Count(s.KEffective, "cluster"))}
	if o.saved != nil {
		out = []string{fmt.Sprintf("A model of %s, fitted on %s, placed %s in %s.", s.Method, many(o.saved.Rows, "row"), many(s.N, "row"), format.Count(s.KEffective, "cluster"))}
	}
	switch broken := s.Violated(); {
	case given == 0 && o.saved != nil:
	case given == 0:
		out = append(out, fmt.Sprintf("No constraints were given: the clusters come from the %ss alone.", o.t.point()))
	case broken == 0 && o.saved != nil:
		out = append(out, fmt.Sprintf("The model places rows by its centres alone; all %s are satisfied.", known))
	case broken == 0:
		out = append(out, fmt.Sprintf("All %s are satisfied.", known))
	default:
		out = append(out, fmt.Sprintf("%d of %s %s violated; the cost of satisfying each is listed below.", broken, known, were(broken)))
	}
	if sil := p.Silhouette; sil != nil && sil.Note == "" {
		out = append(out, separation(sil.Mean))
	}
	for _, c := range p.Compared {
		if len(c.Agreement) > 0 && !c.Agreement[0].Undefined {
			out = append(out, fmt.Sprintf("%s, %s of %s %s in another cluster (ARI %.3f).",
				c.Title, report.Thousands(c.MovedAll), many(c.Agreement[0].N, o.t.point()), were(c.MovedAll), c.Agreement[0].ARI))
		}
	}
	if u := s.Unconstrained; u != nil {
		out = append(out, fmt.Sprintf("Your constraints moved %s of %s (ARI %.3f with the fit without them).", report.Thousands(u.Moved), many(s.N, o.t.point()), u.ARI))
	}
	if o.saved == nil && s.Status != cluster.Converged {
		out = append(out, fmt.Sprintf("The run ended early (%s): this is the best so far, and more time may improve it.", s.Status))
	}
	return out
}

// many is count with commas in large numbers.
func many(n int, noun string) string {
	return strings.Replace(format.Count(n, noun), strconv.Itoa(n), report.Thousands(n), 1)
}

func were(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// separation describes a mean silhouette in words.
func separation(mean float64) string {
	word := "The clusters overlap"
	switch {
	case mean > 0.7:
		word = "The clusters are well separated"
	case mean > 0.5:
		word = "The clusters are fairly distinct"
	case mean > 0.25:
		word = "The clusters overlap in part"
	}
	return fmt.Sprintf("%s: the mean silhouette is %.2f (at most 1).", word, mean)
}

// figures are the numbers to look at first.
func (o *assignment) figures(s *Result, p *report.Page) []report.Figure {
	out := []report.Figure{{Value: report.Thousands(s.N), Name: o.t.point() + "s"}, {Value: strconv.Itoa(s.KEffective), Name: "clusters"}}
	if given := s.Labels.Given + s.Must.Given + s.Cannot.Given + s.Beliefs.Given; given > 0 {
		out = append(out, report.Figure{Value: fmt.Sprintf("%d / %d", given-s.Violated(), given), Name: "constraints satisfied", Bad: s.Violated() > 0})
	}
	if p.Silhouette != nil {
		out = append(out, report.Figure{Value: fmt.Sprintf("%.2f", p.Silhouette.Mean), Name: "mean silhouette"})
	}
	for _, c := range p.Compared {
		if len(c.Agreement) > 0 && !c.Agreement[0].Undefined {
			out = append(out, report.Figure{Value: fmt.Sprintf("%.3f", c.Agreement[0].ARI), Name: "ARI with " + c.With})
		}
	}
	return out
}

func (o *assignment) facts(s *Result, f ReportOptions) []report.Fact {
	size := format.Count(s.N, o.t.point())
	if s.Dim > 0 {
		size += " × " + format.Count(s.Dim, "feature")
	}
	out := []report.Fact{{Name: "data", Value: o.t.Name() + ", " + size}}
	if s.Dropped > 0 {
		out = append(out, report.Fact{Name: "dropped", Value: format.Count(s.Dropped, "row") + " with missing values"})
	}
	out = append(out, report.Fact{Name: "method", Value: s.Method}, report.Fact{Name: "parameters", Value: describeParameters(s.Parameters)})
	if o.saved == nil {
		out = append(out, report.Fact{Name: "objective", Value: format.Number(s.Objective.Total) + format.Terms(s.Objective.Terms)},
			report.Fact{Name: "run", Value: fmt.Sprintf("%s after %s, %s", s.Status, format.Count(s.Iterations, "iteration"), format.Starts(s.Runs))})
	} else {
		fitted := newObjective(o.saved.Objective)
		out = append(out, report.Fact{Name: "fit", Value: fmt.Sprintf("%s, objective %s%s, by inkling %s",
			format.Count(o.saved.Rows, "row"), format.Number(fitted.Total), format.Terms(fitted.Terms), o.saved.Program)})
	}
	out = append(out, report.Fact{Name: "seed", Value: strconv.FormatUint(s.Seed, 10)}, report.Fact{Name: "inkling", Value: f.program()})
	if v := s.View; v != nil {
		out = append(out, report.Fact{Name: "cost of transfer", Value: fmt.Sprintf("%s: normalized cut %s, without views %s", format.Signed(v.Cost), format.Number(v.Cut), format.Number(v.CutAlone))})
		for _, w := range v.Views {
			out = append(out, report.Fact{Name: "view", Value: fmt.Sprintf("%s: normalized cut %s, by its own clusters %s, ARI %.3f between the two", w.File, format.Number(w.Cut), format.Number(w.CutAlone), w.ARI)})
		}
	}
	if sum, ok := fileSum(f.Source); ok {
		out = append(out, report.Fact{Name: "SHA-256 of the data", Value: sum})
	}
	return out
}

// describeParameters lists the parameters of a method in one line.
func describeParameters(object json.RawMessage) string {
	d := json.NewDecoder(bytes.NewReader(object))
	d.UseNumber()
	var words []string
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return string(object)
	}
	for d.More() {
		name, err := d.Token()
		var value any
		if err != nil || d.Decode(&value) != nil {
			return string(object)
		}
		words = append(words, fmt.Sprintf("%s %v", strings.ReplaceAll(fmt.Sprint(name), "_", "-"), value))
	}
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}

// fileSum returns the checksum of a file, if path is one, or of built-in data.
func fileSum(path string) (string, bool) {
	if b, ok, err := Builtin(path); ok {
		return fmt.Sprintf("%x", sha256.Sum256(b)), err == nil
	}
	f, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", false
	}
	return fmt.Sprintf("%x", h.Sum(nil)), true
}

// satisfied returns the constraints by kind, and the most costly violations.
func (s *Result) satisfied() (kinds []report.Satisfied, broken []report.Violation, more int) {
	for _, k := range []report.Satisfied{
		{Kind: "labels", Satisfied: s.Labels.Kept, Given: s.Labels.Given}, {Kind: "must-links", Satisfied: s.Must.Satisfied, Given: s.Must.Given},
		{Kind: "cannot-links", Satisfied: s.Cannot.Satisfied, Given: s.Cannot.Given}, {Kind: "beliefs", Satisfied: s.Beliefs.Satisfied, Given: s.Beliefs.Given},
	} {
		if k.Given > 0 {
			kinds = append(kinds, k)
		}
	}
	for _, m := range s.Misplaced {
		broken = append(broken, report.Violation{Constraint: fmt.Sprintf("%s is labelled %s, but is in %s", m.ID, m.Label, m.Cluster), Cost: format.Cost(m.Cost)})
	}
	for _, v := range s.Violations {
		broken = append(broken, report.Violation{Constraint: fmt.Sprintf("%s and %s: %s", v.A, v.B, v.Kind), Cost: format.Cost(v.Cost)})
	}
	more = max(0, len(broken)-violationsShown)
	return kinds, broken[:len(broken)-more], more
}

// drawn returns the given pairs as a report draws them.
func drawn(known *constraint.Set, labels []int) (out []report.Link) {
	if known == nil {
		return nil
	}
	for kind, pairs := range map[string][]constraint.Pair{"must": known.Must, "cannot": known.Cannot, "belief": known.Beliefs} {
		for _, p := range pairs {
			kind := kind
			if kind == "belief" && p.W > 0 {
				kind = "must"
			} else if kind == "belief" {
				kind = "cannot"
			}
			out = append(out, report.Link{A: p.I, B: p.J, Kind: kind, Satisfied: (labels[p.I] == labels[p.J]) == (kind == "must")})
		}
	}
	slices.SortFunc(out, func(a, b report.Link) int {
		if c := strings.Compare(a.Kind, b.Kind); c != 0 {
			return c
		}
		if a.A != b.A {
			return a.A - b.A
		}
		return a.B - b.B
	})
	return out
}
