package workspace

import (
	"context"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/judge/continuity"
	"github.com/inklinghq/inkling/internal/present/report"
	"github.com/inklinghq/inkling/internal/serve/session"
)

// A Fit is a clustering as a page shows it: clusters have an index that stays with their
// rows from fit to fit, so that colours stay too.
type Fit struct {
	N         int  // the event; 0 of a preview
	isPreview bool // it is shown until the first fit has ended
	Result    *door.Result
	settings  session.Settings
	through   int
	at        time.Time
	seconds   float64

	label  []int16  // by row of the table: the index of its cluster, -1 where it has none
	marks  []uint8  // by row: marked and violated
	names  []string // by index, as the fit calls them; "" where there is no such cluster
	sizes  []int    // by index
	before *float64 // the adjusted Rand index with the fit before
	others int      // of the rows that moved, those without a constraint
	after  int      // the fit before; 0: none
	moved  int

	certain  atomic.Pointer[certainty]
	former   sync.Map                   // index of a cluster by its name before one was proposed
	detailed atomic.Bool                // what is computed after a fit has ended, or was ended by the next
	kept     map[string]*report.Cluster // descriptions of clusters that have the rows of the fit before, by their own names
	describe sync.Mutex
	cards    atomic.Pointer[[]report.Cluster]
	page     atomic.Pointer[report.Page] // what else is said of a cluster that somebody looks at
}

// certainty is how sure rows are of their clusters.
type certainty struct {
	sure []float32 // by row: the confidence; NaN: unknown
	next []int16   // by row: the index of the next best cluster, -1: none
	done bool      // it is of this fit; else of the one before, for rows that stayed in their clusters
}

// Bits of a point in the flags of Labels.
const (
	sureLevels   = 63
	flagMarked   = 1 << 6 // it has a label or a link
	flagViolated = 1 << 7 // of a violated constraint
)

const unassigned = -1

// bigChange is the share of the rows above which a change of rows that nobody asked about is asked about.
const bigChange = 0.05

// maxClusters is how many clusters a page can show.
const maxClusters = math.MaxInt16

// newFit makes what a page shows of a result.
func newFit(t *door.Table, r *door.Result, e *session.Event, before *Fit) *Fit {
	n := t.Len()
	f := &Fit{N: e.N, Result: r, at: e.At, before: e.ARIBefore,
		label: make([]int16, n), marks: make([]uint8, n)}
	if e.Fitted != nil {
		f.settings, f.through = e.Settings, e.Through
	}
	for i := range f.label {
		f.label[i] = unassigned
	}
	at := make([]int32, 0, r.N)
	for row := range r.Rows() {
		i, _ := t.Row(row.ID)
		if row.ClusterIndex < 0 {
			continue
		}
		f.label[i] = int16(row.ClusterIndex)
		at = append(at, int32(i))
	}
	index := f.keepIndexes(before, len(r.Clusters))
	f.names, f.sizes = make([]string, slices.Max(append(index, 0))+1), make([]int, slices.Max(append(index, 0))+1)
	for h, name := range r.Clusters {
		f.names[index[h]], f.sizes[index[h]] = name, r.Sizes[h]
	}
	for _, i := range at {
		f.label[i] = int16(index[f.label[i]])
		if before != nil && before.label[i] != f.label[i] {
			f.moved++
		}
	}
	f.certain.Store(f.uncertain(before))
	return f
}

// uncertain returns what is known of certainty before it is computed: that of the fit before, where
// a row stayed in its cluster.
func (f *Fit) uncertain(before *Fit) *certainty {
	c := &certainty{sure: make([]float32, len(f.label)), next: make([]int16, len(f.label))}
	for i, h := range f.label {
		c.sure[i], c.next[i] = float32(math.NaN()), unassigned
		if before != nil && h >= 0 && before.label[i] == h {
			was := before.certain.Load()
			c.sure[i], c.next[i] = was.sure[i], was.next[i]
		}
	}
	return c
}

