package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"github.com/inklinghq/inkling/cluster"
	"github.com/spf13/cobra"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/report"
)

// How much of each kind a report shows.
const (
	brokenShown    = 20
	nearShown      = 12
	featuresShown  = 6
	exemplarsShown = 5
)

// pageFlags are the flags about the page of a clustering.
type pageFlags struct {
	report  string
	charts  string
	truth   string
	against string
}

func (f *pageFlags) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.charts, "charts", "", "write each chart of the page as SVG and PNG into this folder")
	cmd.Flags().StringVar(&f.truth, "truth", "", "file of true classes, id,label: the page compares")
	cmd.Flags().StringVar(&f.against, "against", "", "file of another run, id,cluster: the page compares")
}

func (f *pageFlags) files() (out []string) {
	for _, path := range []string{f.truth, f.against} {
		if path != "" {
			out = append(out, path)
		}
	}
	return out
}

// folder is where the charts go.
func (f *pageFlags) folder() output { return output{"--charts", f.charts} }

// check refuses what has no place to be shown.
func (f *pageFlags) check() error {
	if f.report == "" && f.charts == "" {
		for flag, path := range map[string]string{"--truth": f.truth, "--against": f.against} {
			if path != "" {
				return usagef("%s is for the page; give --report FILE.html, or --charts DIR", flag)
			}
		}
	}
	if info, err := os.Stat(f.charts); f.charts != "" && err == nil && !info.IsDir() {
		return usagef("--charts %s is a file, it must be a folder", f.charts)
	}
	return nil
}

// look reads the files to compare with, so that what is wrong with one is told
// before the work and not after it.
func (f *pageFlags) look(workers int) error {
	for _, path := range f.files() {
		if path == "-" || path == "/dev/stdin" {
			continue // can be read only once
		}
		if _, err := openAssignment(path, workers); err != nil {
			return err
		}
	}
	return nil
}

// writePage writes the page and the charts that were asked for, and returns the
// page, nil where none was.
func (a *app) writePage(ctx context.Context, o *outcome, s *summary, f *pageFlags, path string) (*report.Page, error) {
	if f.report == "" && f.charts == "" {
		return nil, nil
	}
	var page *report.Page
	if _, err := a.timed("drawing", func() (err error) {
		page, err = o.page(ctx, a, s, f, path)
		return err
	}); err != nil {
		return nil, err
	}
	if f.report != "" {
		if err := a.writeFile(f.report, page.Write); err != nil {
			return nil, err
		}
	}
	return page, a.writeCharts(f.charts, page)
}

// writeCharts writes every chart of a page into a folder, which it makes where
// there is none.
func (a *app) writeCharts(dir string, page *report.Page) error {
	if dir == "" {
		return nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return writeFault(dir, err)
	}
	for _, c := range page.Charts() {
		if err := a.writeFile(filepath.Join(dir, c.Name+".svg"), c.WriteSVG); err != nil {
			return err
		}
		if err := a.writeFile(filepath.Join(dir, c.Name+".png"), c.WritePNG); err != nil {
			return err
		}
	}
	return nil
}

// page gathers what a page shows of the outcome.
func (o *outcome) page(ctx context.Context, a *app, s *summary, f *pageFlags, path string) (*report.Page, error) {
	p := &report.Page{
		Title: fmt.Sprintf("%s in %s", filepath.Base(strings.TrimPrefix(o.ds.Name, builtinPrefix)), count(s.K, "cluster")), Facts: o.facts(s, path), Points: o.points() + "s",
		Command: "inkling " + strings.Join(quoted(os.Args[1:]), " "), Labels: o.r.Labels, Trace: s.Trace, Links: drawn(o.p.Constraints, o.r.Labels),
	}
	for h, name := range s.Clusters {
		c := report.Cluster{Name: name, Size: s.Sizes[h]}
		if s.Terms != nil {
			c.Terms = s.Terms[h]
		}
		p.Clusters = append(p.Clusters, c)
	}
	p.Constraints, p.Violations, p.MoreViolations = s.honoured()
	if err := o.compareAll(a, p, f); err != nil {
		return nil, err
	}
	err := o.draw(ctx, a, p, s)
	p.Verdict, p.Figures = o.verdict(s, p), o.figures(s, p)
	return p, err
}

