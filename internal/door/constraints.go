package door

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/support/format"
	"github.com/inklinghq/inkling/internal/support/hint"
	"github.com/inklinghq/inkling/internal/support/suggest"
)

// Constraints are what you know about the rows of one table: labels, pairs that
// must or cannot be in one cluster, and beliefs about pairs. Rows are named by
// their ids; an id that the table does not have is reported by Err, by Cluster
// and by CheckConstraints, not by the call that adds it.
type Constraints struct {
	t       *Table
	entries []entry
	classes []string // the labels, in the order in which they occur
	class   map[string]int
	unknown []Fault
	notes   notes
	short   map[string]string // ids of text files without folder or extension
}

// An entry is one constraint, by rows of the table.
type entry struct {
	kind   list
	i, j   int // j is the class of a label
	weight float64
	place  Place
}

// list names the list of a constraint.Set that an entry belongs to.
type list string

const (
	labelList  list = "labels"
	mustList   list = "must"
	cannotList list = "cannot"
	beliefList list = "beliefs"
)

// A Place is where a constraint was given. Line 0 is the file as a whole; a
// constraint that a program added has no file.
type Place struct {
	File string
	Line int
}

func (p Place) String() string {
	switch {
	case p.File == "":
		return "a constraint"
	case p.Line == 0:
		return p.File
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// A Fault is something wrong with one constraint.
type Fault struct {
	Kind    FaultKind `json:"kind"`
	File    string    `json:"file"`
	Line    int       `json:"line"`
	Message string    `json:"message"`
	Hint    Hint      `json:"-"`
}

func (f Fault) String() string { return fmt.Sprintf("%s: %s", Place{f.File, f.Line}, f.Message) }

// NewConstraints returns the constraints of t's label column, or none where it
// has no such column. Make Constraints with it or with ReadConstraints: the zero
// value belongs to no table.
func NewConstraints(t *Table) *Constraints {
	c := &Constraints{t: t, class: map[string]int{}}
	if t == nil || t.ds.Labels == nil {
		return c
	}
	found := false
	for i, label := range t.ds.Labels {
		if label != "" {
			found = true
			c.addLabel(i, label, 1, Place{File: t.ds.Name})
		}
	}
	if !found {
		c.notes.warn("%s: the label column has no labels; empty cells, ? and NA count as unknown", t.ds.Name)
	}
	return c
}

// constraintsOn returns c, or where it is nil the constraints of t's label column
// with their notes, and refuses constraints on another table.
func constraintsOn(t *Table, c *Constraints, said *notes) (*Constraints, error) {
	switch {
	case t == nil || t.ds == nil:
		return nil, &InputError{File: "data", Msg: "there is no table", Hint: "make one with Open, Read or one of the From functions"}
	case c == nil:
		c = NewConstraints(t)
		for _, n := range c.notes.list {
			said.pass(n)
		}
	case c.t != t:
		return nil, optionError("", "", "the constraints are on the rows of another table")
	}
	return c, nil
}

// Label says that the row with this id is of the class with this name.
func (c *Constraints) Label(id, class string) { c.LabelWeighted(id, class, 1) }

// LabelWeighted is Label with a weight; 0 stands for the default, 1. A row with labels of several
// classes whose weights are not all 1 is a soft seed: it counts for each class by
// weight.
func (c *Constraints) LabelWeighted(id, class string, weight float64) {
	c.label(id, class, cmp.Or(weight, 1), Place{})
}

func (c *Constraints) label(id, class string, weight float64, at Place) {
	i, ok := c.find(id, at)
	if !ok || class == "" { // an empty label is unknown
		return
	}
	if !(weight > 0 && weight <= constraint.MaxWeight) {
		c.badWeight(at, "the weight of the label %q of %s must be above 0 and at most %g, got %v", class, id, constraint.MaxWeight, weight)
		return
	}
	c.addLabel(i, class, weight, at)
}

// Unlabel takes back the labels of the row with this id, those of the label column too.
func (c *Constraints) Unlabel(id string) {
	i, ok := c.find(id, Place{})
	c.entries = slices.DeleteFunc(c.entries, func(e entry) bool { return ok && e.kind == labelList && e.i == i })
}

// badWeight records a fault that Err reports.
func (c *Constraints) badWeight(at Place, format string, args ...any) {
	c.unknown = append(c.unknown, Fault{Kind: FaultWeight, File: at.File, Line: at.Line, Message: fmt.Sprintf(format, args...)})
}

func (c *Constraints) addLabel(i int, class string, weight float64, at Place) {
	h, known := c.class[class]
	if !known {
		h = len(c.classes)
		c.class[class], c.classes = h, append(c.classes, class)
	}
	c.entries = append(c.entries, entry{labelList, i, h, weight, at})
}

// Must says that rows a and b belong in one cluster.
func (c *Constraints) Must(a, b string) { c.Add(Link{A: a, B: b, Kind: MustLink}) }

// Cannot says that rows a and b do not belong in one cluster.
func (c *Constraints) Cannot(a, b string) { c.Add(Link{A: a, B: b, Kind: CannotLink}) }

// Belief says how strongly you believe that rows a and b belong together: from -1,
// certainly not, to 1, certainly.
func (c *Constraints) Belief(a, b string, belief float64) {
	c.link(Link{A: a, B: b, Kind: BeliefLink, Weight: belief}, belief, Place{})
}

// A LinkKind is a kind of constraint on two rows.
type LinkKind string

// The kinds of links.
const (
	MustLink   LinkKind = "must"
	CannotLink LinkKind = "cannot"
	BeliefLink LinkKind = "belief"
)

// A Link is a constraint on two rows.
type Link struct {
	A, B   string
	Kind   LinkKind
	Weight float64 // of a must-link or a cannot-link, 0 stands for the default, 1; the belief of a belief
}

// Add adds a link.
func (c *Constraints) Add(l Link) {
	weight := l.Weight
	if l.Kind != BeliefLink {
		weight = cmp.Or(weight, 1)
	}
	c.link(l, weight, Place{})
}

func (c *Constraints) link(l Link, weight float64, at Place) {
	i, okA := c.find(l.A, at)
	j, okB := c.find(l.B, at)
	if !okA || !okB {
		return
	}
	kinds := map[LinkKind]list{MustLink: mustList, CannotLink: cannotList, BeliefLink: beliefList}
	kind, ok := kinds[l.Kind]
	if !ok {
		c.unknown = append(c.unknown, Fault{Kind: FaultUnknownKind, File: at.File, Line: at.Line,
			Message: fmt.Sprintf("the kind of a link is must, cannot or belief, not %q", l.Kind)})
		return
	}
	switch {
	case kind == beliefList && !(weight >= -1 && weight <= 1):
		c.badWeight(at, "the belief about %s and %s must be from -1 to 1, got %v", l.A, l.B, weight)
	case kind != beliefList && !(weight > 0 && weight <= constraint.MaxWeight):
		c.badWeight(at, "the weight of the %s-link of %s and %s must be above 0 and at most %g, got %v", l.Kind, l.A, l.B, constraint.MaxWeight, weight)
	default:
		c.entries = append(c.entries, entry{kind, i, j, weight, at})
	}
}

// Len returns the number of constraints.
func (c *Constraints) Len() int {
	if c == nil {
		return 0
	}
	return len(c.entries)
}

// Classes returns the class of each row of the table by its label, -1 where it has
// none, and the names of the classes. Labels of two classes on one row are an
// *InputError that says where the second was given.
func (c *Constraints) Classes() (class []int, names []string, err error) {
	class = slices.Repeat([]int{-1}, c.t.Len())
	for _, e := range c.entries {
		if e.kind != labelList {
			continue
		}
		if was := class[e.i]; was >= 0 && was != e.j {
			return nil, nil, &InputError{File: e.place.File, Line: e.place.Line,
				Msg: fmt.Sprintf("%s %s is labelled %s here, but %s before", c.t.point(), c.t.ID(e.i), c.classes[e.j], c.classes[was])}
		}
		class[e.i] = e.j
	}
	return class, c.classes, nil
}

// knownClasses returns the class of each row by its label, -1 where it has none; nothing where no row has one.
func (c *Constraints) knownClasses() []int {
	class := slices.Repeat([]int{-1}, c.t.Len()*min(1, len(c.classes)))
	for _, e := range c.entries {
		if e.kind == labelList {
			class[e.i] = e.j
		}
	}
	return class
}

// Notes return what users should know about how the constraints were read.
func (c *Constraints) Notes() []Note { return slices.Clone(c.notes.list) }

// A FaultKind is a kind of fault.
type FaultKind string

// The kinds of faults.
const (
	FaultUnknownID   FaultKind = "unknown-id"                    // an id that the table does not have
	FaultUnknownKind FaultKind = "unknown-kind"                  // a link that is neither must, cannot nor belief
	FaultWeight      FaultKind = "weight"                        // a weight that is not above 0 and at most constraint.MaxWeight, or a belief outside [-1, 1]
	FaultView        FaultKind = "view"                          // a view without some of the ids of the table, or with others
	FaultDuplicate   FaultKind = FaultKind(constraint.Duplicate) // a constraint that is given twice, which does no harm
)

// Err returns an *InputError for the first constraint on a row that the table
// does not have, nil where there is none.
func (c *Constraints) Err() error {
	if c == nil || len(c.unknown) == 0 {
		return nil
	}
	f := c.unknown[0]
	err := &InputError{File: f.File, Line: f.Line, Msg: f.Message, Hint: f.Hint}
	if f.File == "" {
		err.File = "constraints"
	}
	if n := len(c.unknown) - 1; n > 0 {
		err.Msg += fmt.Sprintf(" (and %s like it; `inkling check` lists them)", format.Count(n, "more line"))
	}
	return err
}

// find returns the row with this id. Where there is none it is reported by Err.
func (c *Constraints) find(id string, at Place) (int, bool) {
	if c.t == nil {
		c.unknown = append(c.unknown, Fault{Kind: FaultUnknownID, File: at.File, Line: at.Line, Message: "the constraints belong to no table"})
		return 0, false
	}
	i, ok := c.t.Row(id)
	if !ok {
		c.unknown = append(c.unknown, Fault{Kind: FaultUnknownID, File: at.File, Line: at.Line,
			Message: fmt.Sprintf("there is no %s %q", c.t.point(), id), Hint: c.idsAre(id)})
	}
	return i, ok
}

// idsAre says what the ids of the table are, for somebody who gave a wrong one.
func (c *Constraints) idsAre(id string) Hint {
	t, named := c.t, c.t.index() != nil
	switch {
	case !named && t.ds.Graph != nil:
		return hint.Sprintf("the nodes are numbered 0 to %d", t.Len()-1)
	case !named:
		return hint.Sprintf("the rows are numbered 0 to %d; {id} names a column of ids", t.Len()-1)
	case t.ds.Graph != nil:
		return "the ids are those in the edge list"
	case t.ds.Docs != nil && t.ds.Format == "text", t.ds.Pictures != nil:
		return hint.Sprintf("the ids are the paths of the files within the folder%s", c.nearestFile(id))
	}
	if t.ds.Format == inMemory {
		return "the ids are those of Names.IDs"
	}
	return "the ids are those of the id column"
}

// nearestFile asks for the file of a folder that id names without the
// folder or the extension, if there is one.
func (c *Constraints) nearestFile(id string) string {
	if c.short == nil {
		c.short = suggest.ShortPaths(c.t.ds.IDs)
	}
	if name := c.short[id]; name != "" {
		return fmt.Sprintf("; did you mean %q?", name)
	}
	return ""
}

// bound are constraints on the rows that are left of a table after preparation,
// with where each was given.
type bound struct {
	set     *constraint.Set
	places  map[list][]Place
	entries map[list][]int // where each is among the entries of its Constraints
	soft    int            // soft seeds
	dropped int            // constraints on rows that are left out
	name    func(row int) string
	point   string
}

// bind renumbers the constraints for the rows that are left; nil where all are.
func (c *Constraints) bind(rows []int) *bound {
	b := &bound{set: &constraint.Set{Names: c.classes}, places: map[list][]Place{}, entries: map[list][]int{}, point: c.t.point()}
	b.name = func(i int) string {
		if rows != nil {
			i = rows[i]
		}
		return c.t.ID(i)
	}
	var kept []int
	if rows != nil {
		kept = slices.Repeat([]int{-1}, c.t.Len())
		for at, i := range rows {
			kept[i] = at
		}
	}
	for at, e := range c.entries {
		if kept != nil {
			if e.i = kept[e.i]; e.kind != labelList {
				e.j = kept[e.j]
			}
			if e.i < 0 || e.j < 0 {
				b.dropped++
				continue
			}
		}
		b.places[e.kind] = append(b.places[e.kind], e.place)
		b.entries[e.kind] = append(b.entries[e.kind], at)
		pair := constraint.Pair{I: e.i, J: e.j, W: e.weight}
		switch e.kind {
		case labelList:
			b.set.Labels = append(b.set.Labels, constraint.Label{I: e.i, Class: e.j, W: e.weight})
		case mustList:
			b.set.Must = append(b.set.Must, pair)
		case cannotList:
			b.set.Cannot = append(b.set.Cannot, pair)
		case beliefList:
			b.set.Beliefs = append(b.set.Beliefs, pair)
		}
	}
	b.set.DropEmptyClasses()
	b.soft = len(b.set.SoftSeeds())
	return b
}