// keepIndexes returns an index for each of k clusters, whose numbers are the labels of f: that of
// the cluster before that it continues, so that the clusters share as many rows as possible with
// those before (assignment problem), and else one that no cluster before has.
func (f *Fit) keepIndexes(before *Fit, k int) []int {
	index, next := slices.Repeat([]int{-1}, k), 0
	if before != nil {
		was, is := make([]int, len(f.label)), make([]int, len(f.label))
		for i, h := range f.label {
			was[i], is[i] = int(before.label[i]), int(h)
		}
		index, next = continuity.Matching(is, k, was, len(before.names)), len(before.names)
	}
	taken := map[int]bool{}
	for _, h := range index {
		taken[h] = true
	}
	for h := range index {
		if index[h] >= 0 {
			continue
		}
		free := next
		if before != nil {
			if empty := slices.IndexFunc(before.names, func(name string) bool { return name == "" }); empty >= 0 && !taken[empty] {
				free = empty
			}
		}
		index[h], taken[free] = free, true
		if free == next {
			next++
		}
	}
	return index
}

// addConfidence computes how sure rows are of their clusters.
func (f *Fit) addConfidence(ctx context.Context, t *door.Table) error {
	rows, _, err := f.Result.Details(ctx)
	if err != nil {
		return err
	}
	index := map[string]int16{}
	for h, name := range f.names {
		index[name] = int16(h)
	}
	c := f.uncertain(nil)
	c.done = true
	for _, d := range rows {
		i, _ := t.Row(d.ID)
		if d.ClusterIndex < 0 {
			continue
		}
		c.sure[i] = float32(d.Confidence)
		if h, ok := index[d.Second]; ok && d.Second != "" {
			c.next[i] = h
		}
	}
	f.certain.Store(c)
	return nil
}

// addMarks marks rows that have constraints, and those of violated ones.
func (f *Fit) addMarks(t *door.Table, labels []string, inForce []session.Event) {
	for i, label := range labels {
		if label != "" {
			f.marks[i] |= flagMarked
		}
	}
	mark := func(id string, bit uint8) {
		if i, ok := t.Row(id); ok {
			f.marks[i] |= bit
		}
	}
	for _, e := range inForce {
		switch e.Op {
		case session.OpMust, session.OpCannot, session.OpBelief:
			mark(e.A, flagMarked)
			mark(e.B, flagMarked)
		}
	}
	for _, v := range f.Result.Violations {
		mark(v.A, flagViolated)
		mark(v.B, flagViolated)
	}
	for _, m := range f.Result.Misplaced {
		mark(m.ID, flagViolated)
	}
}

// countOthers counts the rows that moved though no constraint names them.
func (f *Fit) countOthers(before *Fit) {
	if before == nil {
		return
	}
	f.after = before.N
	for i, h := range f.label {
		if h >= 0 && before.label[i] >= 0 && h != before.label[i] && f.marks[i]&flagMarked == 0 {
			f.others++
		}
	}
}

// describeClusters describes the clusters of a fit: once, by whoever asks first.
func (f *Fit) describeClusters(ctx context.Context) error {
	f.describe.Lock()
	defer f.describe.Unlock()
	if f.cards.Load() != nil {
		return nil
	}
	cards, err := f.Result.Describe(ctx)
	if err == nil {
		f.cards.Store(&cards)
	}
	return err
}

// pageOf reports on a fit: once, by whoever asks first.
func (f *Fit) pageOf(ctx context.Context) (*report.Page, error) {
	f.describe.Lock()
	defer f.describe.Unlock()
	if p := f.page.Load(); p != nil {
		return p, nil
	}
	p, _, err := f.Result.Report(ctx, door.ReportOptions{})
	if err == nil {
		f.page.Store(p)
	}
	return p, err
}

// clusterOf returns the name of the cluster of a row; "" where it has none.
func (f *Fit) clusterOf(row int, called map[string]string) string {
	if f == nil || f.label[row] < 0 {
		return ""
	}
	return f.nameOf(int(f.label[row]), called)
}

// nameOf returns the name of a cluster: the one it was given, else that of the fit.
func (f *Fit) nameOf(index int, called map[string]string) string {
	name := f.names[index]
	if given, ok := called[name]; ok {
		return given
	}
	return name
}