// draw adds what can be said of rows or of a graph.
func (o *outcome) draw(ctx context.Context, a *app, p *report.Page, s *summary) error {
	switch {
	case o.p.X != nil:
		return o.drawRows(ctx, p, s)
	case o.p.Graph != nil:
		m, err := report.GraphProjection(ctx, o.p.Graph, o.workers)
		if err != nil { // the page is worth having without
			a.warn("no map of the graph: %s", message(err))
		} else if m != nil {
			p.Maps = append(p.Maps, m)
		}
	}
	return nil
}

// verdict says the most important in plain words.
func (o *outcome) verdict(s *summary, p *report.Page) []string {
	given := s.Labels.Given + s.Must.Given + s.Cannot.Given + s.Beliefs.Given
	known := count(given, "piece") + " of knowledge"
	out := []string{fmt.Sprintf("%s sorted %s into %s.", s.Method, many(s.N, o.points()), count(s.KEffective, "cluster"))}
	if o.fit != nil {
		out = []string{fmt.Sprintf("A model of %s, fitted on %s, placed %s in %s.", s.Method, many(o.fit.Rows, "row"), many(s.N, "row"), count(s.KEffective, "cluster"))}
	}
	switch broken := s.broken(); {
	case given == 0 && o.fit != nil:
	case given == 0:
		out = append(out, fmt.Sprintf("Nothing was known beforehand: the clusters come from the %ss alone.", o.points()))
	case broken == 0 && o.fit != nil:
		out = append(out, fmt.Sprintf("The model heeds its centres alone; everything that is known (%s) is honoured all the same.", known))
	case broken == 0:
		out = append(out, fmt.Sprintf("Everything that was known (%s) is honoured.", known))
	default:
		out = append(out, fmt.Sprintf("Of %s, %d %s not honoured; what honouring it would cost is told below.", known, broken, were(broken)))
	}
	if sil := p.Silhouette; sil != nil && sil.Note == "" {
		out = append(out, apartness(sil.Mean))
	}
	for _, c := range p.Compared {
		if len(c.Agreement) > 0 && !c.Agreement[0].Undefined {
			out = append(out, fmt.Sprintf("%s, %s of %s %s elsewhere (ARI %.3f).",
				c.Title, report.Thousands(c.MovedAll), many(c.Agreement[0].N, o.points()), lie(c.MovedAll), c.Agreement[0].ARI))
		}
	}
	if s.Twin != nil {
		out = append(out, fmt.Sprintf("Without the knowledge, %s would be elsewhere (ARI %.3f between the two).", many(s.Twin.Moved, o.points()), s.Twin.ARI))
	}
	if o.fit == nil && s.Status != cluster.Converged {
		out = append(out, fmt.Sprintf("The run ended early (%s): this is the best so far, and more time may improve it.", s.Status))
	}
	return out
}

// many is count with commas in large numbers.
func many(n int, noun string) string {
	return strings.Replace(count(n, noun), strconv.Itoa(n), report.Thousands(n), 1)
}

