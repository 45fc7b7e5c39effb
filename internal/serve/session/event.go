package session

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/inklinghq/inkling/internal/door"
)

// Format is what the first line of a session names: the major version after the slash.
// A session of another major version is refused.
const Format = "session/1"

// An Op is what an event does.
type Op string

// The operations. Those that a later version may add are kept, and have no effect.
const (
	OpLabel   Op = "label"   // row ID is of class Label
	OpUnlabel Op = "unlabel" // row ID has no label, whatever the label column of the data says
	OpMust    Op = "must"    // rows A and B belong together
	OpCannot  Op = "cannot"  // rows A and B do not
	OpBelief  Op = "belief"  // rows A and B belong together to the degree Weight, from -1 to 1
	OpUnsure  Op = "unsure"  // nobody knows whether A and B belong together
	OpSkip    Op = "skip"    // A and B were not decided about now
	OpRename  Op = "rename"  // cluster Cluster is called Name
	OpStroke  Op = "stroke"  // a line on a photograph, see Stroke
	OpMark    Op = "mark"    // fit Of is called Name
	OpKeep    Op = "keep"    // answers move only the rows that they name
	OpUndo    Op = "undo"    // event Of has no effect
	OpFit     Op = "fit"     // a clustering with what was in force
)

// A Header is the first line of a session: the data that it is about.
type Header struct {
	Inkling string      `json:"inkling"`
	Data    Data        `json:"data"`
	Source  Source      `json:"source"`
	Prepare Preparation `json:"prepare"`
	Fit     Settings    `json:"fit"` // how the rows are clustered unless somebody says otherwise
	Created time.Time   `json:"created"`
	// From is the session that this one continues; nil: none. Its events up to N
	// were copied.
	From *Origin `json:"from,omitempty"`
}

// Data name a file and what it held when the session began.
type Data struct {
	Path   string `json:"path"` // relative to the folder of the session, if it does not begin with a slash
	SHA256 string `json:"sha256"`
	Rows   int    `json:"rows"`
}

// An Origin is the place where a session branched off another one.
type Origin struct {
	Session string `json:"session"`
	N       int    `json:"n"`
}

// An Event is one line after the first.
type Event struct {
	N  int       `json:"n"` // from 1, without gaps
	At time.Time `json:"at"`
	Op Op        `json:"op"`

	ID     string   `json:"id,omitempty"`
	Label  string   `json:"label,omitempty"`
	A      string   `json:"a,omitempty"`
	B      string   `json:"b,omitempty"`
	Weight *float64 `json:"weight,omitempty"` // nil: 1

	Cluster string `json:"cluster,omitempty"`
	Name    string `json:"name,omitempty"`
	Of      int    `json:"of,omitempty"`

	By    string `json:"by,omitempty"`    // who or what made the event: ask, a name, a tool
	Who   string `json:"who,omitempty"`   // the person, where several work on a page
	Asked *Asked `json:"asked,omitempty"` // the question that it answers
	// Votes are what several people said, by name, where the event is what was made of that.
	Votes map[string]string `json:"votes,omitempty"`

	// With is the first of the events that were made together with this one, by one act of a
	// person; 0: it is the first, or the only one.
	With int `json:"with,omitempty"`

	Stroke *Stroke `json:"stroke,omitempty"` // of a stroke

	*Fitted // of a fit

	line []byte // as it stands in the file, without its end
}

// A Stroke is a line that a person drew on a photograph, in its pixels: a label for what is
// under it, or, where it erases, none.
type Stroke struct {
	Label  int          `json:"label,omitempty"` // from 1
	Size   float64      `json:"size"`            // the width of the line
	Points [][2]float64 `json:"points"`
	Erase  bool         `json:"erase,omitempty"`
}

// Asked is the question that an event answers.
type Asked struct {
	Strategy string `json:"strategy"`
	Why      string `json:"why,omitempty"`
}

// Fitted is a clustering that was made.
type Fitted struct {
	Settings
	Method  string `json:"chosen,omitempty"` // the method where the settings leave it open
	K       int    `json:"clusters"`         // found
	Spread  bool   `json:"spread,omitempty"` // answers spread to rows that nobody asked about
	Through int    `json:"through"`          // the last event that the fit knew of
	// LabelsSHA256 is the hash of the CSV that Result.WriteCSV writes.
	LabelsSHA256 string `json:"labels_sha256"`
	// ARIBefore is the adjusted Rand index between these clusters and those of the
	// last fit; nil for the first.
	ARIBefore *float64 `json:"ari_before,omitempty"`
}