// indexOf returns the cluster with a name, given or of the fit; -1 where there is none.
func (f *Fit) indexOf(name string, called map[string]string) int {
	for h, own := range f.names {
		if own != "" && f.nameOf(h, called) == name {
			return h
		}
	}
	return slices.Index(f.names, name)
}

// find is indexOf, but knows a cluster also by the name that it had until a better one was proposed for it: who asks
// may not have heard of that yet.
func (f *Fit) find(name string, called map[string]string) int {
	if h := f.indexOf(name, called); h >= 0 {
		return h
	}
	if h, ok := f.former.Load(name); ok {
		return h.(int)
	}
	return -1
}

// confidence returns how sure a row is of its cluster, nil where that is unknown.
func (f *Fit) confidence(row int) *float64 {
	if s := f.certain.Load().sure[row]; s == s {
		v := math.Round(float64(s)*1e4) / 1e4
		return &v
	}
	return nil
}

// Tag changes with what Labels returns.
func (f *Fit) Tag() string {
	return strconv.Itoa(f.N) + "-" + strconv.Itoa(f.through) + "-" + strconv.FormatBool(f.certain.Load().done)
}

// Labels returns the clusters and flags of all points as bytes for a page.
func (v *view) Labels(f *Fit) []byte {
	n, wide := len(v.points.order), 1
	if len(f.names) >= math.MaxUint8 {
		wide = 2
	}
	out := make([]byte, 8, 8+n*(wide+1))
	binary.LittleEndian.PutUint32(out, uint32(n))
	binary.LittleEndian.PutUint32(out[4:], uint32(wide))
	for _, row := range v.points.order {
		h := uint16(f.label[row]) // -1 has all bits set
		if out = append(out, byte(h)); wide == 2 {
			out = append(out, byte(h>>8))
		}
	}
	sure := f.certain.Load().sure
	for _, row := range v.points.order {
		level := uint8(sureLevels)
		if s := float64(sure[row]); s == s {
			level = uint8(math.Round(sureLevels * max(0, min(1, s))))
		}
		out = append(out, level|f.marks[row])
	}
	return out
}

// summary is the fit in short.
func (f *Fit) summary(called map[string]string, violated int) *FitSummary {
	r := f.Result
	given := f.given()
	s := &FitSummary{Others: f.others, N: f.N, Method: r.Method, K: r.KEffective, Clusters: []ClusterSummary{}, Unassigned: len(f.label) - r.N, ARIBefore: f.before, Moved: f.moved,
		Constraints: given, Violated: violated, Satisfied: given - violated, Seconds: math.Round(f.seconds*1e3) / 1e3, At: f.at, WhyEmpty: string(r.WhyEmpty()), Sure: f.certain.Load().done, Detailed: f.detailed.Load()}
	if r.Chosen != nil && r.Chosen.Clusters != nil {
		s.Number = strings.Join(slices.DeleteFunc([]string{r.Chosen.Clusters.Why, r.Chosen.Clusters.Doubt}, func(one string) bool { return one == "" }), "; ")
	}
	if r.Reliability != nil {
		s.Reliability, s.Reliable = string(r.Reliability.Level), door.ReliabilitySentence(r.Reliability)
	}
	if a := r.Answered; a != nil && a.Asked > 0 {
		s.Why = a.Why
		if a.Spread && float64(f.others) > bigChange*float64(len(f.label)) {
			s.Before = f.after
		}
	}
	cards := f.descriptions()
	for h, name := range f.names {
		if name == "" {
			continue
		}
		if f.sizes[h] == 0 {
			s.Empty++
			continue
		}
		c := ClusterSummary{Index: h, Name: f.nameOf(h, called), Size: f.sizes[h], Terms: []string{}}
		if card := cards[name]; card != nil {
			c.Terms, c.Summary = append(c.Terms, card.Terms...), traitsInShort(card.Traits)
		}
		s.Clusters = append(s.Clusters, c)
	}
	return s
}

// given counts the constraints of a fit.
func (f *Fit) given() int {
	r := f.Result
	return r.Labels.Given + r.Must.Given + r.Cannot.Given + r.Beliefs.Given
}