func were(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

func lie(n int) string {
	if n == 1 {
		return "lies"
	}
	return "lie"
}

// apartness tells a mean silhouette in words.
func apartness(mean float64) string {
	word := "The clusters run into each other"
	switch {
	case mean > 0.7:
		word = "The clusters stand well apart"
	case mean > 0.5:
		word = "The clusters are fairly distinct"
	case mean > 0.25:
		word = "The clusters touch and overlap in part"
	}
	return fmt.Sprintf("%s: the mean silhouette is %.2f, of 1 at best.", word, mean)
}

// figures are the numbers to look at first.
func (o *outcome) figures(s *summary, p *report.Page) []report.Figure {
	out := []report.Figure{{Value: report.Thousands(s.N), Name: o.points() + "s"}, {Value: strconv.Itoa(s.KEffective), Name: "clusters"}}
	if given := s.Labels.Given + s.Must.Given + s.Cannot.Given + s.Beliefs.Given; given > 0 {
		out = append(out, report.Figure{Value: fmt.Sprintf("%d / %d", given-s.broken(), given), Name: "known and honoured", Bad: s.broken() > 0})
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

func (o *outcome) facts(s *summary, path string) []report.Fact {
	size := count(s.N, o.points())
	if s.Dim > 0 {
		size += " × " + count(s.Dim, "feature")
	}
	out := []report.Fact{{Name: "data", Value: o.ds.Name + ", " + size}}
	if s.Dropped > 0 {
		out = append(out, report.Fact{Name: "left out", Value: count(s.Dropped, "row") + " with missing values"})
	}
	out = append(out, report.Fact{Name: "method", Value: s.Method}, report.Fact{Name: "parameters", Value: parameterWords(s.Parameters)})
	if o.fit == nil {
		out = append(out, report.Fact{Name: "objective", Value: number(s.Objective.Total) + terms(s.Objective.Terms)},
			report.Fact{Name: "run", Value: fmt.Sprintf("%s after %s, %s", s.Status, count(s.Iterations, "iteration"), runs(s.Runs))})
	} else {
		fitted := newObjective(o.fit.Objective)
		out = append(out, report.Fact{Name: "fit", Value: fmt.Sprintf("%s, objective %s%s, by inkling %s",
			count(o.fit.Rows, "row"), number(fitted.Total), terms(fitted.Terms), o.fit.Program)})
	}
	out = append(out, report.Fact{Name: "seed", Value: strconv.FormatUint(s.Seed, 10)}, report.Fact{Name: "inkling", Value: version})
	if v := s.View; v != nil {
		out = append(out, report.Fact{Name: "cost of transfer", Value: fmt.Sprintf("%s: normalized cut %s, without views %s", signed(v.Price), number(v.Cut), number(v.CutAlone))})
		for _, w := range v.Views {
			out = append(out, report.Fact{Name: "view", Value: fmt.Sprintf("%s: normalized cut %s, by its own clusters %s, ARI %.3f between the two", w.File, number(w.Cut), number(w.CutAlone), w.ARI)})
		}
	}
	if sum, ok := fileSum(path); ok {
		out = append(out, report.Fact{Name: "SHA-256 of the data", Value: sum})
	}
	return out
}

// parameterWords tells the parameters of a method in one line.
func parameterWords(object json.RawMessage) string {
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
	if b, ok, err := builtin(path); ok {
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

// honoured returns the knowledge by kind, and the dearest that was not honoured.
func (s *summary) honoured() (kinds []report.Satisfied, broken []report.Violation, more int) {
	for _, k := range []report.Satisfied{
		{Kind: "labels", Satisfied: s.Labels.Kept, Given: s.Labels.Given}, {Kind: "must-links", Satisfied: s.Must.Satisfied, Given: s.Must.Given},
		{Kind: "cannot-links", Satisfied: s.Cannot.Satisfied, Given: s.Cannot.Given}, {Kind: "beliefs", Satisfied: s.Beliefs.Satisfied, Given: s.Beliefs.Given},
	} {
		if k.Given > 0 {
			kinds = append(kinds, k)
		}
	}
	for _, m := range s.Misplaced {
		broken = append(broken, report.Violation{Constraint: fmt.Sprintf("%s is labelled %s, but lies in %s", m.ID, m.Label, m.Cluster), Cost: price(m.Cost)})
	}
	for _, v := range s.Violations {
		broken = append(broken, report.Violation{Constraint: fmt.Sprintf("%s and %s: %s", v.A, v.B, v.Kind), Cost: price(v.Cost)})
	}
	more = max(0, len(broken)-brokenShown)
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

// quoted returns arguments as a shell takes them.
func quoted(args []string) []string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = a
		if a == "" || strings.ContainsAny(a, " \t\n'\"\\$`*?[]{}()<>|&;#~!") {
			out[i] = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
	}
	return out
}