// isConstraint reports whether the event says something about rows.
func (e *Event) isConstraint() bool {
	switch e.Op {
	case OpLabel, OpUnlabel, OpMust, OpCannot, OpBelief:
		return true
	}
	return false
}

// isAnswer reports whether the event decides about a pair, or says that it was not
// decided.
func (e *Event) isAnswer() bool {
	switch e.Op {
	case OpMust, OpCannot, OpBelief, OpUnsure, OpSkip:
		return true
	}
	return false
}

// canBeUndone reports whether an undo may name the event.
func (e *Event) canBeUndone() bool {
	return e.isConstraint() || e.isAnswer() || e.Op == OpRename || e.Op == OpStroke || e.Op == OpMark || e.Op == OpKeep || e.Op == OpUndo
}

// check refuses an event that does not hold together. Unknown operations pass.
func (e *Event) check(before []Event) error {
	if e.Weight != nil {
		low, what := 0.0, "above 0"
		if e.Op == OpBelief {
			low, what = -1, "from -1 to 1"
		}
		if w := *e.Weight; math.IsNaN(w) || math.IsInf(w, 0) || w < low || e.Op == OpBelief && w > 1 || e.Op != OpBelief && w == 0 {
			return fmt.Errorf("the weight must be %s, got %v", what, w)
		}
	}
	if e.With < 0 || e.With > len(before) {
		return fmt.Errorf("event %d cannot be part of event %d", e.N, e.With)
	}
	switch e.Op {
	case "":
		return fmt.Errorf("an event needs an op")
	case OpLabel:
		if e.ID == "" || e.Label == "" {
			return fmt.Errorf("a label needs id and label")
		}
	case OpUnlabel:
		if e.ID == "" {
			return fmt.Errorf("unlabel needs id")
		}
	case OpMust, OpCannot, OpBelief, OpUnsure, OpSkip:
		if e.A == "" || e.B == "" {
			return fmt.Errorf("%s needs a and b", e.Op)
		}
		if e.A == e.B {
			return fmt.Errorf("%s: a and b are the same row, %s", e.Op, e.A)
		}
		if e.Op == OpBelief && e.Weight == nil {
			return fmt.Errorf("a belief needs a weight from -1 to 1")
		}
	case OpRename:
		if e.Cluster == "" || e.Name == "" {
			return fmt.Errorf("rename needs cluster and name")
		}
	case OpStroke:
		if e.Stroke == nil || len(e.Stroke.Points) == 0 || !(e.Stroke.Size > 0) || e.Stroke.Label < 0 || e.Stroke.Label > 255 {
			return fmt.Errorf("a stroke needs label, size and points")
		}
	case OpFit:
		if e.Fitted == nil {
			return fmt.Errorf("a fit needs its settings and labels_sha256")
		}
		if e.Through < 0 || e.Through > len(before) {
			return fmt.Errorf("a fit cannot know of event %d: %d come before it", e.Through, len(before))
		}
	case OpMark:
		if e.Name == "" {
			return fmt.Errorf("mark needs a name")
		}
		if _, err := fitAt(before, e.Of); err != nil {
			return err
		}
	case OpUndo:
		if e.Of < 1 || e.Of > len(before) {
			return fmt.Errorf("there is no event %d to undo", e.Of)
		}
		if of := &before[e.Of-1]; !of.canBeUndone() {
			return fmt.Errorf("event %d, %s, cannot be undone", e.Of, of.Op)
		}
	}
	return nil
}

