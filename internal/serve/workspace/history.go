package workspace

import (
	"time"

	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/serve/session"
)

// What was done, and how fits differ.
type (
	// History lists events.
	History struct {
		Events []HistoryEvent `json:"events"`
	}
	// HistoryEvent is an event in words.
	HistoryEvent struct {
		N       int         `json:"n"`
		At      time.Time   `json:"at"`
		Op      string      `json:"op"`
		Text    string      `json:"text"`
		InForce bool        `json:"inForce"`
		By      string      `json:"by"`
		Who     string      `json:"who,omitempty"` // the person
		A       *int        `json:"a,omitempty"`   // the points of a pair
		B       *int        `json:"b,omitempty"`
		Fit     *HistoryFit `json:"fit,omitempty"`
	}
	// HistoryFit is what an event says about a fit.
	HistoryFit struct {
		N         int      `json:"n"`
		Method    string   `json:"method"`
		K         int      `json:"k"`
		ARIBefore *float64 `json:"ariBefore"`
		Kept      bool     `json:"kept"` // it can be compared with
	}
	// Comparison says how two fits differ.
	Comparison struct {
		From     HistoryFit          `json:"from"`
		To       HistoryFit          `json:"to"`
		Moved    int                 `json:"moved"`
		ARI      float64             `json:"ari"`
		Rows     []MovedRow          `json:"rows"` // the first that moved
		Table    CrossTable          `json:"table"`
		Settings []SettingDifference `json:"settings"`
	}
	// MovedRow is a row in another cluster than before.
	MovedRow struct {
		Point int    `json:"point"`
		ID    string `json:"id"`
		From  string `json:"from"`
		To    string `json:"to"`
	}
	// CrossTable counts rows by their clusters in two fits.
	CrossTable struct {
		Rows    []string `json:"rows"`
		Columns []string `json:"columns"`
		Counts  [][]int  `json:"counts"`
	}
	// SettingDifference is a setting in which two fits differ.
	SettingDifference struct {
		Name string `json:"name"`
		From string `json:"from"`
		To   string `json:"to"`
	}
)

// History returns what was done, the newest last, after an event.
func (v *view) History(since int) *History {
	kept := v.kept.numbers()
	for _, s := range v.record.session.States() {
		kept[s.Fit] = true // it can be made again
	}
	out := HistoryOf(v.record.session, since, kept)
	events := v.record.session.Events()
	for i := range out.Events {
		if e := events[out.Events[i].N-1]; e.A != "" && e.B != "" {
			if a, b := v.points.pointOf(e.A), v.points.pointOf(e.B); a >= 0 && b >= 0 {
				out.Events[i].A, out.Events[i].B = &a, &b
			}
		}
	}
	return out
}

// HistoryOf returns what was done in a session, after an event. kept are the fits that can be
// compared with.
func HistoryOf(s *session.Session, since int, kept map[int]bool) *History {
	events := s.Events()
	in := map[int]bool{}
	for _, e := range session.InForce(events) {
		in[e.N] = true
	}
	out := &History{Events: []HistoryEvent{}}
	for _, e := range events[max(0, min(since, len(events))):] {
		h := HistoryEvent{N: e.N, At: e.At, Op: string(e.Op), Text: e.String(), InForce: in[e.N], By: e.By, Who: e.Who}
		if e.Op == session.OpFit && e.Fitted != nil {
			h.Fit = &HistoryFit{e.N, e.Fitted.Method, e.Fitted.K, e.ARIBefore, kept[e.N]}
		}
		out.Events = append(out.Events, h)
	}
	return out
}

// movedShown is how many rows that moved a comparison lists.
const movedShown = 500

// Compare says how two fits differ; 0 as to: the latest, 0 as from: the one before it.
func (v *view) Compare(from, to int) (*Comparison, error) {
	b, err := v.fits.FitNumber(to)
	if err != nil {
		return nil, err
	}
	if from == 0 {
		from = v.kept.before(b)
	}
	a, err := v.fits.FitNumber(from)
	if err != nil {
		return nil, err
	}
	was, is := v.names.called(a), v.names.called(b)
	out := &Comparison{From: a.inShort(), To: b.inShort(), Rows: []MovedRow{}, Settings: []SettingDifference{}}
	out.Table.Rows, out.Table.Columns = a.shownNames(was), b.shownNames(is)
	atRow, atColumn := positions(a.names), positions(b.names)
	out.Table.Counts = make([][]int, len(out.Table.Rows))
	for i := range out.Table.Counts {
		out.Table.Counts[i] = make([]int, len(out.Table.Columns))
	}
	var both [2][]int
	for p, row := range v.points.order {
		from, to := a.label[row], b.label[row]
		if from >= 0 && to >= 0 {
			both[0], both[1] = append(both[0], int(from)), append(both[1], int(to))
			out.Table.Counts[atRow[from]][atColumn[to]]++
		}
		if from == to {
			continue
		}
		if out.Moved++; len(out.Rows) < movedShown {
			out.Rows = append(out.Rows, MovedRow{p, v.points.table.ID(int(row)), a.clusterOf(int(row), was), b.clusterOf(int(row), is)})
		}
	}
	if ari, err := score.ARI(both[0], both[1]); err == nil {
		out.ARI = ari
	}
	out.Settings = append(out.Settings, differences(a, b)...)
	return out, nil
}

func (f *Fit) inShort() HistoryFit {
	return HistoryFit{f.N, f.Result.Method, f.Result.KEffective, f.before, true}
}

// shownNames returns the names of the clusters that there are.
func (f *Fit) shownNames(called map[string]string) []string {
	out := []string{}
	for h, name := range f.names {
		if name != "" {
			out = append(out, f.nameOf(h, called))
		}
	}
	return out
}

// positions returns where each cluster is among those that there are.
func positions(names []string) []int {
	out, at := make([]int, len(names)), 0
	for h, name := range names {
		out[h] = at
		if name != "" {
			at++
		}
	}
	return out
}
