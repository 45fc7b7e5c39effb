package suspect

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/numeric/posterior"
)

// Limits of the work.
const (
	MaxRows     = 20000 // rows that the kernel and the cross-fits are made on
	MaxTogether = 1500  // constrained points whose kernel is held at a time
)

// Options say how constraints are judged.
type Options struct {
	Seed    uint64
	Workers int // below 1: one per processor; the result does not depend on it
	// MaxRows is the number of rows to work on; 0: the constant of the same name.
	MaxRows int
	// NoCrossFits leaves out the clusterings of five folds, which take most of the
	// time.
	NoCrossFits bool
	// Memory, if not nil, keeps the kernels for the next call.
	Memory *Memory
	// Progress, if not nil, is called before each part of the work.
	Progress func(what string, done, total int)
}

// A Report has a verdict for each constraint of a Set, in the order of its lists.
type Report struct {
	Labels, Must, Cannot []Verdict
	// Sample is the number of rows that were worked on where it is less than all,
	// else 0.
	Sample int
	// Notes say what was left out, and why.
	Notes []string
}

// A judge is one call of Judge.
type judge struct {
	p       *cluster.Problem
	set     *constraint.Set
	o       Options
	report  *Report
	classes int // k of the formulas, at least 2
	kernel  *posterior.Kernel
	gram    *posterior.Gram // of all constrained points where they were judged together, else nil
	gramAt  map[int]int     // where each is in gram

	labels []*constraintEvidence
	pairs  []*constraintEvidence // must-links, then cannot-links
}

// A link is a pair of points with what was said of it.
type link struct {
	constraint.Pair
	together bool
}

func (j *judge) links() []link {
	out := make([]link, 0, len(j.set.Must)+len(j.set.Cannot))
	for _, p := range j.set.Must {
		out = append(out, link{p, true})
	}
	for _, p := range j.set.Cannot {
		out = append(out, link{p, false})
	}
	return out
}

func (j *judge) progress(what string, done, total int) {
	if j.o.Progress != nil {
		j.o.Progress(what, done, total)
	}
}

// gramOf returns the kernel among some points: a part of that which was computed for
// all, where it was.
func (j *judge) gramOf(ctx context.Context, rows []int) (*posterior.Gram, error) {
	if j.gram == nil {
		g, err := j.kernel.Gram(ctx, rows)
		if err != nil {
			return nil, err
		}
		if len(rows) == len(constrainedRows(j.set)) {
			j.gram, j.gramAt = g, make(map[int]int, len(rows))
			for i, row := range rows {
				j.gramAt[row] = i
			}
		}
		return g, nil
	}
	at := make([]int, len(rows))
	for i, row := range rows {
		at[i] = j.gramAt[row]
	}
	return j.gram.Select(at), nil
}

// A part is constraints that are judged together: indices of labels and links.
type part struct{ labels, links []int }

// parts divides the constraints at random so that each part has at most MaxTogether
// points; mostly there is one.
func (j *judge) parts() []part {
	labels, links := len(j.set.Labels), len(j.set.Must)+len(j.set.Cannot)
	count := (len(constrainedRows(j.set)) + MaxTogether - 1) / MaxTogether
	if count > 1 {
		j.report.Notes = append(j.report.Notes, fmt.Sprintf("the constraints were judged in %d random parts", count))
	}
	out := make([]part, max(count, 1))
	rng := rand.New(rand.NewPCG(j.o.Seed, 12))
	// Labels of one point stay together, whatever their number.
	of := map[int]int{}
	rows := posterior.LabelledRows(j.set.Labels)
	for at, i := range rng.Perm(len(rows)) {
		of[rows[i]] = at % len(out)
	}
	for at := range labels {
		c := of[j.set.Labels[at].I]
		out[c].labels = append(out[c].labels, at)
	}
	for at, i := range rng.Perm(links) {
		out[at%len(out)].links = append(out[at%len(out)].links, i)
	}
	for _, p := range out {
		slices.Sort(p.links)
	}
	return out
}

// constrainedRows returns the points with labels or in pairs, ascending.
func constrainedRows(s *constraint.Set) (rows []int) {
	for _, l := range s.Labels {
		rows = append(rows, l.I)
	}
	for _, pairs := range [][]constraint.Pair{s.Must, s.Cannot} {
		for _, q := range pairs {
			rows = append(rows, q.I, q.J)
		}
	}
	slices.Sort(rows)
	return slices.Compact(rows)
}

// newReport returns a report with room for a verdict on each constraint of s.
func newReport(s *constraint.Set) *Report {
	return &Report{Labels: make([]Verdict, len(s.Labels)), Must: make([]Verdict, len(s.Must)), Cannot: make([]Verdict, len(s.Cannot))}
}

// fillReport writes the verdicts that follow from the evidence.
func (j *judge) fillReport() {
	all := verdicts(slices.Concat(j.labels, j.pairs))
	all = all[copy(j.report.Labels, all):]
	all = all[copy(j.report.Must, all):]
	copy(j.report.Cannot, all)
}