// String says what the event does, in words.
func (e Event) String() string {
	weight := ""
	if e.Weight != nil {
		weight = fmt.Sprintf(" (weight %g)", *e.Weight)
	}
	switch e.Op {
	case OpLabel:
		return fmt.Sprintf("%s is %s%s", e.ID, e.Label, weight)
	case OpUnlabel:
		return fmt.Sprintf("%s has no label", e.ID)
	case OpMust:
		return fmt.Sprintf("%s and %s belong together%s", e.A, e.B, weight)
	case OpCannot:
		return fmt.Sprintf("%s and %s do not belong together%s", e.A, e.B, weight)
	case OpBelief:
		return fmt.Sprintf("%s and %s belong together: belief %g", e.A, e.B, *e.Weight)
	case OpUnsure:
		return fmt.Sprintf("%s and %s: unsure", e.A, e.B)
	case OpSkip:
		return fmt.Sprintf("%s and %s: skipped", e.A, e.B)
	case OpRename:
		return fmt.Sprintf("group %s is called %s", e.Cluster, e.Name)
	case OpStroke:
		if e.Stroke.Erase {
			return "a stroke that erases"
		}
		return fmt.Sprintf("a stroke of label %d", e.Stroke.Label)
	case OpMark:
		return fmt.Sprintf("fit %d is called %s", e.Of, e.Name)
	case OpKeep:
		return "answers move only the rows that they name"
	case OpUndo:
		return fmt.Sprintf("undo %d", e.Of)
	case OpFit:
		said := fmt.Sprintf("fit by %s, %d clusters", e.Fitted.method(), e.Fitted.K)
		if e.Fitted.ARIBefore != nil {
			said += fmt.Sprintf(", ARI %.3f with the fit before", *e.Fitted.ARIBefore)
		}
		return said
	}
	return fmt.Sprintf("%s (of a later version, without effect here)", e.Op)
}

func (f *Fitted) method() string {
	if f.Method != "" {
		return f.Method
	}
	return f.Settings.Method
}

// Settings say how rows are clustered: the options of inkling.Cluster that change its
// result, without those of Preparation. Left out, they are the defaults.
type Settings struct {
	Method     string         `json:"method,omitempty"`
	K          int            `json:"k,omitempty"`
	KMin       int            `json:"k_min,omitempty"`
	KMax       int            `json:"k_max,omitempty"`
	Parameters map[string]any `json:"parameters,omitempty"`
	Seed       *uint64        `json:"seed,omitempty"`
	Effort     door.Effort    `json:"effort,omitempty"`
	Restarts   int            `json:"restarts,omitempty"`
	MaxIter    int            `json:"max_iter,omitempty"`
	Tol        float64        `json:"tol,omitempty"`
}

// SettingsOf returns those of the options.
func SettingsOf(o door.Options) Settings {
	return Settings{o.Method, o.K, o.KMin, o.KMax, o.Parameters, o.Seed, o.Effort, o.Restarts, o.MaxIter, o.Tol}
}

func (s Settings) apply(o *door.Options) {
	o.Method, o.K, o.KMin, o.KMax, o.Parameters = s.Method, s.K, s.KMin, s.KMax, s.Parameters
	o.Seed, o.Effort, o.Restarts, o.MaxIter, o.Tol = s.Seed, s.Effort, s.Restarts, s.MaxIter, s.Tol
}

// Preparation says how rows and texts are prepared, which does not change during a
// session.
type Preparation struct {
	Scale       door.Scale `json:"scale,omitempty"`
	StopWords   string     `json:"stop_words,omitempty"`
	MinDF       int        `json:"min_df,omitempty"`
	MaxDF       float64    `json:"max_df,omitempty"`
	MaxFeatures int        `json:"max_features,omitempty"`
}

// PreparationOf returns that of the options.
func PreparationOf(o door.Options) Preparation {
	return Preparation{o.Scale, o.StopWords, o.MinDF, o.MaxDF, o.MaxFeatures}
}

func (p Preparation) apply(o *door.Options) {
	o.Scale, o.StopWords, o.MinDF, o.MaxDF, o.MaxFeatures = p.Scale, p.StopWords, p.MinDF, p.MaxDF, p.MaxFeatures
}

// A Source is how the data are read, as JSON: the fields of inkling.Source by their
// names, those that are not set left out.
type Source struct{ door.Source }

// MarshalJSON leaves out what is not set, and the number of workers.
func (s Source) MarshalJSON() ([]byte, error) {
	plain := s.Source
	plain.Workers = 0
	raw, err := json.Marshal(plain)
	if err != nil {
		return nil, err
	}
	var all map[string]any
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, err
	}
	for name, v := range all {
		switch v := v.(type) {
		case nil:
			delete(all, name)
		case string:
			if v == "" {
				delete(all, name)
			}
		case float64:
			if v == 0 {
				delete(all, name)
			}
		case bool:
			if !v {
				delete(all, name)
			}
		case []any:
			if len(v) == 0 {
				delete(all, name)
			}
		}
	}
	return json.Marshal(all)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Source) UnmarshalJSON(raw []byte) error { return json.Unmarshal(raw, &s.Source) }
