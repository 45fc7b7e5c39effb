package workspace

import (
	"time"

	"github.com/inklinghq/inkling/internal/input/contents"
)

// State is what a page shows of the whole: the data, the last fit, what is under way.
type State struct {
	Kind     string        `json:"kind"` // none, table, graph or image
	Name     string        `json:"name"`
	Version  string        `json:"version"` // of the program
	Rows     int           `json:"rows"`
	Session  string        `json:"session"` // the name of its file
	Command  string        `json:"command"` // makes the current result again
	Columns  []ColumnRole  `json:"columns"`
	Examples []Example     `json:"examples"`
	Settings Settings      `json:"settings"`
	Methods  []MethodTitle `json:"methods"`
	Fit      *FitSummary   `json:"fit"`
	Running  *Running      `json:"running"`
	Totals   Totals        `json:"totals"`
	Suspects SuspectCount  `json:"suspects"`
	Undo     *string       `json:"undo"` // what would be undone, in words
	Redo     *string       `json:"redo"`
	Events   int           `json:"events"` // the number of the last one
	Auto     bool          `json:"auto"`   // changes are followed by a fit
	States   []NamedState  `json:"states"` // that can be returned to
	Notes    []Note        `json:"notes"`
	Error    *Problem      `json:"error"` // of the last fit
	Image    *ImageState   `json:"image"`
	Graph    *GraphState   `json:"graph"`
	Places   PlacesState   `json:"places"`
	Pictures bool          `json:"pictures"` // rows are pictures, which api/picture sends
}

// NamedState is a fit with a name.
type NamedState struct {
	Event  int       `json:"event"` // that names it
	Fit    int       `json:"fit"`
	Name   string    `json:"name"`
	Method string    `json:"method"`
	K      int       `json:"k"`
	Shown  bool      `json:"shown"` // it is what is shown now, and nothing was said since
	At     time.Time `json:"at"`    // when it was named
}

// ColumnRole is a column of the data and what it is for.
type ColumnRole struct {
	Name string `json:"name"`
	Role string `json:"role"` // id, label, number, category, date, text, describe or drop
	// Holds is what its cells are, also where rows are not compared by them: number, category, date or text; "":
	// something else.
	Holds string `json:"holds"`
}

// Example is a built-in data set.
type Example struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Rows  int    `json:"rows"`
	Kind  string `json:"kind"` // table, graph or image
}

// Settings say how the rows are clustered.
type Settings struct {
	Method     string         `json:"method"`
	K          int            `json:"k"` // 0: chosen, or one for each class among the labels
	KMin       int            `json:"kMin"`
	KMax       int            `json:"kMax"`
	KFixed     bool           `json:"kFixed"` // somebody said how many; else k follows the last fit
	Effort     string         `json:"effort"`
	Seed       uint64         `json:"seed"`
	Parameters map[string]any `json:"parameters"`
}

// MethodTitle is a method that Settings can name.
type MethodTitle struct {
	Name  string `json:"name"`
	Title string `json:"title"`
}

// FitSummary is a clustering in short.
type FitSummary struct {
	N          int              `json:"n"` // the event
	Method     string           `json:"method"`
	K          int              `json:"k"`
	Number     string           `json:"number"` // why there are so many clusters; "" where nobody had to choose
	Clusters   []ClusterSummary `json:"clusters"`
	Unassigned int              `json:"unassigned"`
	Empty      int              `json:"empty"`    // clusters without rows, which are not listed
	WhyEmpty   string           `json:"whyEmpty"` // "" where no cluster is empty, or the reason is unknown
	ARIBefore  *float64         `json:"ariBefore"`
	Moved      int              `json:"moved"` // rows in another cluster than in the fit before
	// Others are those of them that no answer names. Where they are many, people are asked whether to
	// keep the clusters as they were; Before is the fit that had them, 0 where there is nothing to ask.
	Others      int       `json:"others"`
	Before      int       `json:"before"`
	Why         string    `json:"why"`         // what answers changed, in a sentence; "" where they decide nothing
	Reliability string    `json:"reliability"` // low, fair or good; "" where it was not judged
	Reliable    string    `json:"reliable"`    // the same in a sentence
	Satisfied   int       `json:"satisfied"`
	Constraints int       `json:"constraints"`
	Violated    int       `json:"violated"`
	Seconds     float64   `json:"seconds"`
	At          time.Time `json:"at"`
	Sure        bool      `json:"sure"`     // the confidences are those of this fit; until then those of the one before
	Detailed    bool      `json:"detailed"` // what follows a fit is there: confidences, descriptions, names
}

// ClusterSummary is a cluster in short. Its index stays as long as its rows do.
type ClusterSummary struct {
	Index   int      `json:"index"`
	Name    string   `json:"name"`
	Size    int      `json:"size"`
	Terms   []string `json:"terms"`
	Summary string   `json:"summary"` // high spend, low visits
}

// Running is the fit under way.
type Running struct {
	Stage     string    `json:"stage"`
	Done      int       `json:"done"`
	Of        int       `json:"of"`
	Objective []float64 `json:"objective"` // the last values
	StartedAt time.Time `json:"startedAt"`
	Why       string    `json:"why"`
}

// Totals counts what is in force.
type Totals struct {
	Labels  int `json:"labels"`
	Must    int `json:"must"`
	Cannot  int `json:"cannot"`
	Beliefs int `json:"beliefs"`
	Unsure  int `json:"unsure"`
	Skipped int `json:"skipped"`
}

// Problem is what went wrong, for a person.
type Problem struct {
	Kind    string `json:"kind"` // input, option, constraint, not-found, conflict, too-large or internal
	Message string `json:"message"`
	Hint    string `json:"hint"`
}

