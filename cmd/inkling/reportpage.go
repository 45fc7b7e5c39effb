package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/report"
	"github.com/inklinghq/inkling/score"
)

// How much of each kind a report shows.
const (
	brokenShown    = 20
	nearShown      = 12
	featuresShown  = 6
	exemplarsShown = 5
)

// page gathers what a report of the run shows.
func (j *clusterJob) page(ctx context.Context, s *summary, path string) (*report.Page, error) {
	p := &report.Page{
		Title: fmt.Sprintf("%s in %d clusters", j.ds.Name, s.K), Verdict: verdict(s), Facts: j.facts(s, path),
		Command: strings.Join(quoted(os.Args[1:]), " "), Labels: j.r.Labels, Trace: s.Trace, Links: drawn(j.p.Known, j.r.Labels),
	}
	p.Command = "inkling " + p.Command
	for h, name := range s.Clusters {
		c := report.Cluster{Name: name, Size: s.Sizes[h]}
		if s.Terms != nil {
			c.Words = s.Terms[h]
		}
		p.Clusters = append(p.Clusters, c)
	}
	p.Knowledge, p.Broken, p.BrokenMore = s.honoured()
	if j.p.Known != nil && len(j.p.Known.Labels) > 0 {
		p.Against, p.AgainstTitle = crosstab(j.p.Known, j.r.Labels, s.Clusters), "Known labels and clusters"
	}
	if j.p.X == nil {
		return p, nil
	}
	return p, j.aboutRows(ctx, p, s)
}