// ImageState describes the photograph that is segmented.
type ImageState struct {
	Width   int            `json:"width"`
	Height  int            `json:"height"`
	Labels  []SegmentLabel `json:"labels"`
	Strokes int            `json:"strokes"`
	Mask    int            `json:"mask"`    // the number of the newest mask; 0: none yet
	Through int            `json:"through"` // the last event that it knows of
}

// SegmentLabel is a segment of an image.
type SegmentLabel struct {
	Index  int    `json:"index"` // as in strokes, from 1
	Name   string `json:"name"`
	Colour string `json:"colour"` // #rrggbb
}

// GraphState describes the graph that is clustered.
type GraphState struct {
	Edges int      `json:"edges"`
	Views []string `json:"views"`
}

// PointName names a point for people.
type PointName struct {
	Point   int    `json:"point"`
	ID      string `json:"id"`
	Cluster string `json:"cluster"`
}

// Row is a row of the table under the plot.
type Row struct {
	Point      int      `json:"point"`
	ID         string   `json:"id"`
	Cluster    string   `json:"cluster"`
	Confidence *float64 `json:"confidence"`
	Next       string   `json:"next"` // the next best cluster
	Label      string   `json:"label"`
	Cells      []string `json:"cells"`
	Violates   bool     `json:"violates"`
}

// RowQuery says which rows to list.
type RowQuery struct {
	Offset     int    `json:"offset,omitempty"`
	Limit      int    `json:"limit,omitempty"`
	Cluster    string `json:"cluster,omitempty"`
	Q          string `json:"q,omitempty"`
	Sort       string `json:"sort,omitempty"`
	Desc       bool   `json:"desc,omitempty"`
	Points     []int  `json:"points,omitempty"`
	Unassigned bool   `json:"unassigned,omitempty"`
}

// RowList is some of the rows.
type RowList struct {
	Total   int      `json:"total"`
	Columns []string `json:"columns"`
	Rows    []Row    `json:"rows"`
}

// PointList is a list of points by number.
type PointList struct {
	Points []int `json:"points"`
}

// Ask is the question to answer now, or why there is none.
type Ask struct {
	Question  *AskedPair `json:"question"`
	Preparing bool       `json:"preparing"` // it is not ready yet; the stream announces it
	Left      string     `json:"left"`
	Done      string     `json:"done"` // why nothing is left
	Totals    Totals     `json:"totals"`
	Others    int        `json:"others"` // people who answer beside this one
	Expected  *Expected  `json:"expected"`
}

// Expected says how much the next ten answers are expected to change.
type Expected struct {
	Rows float64 `json:"rows"`
}

// AskedPair is a question about two points.
type AskedPair struct {
	N        int           `json:"n"`
	A        PointName     `json:"a"`
	B        PointName     `json:"b"`
	Pair     contents.Pair `json:"pair"`
	Strategy string        `json:"strategy"`
	Why      string        `json:"why"`
}

// AnswerRequest answers a question.
type AnswerRequest struct {
	N   int    `json:"n,omitempty"` // of the question; the points alone decide
	A   int    `json:"a"`
	B   int    `json:"b"`
	Say string `json:"say"` // same, different, unsure or skip
}

// Answered confirms an answer, which is on disk.
type Answered struct {
	Event       int     `json:"event"`
	Contradicts *string `json:"contradicts"`
	Next        *Ask    `json:"next"`
}

// Changed confirms a change, which is on disk; or says what it contradicts.
type Changed struct {
	Events      []int          `json:"events"`
	Contradicts *Contradiction `json:"contradicts"`
	Did         string         `json:"did,omitempty"`
}

// Contradiction proves that a change does not go together with what is in force.
type Contradiction struct {
	Message string       `json:"message"`
	Chain   []ChainEvent `json:"chain"`
	Repairs []Repair     `json:"repairs"`
}

// ChainEvent is a step of a proof. Event 0 is the change itself, or the data.
type ChainEvent struct {
	Event int    `json:"event"`
	Text  string `json:"text"`
}

// Repair is a way to resolve a contradiction.
type Repair struct {
	Text   string `json:"text"`
	Forget []int  `json:"forget"`           // events
	Points []int  `json:"points,omitempty"` // whose labels are to be forgotten, where the data have them
}

// LabelRequest labels points; an empty label takes back theirs.
type LabelRequest struct {
	Points []int  `json:"points"`
	Label  string `json:"label"`
	Force  bool   `json:"force,omitempty"`
}

// LinkRequest links two points.
type LinkRequest struct {
	Kind   string   `json:"kind"` // must, cannot or belief
	A      int      `json:"a"`
	B      int      `json:"b"`
	Weight *float64 `json:"weight,omitempty"`
	Force  bool     `json:"force,omitempty"`
}

// LinksRequest links several pairs of points in one act.
type LinksRequest struct {
	Kind   string   `json:"kind"`
	Pairs  [][]int  `json:"pairs"`
	Weight *float64 `json:"weight,omitempty"`
	Force  bool     `json:"force,omitempty"`
}

// FitRequest changes settings, those that are given, and fits.
type FitRequest struct {
	Method     *string        `json:"method,omitempty"`
	K          *int           `json:"k,omitempty"`
	KMin       *int           `json:"kMin,omitempty"`
	KMax       *int           `json:"kMax,omitempty"`
	Effort     *string        `json:"effort,omitempty"`
	Seed       *uint64        `json:"seed,omitempty"`
	Parameters map[string]any `json:"parameters,omitempty"`
}

// AutoRequest switches fits after changes on or off.
type AutoRequest struct {
	On bool `json:"on"`
}

// None is a request or a reply that says nothing.
type None struct{}