// aboutRows adds what can be said of rows of numbers.
func (j *clusterJob) aboutRows(ctx context.Context, p *report.Page, s *summary) (err error) {
	if p.Map, err = report.PCA(ctx, j.p.X, j.set.Workers); err != nil {
		return err
	}
	means := newMeans(j.p.X, j.r.Labels, s.K)
	for h := range p.Clusters {
		if j.ds.Docs == nil {
			p.Clusters[h].Features = means.apart(h, j.columns())
		}
		for _, i := range means.nearest(j.p.X, j.r.Labels, h) {
			p.Clusters[h].Exemplars = append(p.Clusters[h].Exemplars, j.know.name(i))
		}
	}
	sil, err := score.Silhouette(ctx, j.p.X, j.r.Labels, score.SilhouetteOptions{Sample: 5000, Seed: j.set.Seed, Workers: j.set.Workers})
	if errors.Is(err, score.ErrUndefined) {
		return nil
	}
	if err != nil {
		return err
	}
	p.Silhouette = &report.Outline{Mean: sil.Mean, Sampled: sil.Sampled, Values: make([][]float64, s.K)}
	order := make([]int, len(sil.Rows))
	for at, i := range sil.Rows {
		h := j.r.Labels[i]
		p.Silhouette.Values[h] = append(p.Silhouette.Values[h], sil.Values[at])
		order[at] = at
	}
	slices.SortStableFunc(order, func(a, b int) int { return compare(sil.Values[a], sil.Values[b]) })
	for _, at := range order[:min(nearShown, len(order))] {
		i := sil.Rows[at]
		next := means.second(j.p.X, i, j.r.Labels[i])
		p.Borderline = append(p.Borderline, report.Near{ID: j.know.name(i), Own: s.Clusters[j.r.Labels[i]], Next: s.Clusters[next], Silhouette: sil.Values[at]})
	}
	return nil
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// columns returns the names of the features.
func (j *clusterJob) columns() []string {
	if j.recipe != nil && j.recipe.Columns != nil {
		return j.recipe.Columns
	}
	names := make([]string, j.p.X.Dim())
	for f := range names {
		names[f] = "feature " + strconv.Itoa(f)
	}
	return names
}

// verdict says the most important in plain words.
func verdict(s *summary) []string {
	given := s.Labels.Given + s.Must.Given + s.Cannot.Given + s.Beliefs.Given
	out := []string{fmt.Sprintf("%s sorted %s into %s.", s.Method, count(s.N, "row"), count(s.KEffective, "cluster"))}
	switch broken := s.broken(); {
	case given == 0:
		out = append(out, "Nothing was known beforehand: the clusters come from the rows alone.")
	case broken == 0:
		out = append(out, fmt.Sprintf("Everything that was known (%s) is honoured.", count(given, "piece")+" of knowledge"))
	default:
		out = append(out, fmt.Sprintf("Of %s, %d were not honoured; they are listed below with what honouring them would cost.",
			count(given, "piece")+" of knowledge", broken))
	}
	if s.Twin != nil {
		out = append(out, fmt.Sprintf("Without the knowledge, %s would be elsewhere (ARI %.3f between the two).", count(s.Twin.Moved, "row"), s.Twin.ARI))
	}
	if s.Status != "converged" {
		out = append(out, fmt.Sprintf("The run ended early (%s): this is the best so far, and more time may improve it.", s.Status))
	}
	return out
}

func (j *clusterJob) facts(s *summary, path string) []report.Fact {
	size := fmt.Sprintf("%d rows", s.N)
	if s.Dim > 0 {
		size += fmt.Sprintf(" × %d features", s.Dim)
	}
	out := []report.Fact{
		{Name: "data", Value: j.ds.Name + ", " + size}, {Name: "method", Value: s.Method}, {Name: "parameters", Value: string(s.Parameters)},
		{Name: "objective", Value: number(s.Objective.Total) + terms(s.Objective.Terms)},
		{Name: "run", Value: fmt.Sprintf("%s after %s, %s", s.Status, count(s.Iterations, "iteration"), runs(s.Runs))},
		{Name: "seed", Value: strconv.FormatUint(s.Seed, 10)}, {Name: "inkling", Value: version},
	}
	if sum, ok := fileSum(path); ok {
		out = append(out, report.Fact{Name: "SHA-256 of the data", Value: sum})
	}
	return out
}

// fileSum returns the checksum of a file, if path is one.
func fileSum(path string) (string, bool) {
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
func (s *summary) honoured() (kinds []report.Kept, broken []report.Broken, more int) {
	for _, k := range []report.Kept{
		{Kind: "labels", Kept: s.Labels.Kept, Given: s.Labels.Given}, {Kind: "must-links", Kept: s.Must.Satisfied, Given: s.Must.Given},
		{Kind: "cannot-links", Kept: s.Cannot.Satisfied, Given: s.Cannot.Given}, {Kind: "beliefs", Kept: s.Beliefs.Satisfied, Given: s.Beliefs.Given},
	} {
		if k.Given > 0 {
			kinds = append(kinds, k)
		}
	}
	for _, m := range s.Misplaced {
		broken = append(broken, report.Broken{What: fmt.Sprintf("%s is labelled %s, but lies in %s", m.ID, m.Label, m.Cluster), Cost: price(m.Cost)})
	}
	for _, v := range s.Violations {
		broken = append(broken, report.Broken{What: fmt.Sprintf("%s and %s: %s", v.A, v.B, v.Kind), Cost: price(v.Cost)})
	}
	more = max(0, len(broken)-brokenShown)
	return kinds, broken[:len(broken)-more], more
}

// drawn returns the given pairs as a report draws them.
func drawn(known *constraint.Set, labels []int) (out []report.Link) {
	if known == nil {
		return nil
	}
	for kind, pairs := range map[string][]constraint.Pair{"must": known.Must, "cannot": known.Cannot} {
		for _, p := range pairs {
			out = append(out, report.Link{A: p.I, B: p.J, Kind: kind, Kept: (labels[p.I] == labels[p.J]) == (kind == "must")})
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

// crosstab counts the labelled rows of each class in each cluster.
func crosstab(known *constraint.Set, labels []int, clusters []string) *report.Crosstab {
	t := &report.Crosstab{Columns: clusters}
	for c := range known.Classes() {
		t.Rows = append(t.Rows, known.Name(c))
		t.N = append(t.N, make([]int, len(clusters)))
	}
	for _, l := range known.Labels {
		t.N[l.Class][labels[l.I]]++
	}
	return t
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
